import type { JsonObject } from '../../scoring/json.ts';
import type { LogRecord, Skipped, Step, StepContent } from '../../stream/event.ts';
import type { PlainSpans } from '../../state/plain-spans.ts';
import type { RejectCode } from '../../state/reject.ts';

/** An event in the native form, a step of a run (`origin`: its part of the record), or why there is none. `unread`: the place of a call in its record that nothing read. */
export type Found =
  | { readonly event: unknown; readonly unread?: string | undefined; readonly beside?: Beside }
  | { readonly step: StepFound; readonly unread?: string | undefined; readonly origin?: unknown }
  | Refused;

/** Surroundings of an answer that matter where it is a step of a run. */
export interface Beside {
  /** Why no decision can be read of it. */
  readonly problem: string | undefined;
  /** The event is a whole run itself. */
  readonly isWholeRun: boolean;
  /** Its words follow its last call. */
  readonly closes: boolean | undefined;
  /** Id of the answer that this one follows. */
  readonly follows: string | undefined;
  /** Results of tools that its request repeats. */
  readonly returned: readonly JsonObject[];
}

/** A step before its time and its size were checked; `ts` and `start` are undefined where it has none, and the record's counts. */
export interface StepFound extends Pick<Step, 'part' | 'run' | 'id' | 'parent' | 'follows' | 'ends'> {
  readonly ts: string | number | bigint | undefined;
  readonly start: number | undefined;
  readonly given: StepContent;
}

/** `origin`: the part of the record that is refused, where it is not the whole. */
export interface Refused {
  readonly code: RejectCode;
  readonly detail: string;
  readonly origin?: unknown;
}

/** The content of a record, or of an element of an array, and what of it was no event. */
export interface Reading {
  readonly found: readonly Found[];
  readonly skipped: readonly Skipped[];
  /** Spans that are no steps, by their trace. */
  readonly plain?: readonly PlainSpans[] | undefined;
  /** The record holds spans: it may have no event at all, and its events were walked when they were made. */
  readonly areSpans?: true;
}

/** Reads a parsed record in another form into native events. Never throws. */
export type InputReading = (value: unknown, record: LogRecord) => Reading;
