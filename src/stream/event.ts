import type { Judgement } from '../scoring/judgement/judgement.ts';
import type { Prediction } from '../scoring/prediction.ts';
import type { InputKind } from '../state/input.ts';
import type { RejectCode } from '../state/reject.ts';

/**
 * One record of a log, borrowed: `bytes[start, end)` is valid until its batch is done. Whoever keeps something copies it.
 * A record without a value has start = end = -1.
 */
export interface LogRecord {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Where its key lies in `bytes`; below 0, or absent, where it has none. */
  readonly keyStart?: number;
  readonly keyEnd?: number;
  readonly offset: number;
  /** The record's own time stamp in ms, NaN where it has none (`replay`). */
  readonly timestamp: number;
  /** Where in `bytes` its headers begin, in the form of Kafka's record batches; undefined where it can have none. */
  readonly headersAt?: number;
  /** Why key and value were not read, where they were not: there is neither then. */
  readonly unread?: Unread;
  /** What the value holds, where it was framed for a schema registry, from when the frame is opened until the record was applied. */
  opened?: Opened | undefined;
}

/** The bytes of its key, borrowed as the record is; null where it has none. */
export function keyOf({ bytes, keyStart = -1, keyEnd = -1 }: LogRecord): Uint8Array | null {
  return keyStart < 0 ? null : bytes.subarray(keyStart, keyEnd);
}

/** What a frame holds, as JSON text; or why that cannot be read. */
export type Opened = string | { readonly code: RejectCode; readonly detail: string };

/** What a record is refused with that was not read. */
export interface Unread {
  readonly code: 'too_large' | 'not_json';
  readonly detail: string;
}

/** A name that events repeat (model, agent, tag value), as a process-local code. Code 0 is the empty text. */
export interface Names {
  /**
   * Grows by one when the reader forgets all codes, which bounds its memory: only between batches. Whoever keeps something by
   * code compares it at the start of each batch and forgets too.
   */
  readonly generation: number;
  /** Text of a code. */
  text(code: number): string;
  /** Identity of a code: 4 words at `words[4 * code]`. */
  readonly words: Uint32Array;
}

/**
 * A batch of events in columns, one row per event, in log order; an array record gives a row per element. The columns belong to
 * the reader and are overwritten by its next batch. A refused record or element is a row with `reject` > 0 whose other columns
 * mean nothing.
 */
export interface EventBatch {
  readonly count: number;
  readonly passedOver: readonly PassedOver[];
  /** Index of the event's record in the batch of records. */
  readonly record: Int32Array;
  /** Index in its array, -1 where the record holds one object (or is refused whole). */
  readonly element: Int32Array;
  /** 0, or `rejectNumber` of the code. */
  readonly reject: Uint8Array;
  /** Event time in ms; NaN where neither the event nor its record has one. */
  readonly ts: Float64Array;
  /** Run index, -1 where there is none. */
  readonly run: Float64Array;
  readonly label: Uint8Array;
  /** Codes into `names`. */
  readonly model: Int32Array;
  readonly agent: Int32Array;
  /** `tags[event * tagCount + tag]`, codes into `names`; an absent tag is the empty text. */
  readonly tags: Int32Array;
  readonly tagCount: number;
  /** 128-bit identity of the example id: 4 words an event (`state/containers/identity.ts`). */
  readonly example: Uint32Array;
  /** The same of the event id; meaningful where `identified` is 1. */
  readonly event: Uint32Array;
  readonly identified: Uint8Array;
  /** 1 where the columns of `content` say something. */
  readonly hashed: Uint8Array;
  /**
   * Hashes of the bytes that `prediction` is read from, 8 words an event: 4 of all but its output, 4 of its output. Equal words, equal prediction but for the
   * ids of its calls, which nobody reads.
   */
  readonly content: Uint32Array;
  readonly names: Names;
  exampleId(event: number): string;
  eventId(event: number): string | undefined;
  /** The value of a tag, whether or not it is among the columns; empty where there is none. */
  tag(event: number, name: string): string;
  prediction(event: number): Prediction;
  /** Whether anybody has looked at the output of its prediction. */
  outputRead(event: number): boolean;
  /** Where the records are judgements. */
  judgement?(event: number): Judgement;
  /** Its label as it was given, short; undefined where it has none. */
  labelText(event: number): string | undefined;
  /** Of an event that has some. */
  malformedCalls(event: number): MalformedCalls;
  /** A field that nobody reads and that may have been meant as one which the event lacks. */
  nearName(event: number): { readonly name: string; readonly meant: string } | undefined;
  /** Human text of a refusal: place, value, remedy. */
  rejectDetail(event: number): string;
  /** The key under `limits` that refused it; undefined where none did. */
  rejectLimit(event: number): string | undefined;
  /** The element of an array record as JSON text, for a dead letter. */
  elementText(event: number): string;
  /**
   * The event as JSON of the fields that are known, with its resolved event time: what a pending prediction keeps. Reading it again
   * (`Reader.readText`) gives the same event.
   */
  pendingText(event: number, tsMs: number): string;
}

/** What a record held besides its events: neither an event nor refused. */
export interface PassedOver {
  /** Index of the record in the batch of records. */
  readonly record: number;
  readonly kind: InputKind;
  readonly number: number;
}

/** The malformed calls of an event, for a person. */
export interface MalformedCalls {
  /** The first of them, short. */
  readonly text: string;
  /** Those whose arguments are text that is no JSON, and the first such text, short. */
  readonly unparsed: number;
  readonly unparsedText: string;
}

/** Turns records into columns, synchronously. Never throws. */
export interface Reader {
  /** Events of records[from, to). */
  read(records: readonly LogRecord[], from: number, to: number): EventBatch;
  /** The one event of a text that `pendingText` made. No limit refuses it: it was accepted. */
  readText(text: string): EventBatch;
}
