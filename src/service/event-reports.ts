import type { Config } from '../config/config.ts';
import type { EventReport } from '../formats/summary/summary-document.ts';
import type { Settings } from '../state/settings.ts';
import type { FoldOutput } from '../stream/output.ts';
import { type Samples, type SamplesOptions, samplesOf } from './samples.ts';
import { bounded, createSuspects, shownSuspects, type Suspects } from './suspects.ts';

/** Reports on single events, beside the numbers: a memory of this process. */
export interface EventReports extends Pick<FoldOutput, 'onFailed' | 'onRight' | 'onJudged'> {
  readonly samples: Samples;
  readonly suspects: Suspects;
  /** The report on single events in a summary, with hidden values hidden. */
  report(): EventReport;
}

/** Models that must agree on an answer for the truth to be suspect. */
const modelsMin = 2;

/** Remembers failures and suspect truth; nothing where `http.samples` is 0. */
export function reportEvents(
  config: Config,
  settings: Settings,
  given: Pick<SamplesOptions, 'redact' | 'nowMs'>,
): EventReports {
  const samples = samplesOf(config, settings, given);
  const suspects = createSuspects({ layout: settings.layout, models: modelsMin, bounds: bounded });
  const onFailed: FoldOutput['onFailed'] = (scored) => {
    samples.add(scored);
    suspects.add(scored);
  };
  const report = (): EventReport => ({
    failures: samples.latest,
    suspects: shownSuspects(suspects, given.redact),
    wrongArguments: samples.wrongArguments(),
  });
  const isAsked = config.http.samples > 0;
  return {
    ...{ samples, suspects, report },
    onFailed: isAsked ? onFailed : undefined,
    onRight: isAsked ? suspects.addRight : undefined,
    onJudged: isAsked ? suspects.addJudgement : undefined,
  };
}
