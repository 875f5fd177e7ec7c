import { isObject, type JsonObject } from '../scoring/json.ts';
import { longText } from '../scoring/long-number.ts';
import type { Judgement } from '../scoring/judgement/judgement.ts';
import type { Prediction } from '../scoring/prediction.ts';
import type { InputKind, WordsKind } from '../state/input.ts';
import type { PlainSpans } from '../state/plain-spans.ts';
import type { RejectCode } from '../state/reject.ts';

/**
 * One record of a log, borrowed: `bytes[start, end)` is valid until its batch is done, so bytes that are kept are copied.
 * A record without a value has start = end = -1.
 */
export interface LogRecord {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Span of the key in `bytes`; below 0, or absent, where there is no key. */
  readonly keyStart?: number;
  readonly keyEnd?: number;
  readonly offset: number;
  /** The record's own time stamp in ms; NaN where it can have none (`replay`), -1 where its producer gave none (Kafka). */
  readonly timestamp: number;
  /** Start of the headers in `bytes`, in the form of Kafka's record batches; undefined where it can have none. */
  readonly headersAt?: number;
  /** Reason why key and value were not read; there is neither then. */
  readonly unread?: Unread;
  /** Time in ms that passed without a record, where the record says only that (the log inside): event time moves on by it. */
  readonly quietMs?: number;
  /** Content of a value that was framed for a schema registry, from when the frame is opened until the record was applied. */
  opened?: Opened | undefined;
}

/** The bytes of a record's key, borrowed as the record is; null where it has none. */
export function keyOf({ bytes, keyStart = -1, keyEnd = -1 }: LogRecord): Uint8Array | null {
  return keyStart < 0 ? null : bytes.subarray(keyStart, keyEnd);
}

/** Content of a frame as JSON text, or the reason why it cannot be read. */
export type Opened = string | { readonly code: RejectCode; readonly detail: string };

/** Refusal of a record that was not read. */
export interface Unread {
  readonly code: 'too_large' | 'not_json';
  readonly detail: string;
}

/** One prediction, or one judgement on one, as it was read: a plain value. */
export interface Event {
  readonly offset: number;
  /** Index in the array of its record, -1 where the record is one object. */
  readonly element: number;
  readonly exampleId: string;
  /** Identity for de-duplication. */
  readonly eventId: string | undefined;
  /** Event time in ms; NaN where neither the event nor its record has one. */
  readonly ts: number;
  /** Index of the run of its example. */
  readonly run: number | undefined;
  readonly model: string;
  readonly agent: string;
  /** Values of the finest slice: `model` first, then the other configured dimensions; an absent tag is the empty text. */
  readonly dimensions: readonly [model: string, ...others: string[]];
  readonly prediction: Prediction;
  /** The judgement, where records are judgements. */
  readonly judgement: Judgement | undefined;
  /** Oddities, undefined for nearly every event. */
  readonly oddities: Oddities | undefined;
  /** The event in native form: the source of tags, and of the text that a pending prediction keeps. */
  readonly given: JsonObject;
}

/** Details for the report of the input, each with a short example. */
export interface Oddities {
  readonly malformed?: MalformedCalls | undefined;
  /** The id that stands for the example, which the event does not name. */
  readonly own?: string | undefined;
  /** A label that is no label, shortened. */
  readonly label?: string | undefined;
  readonly nearName?: NearName | undefined;
  /** The place of a call in its record that nothing read. */
  readonly unreadCall?: string | undefined;
  /** Its text holds a call that the server did not parse, shortened. */
  readonly callInText?: string | undefined;
  /** Tags that are no object, shortened, where a slice names one. */
  readonly tags?: string | undefined;
  /** Kind of the rule of `decision.rules` that read the label from words, and the words, shortened. */
  readonly words?: { readonly rule: WordsKind; readonly text: string | undefined } | undefined;
  /** Texts of arguments with NaN or Infinity outside strings. */
  readonly notStandard?: number;
}

/** A field that is not read, and the absent field which it may have been meant as. */
export interface NearName {
  readonly name: string;
  readonly meant: string;
}

/** The malformed calls of an event, for a person. */
export interface MalformedCalls {
  readonly count: number;
  /** The first of them, shortened. */
  readonly text: string;
  /** Calls whose arguments are text that is no JSON, and the first such text, shortened. */
  readonly unparsed: number;
  readonly unparsedText: string;
}

/**
 * A part of a run that lies in several records, as it was read: a plain value. What a run is made of: the answers of its model, the results of
 * its tools, and the context around both, such as the root of a trace.
 */
export interface Step {
  readonly offset: number;
  readonly element: number;
  readonly part: 'model' | 'tool' | 'context';
  /** Key of its run: a trace id, an example, the value at a configured place. */
  readonly run: string;
  /** Its own id within its run, for de-duplication, and the name that `parent` or `follows` of others gives; undefined where it has none. */
  readonly id: string | undefined;
  /** Id of the span around it. */
  readonly parent: string | undefined;
  /** Id of the answer that it follows. */
  readonly follows?: string | undefined;
  /** Its end in ms, NaN where neither it nor its record has a time; its start, which orders it. */
  readonly ts: number;
  readonly start: number;
  /** It ends its run: the root of a trace, an answer without a call. */
  readonly ends: boolean;
  /** Its content (`StepContent`) as JSON, and its list of tools, which the steps of a run repeat. */
  readonly content: string;
  readonly toolsText: string | undefined;
}

/**
 * Content of a step: the fields of a native event that it gives, of itself alone. `model`: its calls as `{id?, name?, arguments?}`, its words. `tool`: what
 * came back (`returned`). Any: `example_id`, `run`, `label`, `success`, `agent`, `tags` where they lie on it. `shared` holds the same fields where
 * only the surroundings of the whole run give them (the resource of a span): they count last. `unreadable`: `{detail, record?}` of an answer that
 * cannot be read, which has its run refused.
 */
export interface StepContent extends JsonObject {
  readonly returned?: readonly JsonObject[];
  readonly shared?: JsonObject;
}

/** A record, or an element of an array record, that is no event. */
export interface Rejected {
  readonly offset: number;
  /** -1: the whole record. */
  readonly element: number;
  readonly code: RejectCode;
  /** Place, value and remedy. */
  readonly detail: string;
  /** The key under `limits` that refused it; undefined where none did. */
  readonly limit: string | undefined;
  /** The element as JSON text; undefined for a whole record, whose bytes are at hand. */
  readonly text: string | undefined;
  readonly nearName: NearName | undefined;
}

/** Parts of a record that are neither events nor refused, for the report of the input. */
export interface Skipped {
  readonly kind: InputKind;
  readonly number: number;
  /** Shown for the first of its kind. */
  readonly value?: string;
}

/** Everything in one record, in its order. */
export interface ReadRecord {
  readonly events: readonly (Event | Rejected)[];
  /** Undefined where it has none, as nearly always. They count as lying behind its events. */
  readonly steps?: readonly Step[] | undefined;
  /** Spans that are no steps, by their trace. */
  readonly plain?: readonly PlainSpans[] | undefined;
  readonly skipped: readonly Skipped[];
}

/** Reads records, synchronously. Never throws. */
export interface Reader {
  read(record: LogRecord): ReadRecord;
  /** The event of a text that `textOf` made. No limit refuses it: it was accepted before. */
  readText(text: string, offset: number, element: number): Event;
  /** The event of a run, in native form, that was made of steps. */
  readRun(run: JsonObject, offset: number, element: number): Event | Rejected;
  /** The event as JSON of the known fields, with its resolved event time in ms: the text that a pending prediction keeps. */
  textOf(event: Event, tsMs: number): string;
  /** Texts for a person on what no record had so far: places of the configuration, tags of slices. */
  notices?(): readonly string[];
}

/** Returns whether a part of a record is refused. */
export function isRejected(part: Event | Rejected | Step): part is Rejected {
  return 'code' in part;
}

/** Seconds that the run of an event took; undefined where it does not say. */
export function runSecondsOf({ given }: Pick<Event, 'given'>): number | undefined {
  const { run_seconds: seconds } = given;
  return typeof seconds === 'number' && seconds >= 0 ? seconds : undefined;
}

/** The value of a tag as text; empty where there is none. Texts, numbers and booleans are values. */
export function tagOf({ given }: Pick<Event, 'given'>, name: string): string {
  const { tags } = given;
  if (!isObject(tags) || !Object.hasOwn(tags, name)) return '';
  const value = tags[name];
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return longText(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
