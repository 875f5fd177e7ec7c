import { readFileSync } from 'node:fs';
import type { SummaryContext } from '../formats/summary/summary-document.ts';
import type { Config } from '../config/config.ts';
import { configHash } from '../config/config-hash.ts';
import { packageFolder } from './package-folder.ts';

/** Version of this program, as its package says. */
export const version: string = (
  JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as { version: string }
).version;

/** The circumstances of a summary. */
export function contextOf(
  config: Config,
  truth: SummaryContext['truth'],
  partitions: readonly string[],
  firsts: SummaryContext['firsts'] = new Map(),
  ofTruth?: SummaryContext['ofTruth'],
): SummaryContext {
  return { version, configHash: configHash(config), mode: config.metrics.mode, truth, partitions, firsts, ofTruth };
}
