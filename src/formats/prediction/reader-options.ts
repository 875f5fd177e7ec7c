import type { JsonObject } from '../../scoring/json.ts';
import type { LogRecord } from '../../stream/event.ts';
import type { InputReading, Reading } from '../inputs/input.ts';
import type { ScanPlan } from '../inputs/scan-plan.ts';
import type { DecisionReading } from './decision-rules.ts';
import type { TableReading } from './event-table.ts';
import type { RecordLimits } from './sizes.ts';

export interface ReaderOptions {
  /** Names of the tags that the configuration slices by, in column order. */
  readonly tags: readonly string[];
  /** Names of further tags that a pending prediction keeps. */
  readonly linkTags?: readonly string[];
  /** How far an event time may lie after its record's; undefined where the rule does not apply (`replay`). */
  readonly maxFutureMs: number | undefined;
  readonly limits: RecordLimits;
  /** Reads records of other forms; undefined where all are native events. */
  readonly input?: InputReading | undefined;
  /** Of a parsed event with an `example_id`: whether `input` gives it as it stands, as far as its keys tell; undefined where they do not. */
  readonly isNative?: ((event: JsonObject) => boolean) | undefined;
  /** How records of other forms are read by their bytes; undefined where `input` reads all that are not native. */
  readonly plan?: ScanPlan | undefined;
  /** Reads records that are no text; undefined for one that it does not read. */
  readonly bytes?: ((record: LogRecord) => Reading | undefined) | undefined;
  /** Opens values that are tables; undefined where there are none. */
  readonly table?: TableReading | undefined;
  /** The records are judgements: what `input` makes of each holds it. */
  readonly judgements?: boolean;
  /** Reads decisions from words; undefined where nobody asked for it. */
  readonly decisionOf?: DecisionReading | undefined;
}
