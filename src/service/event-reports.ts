import type { Config } from '../config/config.ts';
import type { Failure } from '../formats/summary/failure.ts';
import type { Suspect } from '../formats/summary/suspect.ts';
import type { TruthTable } from '../scoring/truth.ts';
import type { Settings } from '../state/settings.ts';
import type { FoldOutput } from '../stream/output.ts';
import { type SamplerOptions, samplerOf } from './samples.ts';
import { bounded, createSuspects, shownSuspects } from './suspects.ts';

/** The reports of single events, beside the numbers: a memory of this process. */
export interface EventReports extends Pick<FoldOutput, 'onFailed' | 'onRight' | 'onJudged'> {
  /** The first suspects, with hidden values hidden. */
  suspects(): readonly Suspect[];
  truthChanged(table: TruthTable): void;
}

/** Models that must agree on an answer for the truth to be suspect. */
const modelsMin = 2;

/** Gives sampled failures, and remembers suspect truth; nothing where `http.samples` is 0. */
export function reportEvents(
  config: Config,
  settings: Settings,
  given: Pick<SamplerOptions, 'redact' | 'nowMs'>,
  give: (failure: Failure) => void,
): EventReports {
  const sample = samplerOf(config, settings, given, give);
  const suspects = createSuspects({ layout: settings.layout, models: modelsMin, bounds: bounded });
  const onFailed: FoldOutput['onFailed'] = (scored) => {
    sample(scored);
    suspects.add(scored);
  };
  const isAsked = config.http.samples > 0;
  return {
    suspects: () => shownSuspects(suspects, given.redact),
    truthChanged: suspects.truthChanged,
    onFailed: isAsked ? onFailed : undefined,
    onRight: isAsked ? suspects.addRight : undefined,
    onJudged: isAsked ? suspects.addJudgement : undefined,
  };
}
