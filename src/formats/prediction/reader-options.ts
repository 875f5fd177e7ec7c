import type { InputReading, Reading } from '../inputs/found.ts';
import type { LogRecord } from '../../stream/event.ts';
import type { PlaceUses } from '../inputs/place-use.ts';
import type { DecisionReading } from './decision-rules.ts';
import type { RecordLimits } from './sizes.ts';

export interface ReaderOptions {
  /** Dimensions of the finest slice: `model` first, then `agent` and `tags.NAME` as configured. */
  readonly dimensions: readonly string[];
  /** Names of further tags that the text of a pending prediction holds. */
  readonly linkTags?: readonly string[];
  /** Longest time in ms by which an event time may lie after its record's; undefined where the rule does not apply (`replay`). */
  readonly maxFutureMs: number | undefined;
  readonly limits: RecordLimits;
  /** Reads records of other forms; undefined where all are native events. */
  readonly input?: InputReading | undefined;
  /** Reads records that are no text; undefined for a record that it does not read. */
  readonly bytes?: ((record: LogRecord) => Reading | undefined) | undefined;
  /** Use of the places of fields by what `input` and `bytes` read. */
  readonly uses?: PlaceUses;
  /** An event that names no example is an example of its own, for lack of truth to find: its id stands for it. */
  readonly ownExamples?: boolean;
  /** The text of a pending prediction holds what its agent was asked. */
  readonly keepsRequest?: boolean | undefined;
  /** Records are judgements: the events that `input` makes hold one each. */
  readonly judgements?: boolean;
  /** Reads decisions from words; undefined: the preset for answers of providers, none for native events. */
  readonly decisionOf?: DecisionReading | undefined;
}
