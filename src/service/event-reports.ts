import type { Config } from '../config/config.ts';
import { readsFeedback } from '../config/families.ts';
import type { Sample, Share } from '../formats/summary/review.ts';
import type { Suspect } from '../formats/summary/suspect.ts';
import type { TruthTable } from '../scoring/truth.ts';
import type { Settings } from '../state/settings.ts';
import type { PendingLog } from '../state/containers/pending-log.ts';
import type { Scored } from '../stream/score.ts';
import type { FoldOutput } from '../stream/output.ts';
import { createRandomShare } from './random-share.ts';
import { createSampler, sampleOf, type SamplerOptions, samplerOptions } from './samples.ts';
import { bounded, createSuspects, shownSuspects } from './suspects.ts';

/** The reports of single events, beside the numbers: a memory of this process. */
export interface EventReports extends Pick<FoldOutput, 'onAccepted' | 'onScored' | 'onRight' | 'onJudged'> {
  /** With the samples of the partition, where it has some. */
  readonly onFailed: ((scored: Scored, samples?: PendingLog) => void) | undefined;
  /** The first suspects, with hidden values hidden. */
  suspects(): readonly Suspect[];
  truthChanged(table: TruthTable): void;
  /** The random share of events; undefined where it is as it was. */
  takeShare(): readonly Share[] | undefined;
}

/** Models that must agree on an answer for the truth to be suspect. */
const modelsMin = 2;

/** Gives sampled failures, and remembers suspect truth and, where feedback is read, a random share of the events; nothing where `http.samples` is 0. */
export function reportEvents(
  config: Config,
  settings: Settings,
  given: Pick<SamplerOptions, 'redact' | 'nowMs'>,
  give: (failure: Sample, samples: PendingLog | undefined) => void,
): EventReports {
  const options = samplerOptions(config, settings, given);
  const sample = createSampler(options, give);
  const share = createRandomShare({
    count: options.count,
    nowMs: given.nowMs,
    sampleOf: (scored) => sampleOf(scored, options),
  });
  const suspects = createSuspects({ layout: settings.layout, models: modelsMin, bounds: bounded });
  const onFailed: EventReports['onFailed'] = (scored, samples) => {
    sample(scored, samples);
    suspects.add(scored);
  };
  const isAsked = config.http.samples > 0;
  // Without feedback nothing is reviewed.
  const isReviewed = isAsked && readsFeedback(config);
  return {
    suspects: () => shownSuspects(suspects, given.redact),
    truthChanged: suspects.truthChanged,
    takeShare: share.takeChanged,
    onAccepted: isReviewed ? share.add : undefined,
    onScored: isReviewed ? share.add : undefined,
    onFailed: isAsked ? onFailed : undefined,
    onRight: isAsked ? suspects.addRight : undefined,
    onJudged: isAsked ? suspects.addJudgement : undefined,
  };
}
