import type { ScoreRowFiles } from '../adapters/score-rows/score-rows.ts';
import type { Check } from '../adapters/http/routes.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { SummaryDocument, EventReport } from '../formats/summary/summary-document.ts';
import type { TruthTable } from '../scoring/truth.ts';
import type { Telemetry } from '../telemetry.ts';
import type { LiveView } from './live-view.ts';
import type { Samples } from './samples.ts';

/** The parts of a running service, wired: the same for Kafka and for the demonstration. */
export interface ScoringService {
  readonly pipeline: Pipeline;
  readonly telemetry: Telemetry;
  readonly live: LiveView;
  readonly scoreRows: ScoreRowFiles | undefined;
  readonly samples: Samples;
  /** The report on single events in a summary, with hidden values hidden. */
  report(): EventReport;
  /** Puts a version of the truth in use. The source may run once there is one. */
  useTruth(table: TruthTable): void;
  /** Says why there is no truth yet. */
  truthProblem(message: string): void;
  /** The summary as JSON text: the groups of one set of dimensions (joined by comma) and one window. */
  summary(slice: string, window: string): Promise<string>;
  /** The whole summary. */
  document(): Promise<SummaryDocument>;
  /** The watches of all groups as JSON text. */
  watches(): Promise<string>;
  readiness(): readonly Check[];
}
