import { jsonText } from '../../formats/json/json-text.ts';
import type { Json } from '../../scoring/json.ts';
import { eachScored, type ScoredEventsOptions } from '../../service/scored-events.ts';
import { settingsOf } from '../../config/settings.ts';
import { createSuspects, unbounded } from '../../service/suspects.ts';

export interface TruthSuspectsOptions extends ScoredEventsOptions {
  /** Models that must agree on an answer. */
  readonly models: number;
}

/** `assay truth suspects`: prints a line of JSON for each example whose truth several models contradict alike, or a judge. Resolves with the exit status. */
export async function truthSuspects({ models, ...options }: TruthSuspectsOptions): Promise<number> {
  const { layout } = settingsOf(options.config, undefined, options.judgements !== undefined);
  const suspects = createSuspects({ layout, models, bounds: unbounded });
  await eachScored(options, suspects.add, { onJudged: suspects.addJudgement });
  const found = suspects.list();
  for (const suspect of found) process.stdout.write(`${jsonText(suspect as unknown as Json)}\n`);
  process.stderr.write(`${found.length} of ${suspects.examples} examples are suspect\n`);
  return 0;
}
