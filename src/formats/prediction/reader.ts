import type { Reading, StepFound } from '../inputs/found.ts';
import { assert } from '../../state/containers/assert.ts';
import type { RejectCode } from '../../state/reject.ts';
import {
  type Event,
  isRejected,
  type LogRecord,
  type Skipped,
  type Reader,
  type ReadRecord,
  type Rejected,
  type Step,
} from '../../stream/event.ts';
import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { parseJson } from '../../scoring/parse-json.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';
import { decides } from '../inputs/forms.ts';
import { pythonProblem, streamProblem } from '../inputs/input.ts';
import { unmatchedPlaces } from '../inputs/place-use.ts';
import { readingOf } from '../inputs/record-parts.ts';
import { noDecision } from '../inputs/unread.ts';
import { nestsDeeper } from '../json/json-depth.ts';
import { elementSpans } from '../json/json-elements.ts';
import { jsonText } from '../json/json-text.ts';
import { readJson } from '../json/parsed.ts';
import { eventOf, isFuture, timeOf } from './event.ts';
import { nearName } from './near-names.ts';
import { pendingText } from './pending-text.ts';
import type { ReaderOptions } from './reader-options.ts';
import { rejectDetail, rejectLimit } from './reject-detail.ts';
import { isEvent } from './schema.ts';
import { noSteps, noteStep, noticesOf } from './steps-apart.ts';
import { noteTags, tagUse, unseenTags } from './tag-use.ts';
import { noLimits, sizeProblem, type Suspicions, suspicionsOf, textHoldsMore } from './sizes.ts';

/**
 * The reader of prediction events (docs/reference/events.md): bytes → JSON, or a decoder → a form of records → events. Never throws.
 * A pending text is not measured again: it was accepted under limits that may have changed since, and may be longer than the event was.
 */
export function predictionReader(options: ReaderOptions): Reader {
  const pending: ReaderOptions = {
    ...options,
    maxFutureMs: undefined,
    limits: noLimits,
    input: undefined,
    bytes: undefined,
  };
  const ofRuns: ReaderOptions = { ...pending, limits: { ...noLimits, calls: options.limits.calls } };
  const slicedTags = tagsOf(options.dimensions);
  const keptTags = new Set([...slicedTags, ...(options.linkTags ?? [])]);
  const tags = tagUse(slicedTags);
  const steps = noSteps();
  return {
    read(record) {
      const read = readRecord({ options, record, text: '', suspect: neither, spans: undefined, skipped: none });
      for (const event of read.events) {
        if (isRejected(event)) continue;
        if (tags.unseen.size > 0) noteTags(tags, event);
        noteStep(steps, event);
      }
      return read;
    },
    notices: () => [...unmatchedPlaces(options.uses ?? new Map()), ...unseenTags(tags), ...noticesOf(steps)],
    readText(text, offset, element) {
      const given: unknown = parseJson(text);
      assert(isEvent(given), 'the text of a pending prediction is no event');
      const event = eventOf(given, { ...withoutRecord, offset }, element, pending);
      assert(typeof event !== 'string', 'the text of a pending prediction is refused');
      return event;
    },
    readRun({ unrecorded, ...run }, offset, element) {
      const { unreadable, ...given } = run;
      const record = { ...withoutRecord, offset };
      const source: Source = { options: ofRuns, record, text: '', suspect: neither, spans: undefined, skipped: none };
      const nothing = isObject(unreadable)
        ? `a step of the run cannot be read: ${String(unreadable['detail'])}`
        : lacksDecision(unrecorded, given)
          ? nothingRecorded
          : undefined;
      const event =
        nothing === undefined
          ? readEvent(source, element, given)
          : refusal(source, element, 'no_decision', given, nothing);
      return isRejected(event) ? { ...event, text: jsonText(run) } : event;
    },
    textOf: (event, tsMs) => pendingText(event, tsMs, keptTags, options.keepsRequest),
  };
}

/**
 * Returns whether a run holds nothing that decides: no call, no words, no label, no failure; or lacks the calls that one of its answers ended in,
 * and gives no label.
 */
function lacksDecision(
  unrecorded: Json | undefined,
  { tool_calls: calls, output, label, error, refused }: JsonObject,
): boolean {
  if (unrecorded === 'calls') return label === undefined;
  return unrecorded === true && [calls, output, label, error, refused].every((each) => each === undefined);
}

const nothingRecorded =
  'the steps of the run hold no call and no words, or not the calls that an answer ended in; have the instrumentation record messages, in spans or log records (such as OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true)';

/** A record that is being read. Its later fields are filled as far as it is read. */
interface Source {
  readonly options: ReaderOptions;
  readonly record: LogRecord;
  /** Its JSON text; empty where it has none. */
  text: string;
  /** Limits that it may exceed. */
  suspect: Suspicions;
  /** Spans of the elements in the text, once one was refused. */
  spans: number[] | undefined;
  /** Parts that are neither events nor refused. */
  skipped: readonly Skipped[];
}

/** The record of a text that comes from none. */
const withoutRecord: LogRecord = { bytes: new Uint8Array(0), start: 0, end: 0, offset: 0, timestamp: Number.NaN };

const neither: Suspicions = { deep: false, large: false };
const both: Suspicions = { deep: true, large: true };

function readRecord(source: Source): ReadRecord {
  const { record, options } = source;
  const { start, end, opened, unread } = record;
  if (unread !== undefined) return refused(source, unread.code);
  if (start < 0) return refused(source, 'not_json');
  if (end - start > options.limits.recordBytes) return refused(source, 'too_large');
  if (typeof opened === 'object') return refused(source, opened.code, opened.detail);
  if (opened !== undefined) return readJsonText(source, opened);
  const message = options.bytes?.(record);
  if (message !== undefined) {
    source.suspect = both;
    return readParts(source, undefined, message);
  }
  const text = decodeUtf8(record.bytes, start, end);
  return text === undefined ? refused(source, 'not_utf8') : readJsonText(source, text);
}

function readJsonText(source: Source, text: string): ReadRecord {
  const { record, options } = source;
  const { limits, input } = options;
  source.text = text;
  source.suspect = suspicionsOf(text, limits);
  const { deep, large } = source.suspect;
  if (large && textHoldsMore(text, input !== undefined, limits)) return refused(source, 'too_large');
  let value: unknown;
  try {
    value = readJson(text, () => (source.skipped = notStandard), options.judgements ? JSON.parse : parseJson);
  } catch {
    const stream = input && streamProblem(text);
    const problem = stream ?? pythonProblem(text);
    return refused(source, stream === undefined ? 'not_json' : 'schema', problem && `the record ${problem}`);
  }
  if (Array.isArray(value) && value.length > limits.elements) return refused(source, 'too_many_elements', '', value);
  if (input !== undefined) return readParts(source, value, readingOf(value, record, input, limits.depth, deep));
  if (!Array.isArray(value)) return { events: [readEvent(source, -1, value)], skipped: source.skipped };
  if (value.length === 0) return refused(source, 'schema', '', value);
  return { events: value.map((each: unknown, element) => readEvent(source, element, each)), skipped: source.skipped };
}

/** Reads the parts of a record in another form: one for each event in it, or in the elements of its array. */
function readParts(source: Source, value: unknown, reading: Reading): ReadRecord {
  const { found, areSpans } = reading;
  let skipped = source.skipped.length === 0 ? reading.skipped : [...source.skipped, ...reading.skipped];
  // A batch of an exporter has thousands of spans.
  const weight = found.reduce((sum, one) => sum + ('step' in one ? 1 : stepsOfElement), 0);
  if (weight > stepsOfElement * source.options.limits.elements)
    return { events: [refusal(source, -1, 'too_many_elements', found)], skipped };
  if (found.length === 0 && skipped.length === 0 && areSpans === undefined)
    return { events: [refusal(source, -1, 'schema', [])], skipped };
  const isPart = found.length > 1 || Array.isArray(value);
  // The event of a span was walked when it was made: a document of spans always looks deep.
  if (areSpans) source.suspect = { deep: false, large: source.suspect.large };
  const events: (Event | Rejected)[] = [];
  let steps: Step[] | undefined;
  for (const [at, one] of found.entries()) {
    const element = isPart ? at : -1;
    if ('event' in one) events.push(readEvent(source, element, one.event, one.unread));
    else if ('code' in one)
      events.push(refusal(source, element, one.code, 'origin' in one ? one.origin : value, one.detail));
    else {
      const step = readStep(source, element, one.step);
      if (isRejected(step))
        events.push(element >= 0 && 'origin' in one ? { ...step, text: jsonText(one.origin as Json) } : step);
      else (steps ??= []).push(step);
      if (one.unread !== undefined) skipped = [...skipped, { kind: 'unread_calls', number: 1, value: one.unread }];
    }
  }
  return { events, steps, plain: reading.plain, skipped };
}

/** Steps that a record may hold, for each event that it may. */
const stepsOfElement = 10;

/** Checks a step as an event is checked, but for what only its whole run can tell: its example and its decision. */
function readStep(source: Source, element: number, step: StepFound): Step | Rejected {
  const { options, record, suspect } = source;
  const { given, part, run, id, parent, follows, ends } = step;
  if (suspect.deep && nestsDeeper(given, options.limits.depth)) return refusal(source, element, 'too_deep', given);
  if (!isEvent(given)) return refusal(source, element, 'schema', given);
  const problem = sizeProblem(given, suspect.large, options.limits);
  if (problem !== undefined) return refusal(source, element, problem, given);
  const ts = timeOf(step.ts, record.timestamp);
  if (ts === undefined) return refusal(source, element, 'bad_timestamp', given);
  if (isFuture(ts, record.timestamp, options.maxFutureMs)) return refusal(source, element, 'future_timestamp', given);
  const { tools, ...content } = given;
  return {
    ...{ offset: record.offset, element, part, run, id, parent, follows, ts, start: step.start ?? ts, ends },
    content: jsonText(content),
    toolsText: tools == null ? undefined : jsonText(tools as Json),
  };
}

/** Reads one event: a whole record (`element` -1), or an element of an array, which is refused alone. */
function readEvent(source: Source, element: number, value: unknown, unread?: string): Event | Rejected {
  const { options, record, suspect } = source;
  const { limits, judgements } = options;
  // An array is depth 1 itself.
  if (suspect.deep && nestsDeeper(value, element < 0 ? limits.depth : limits.depth - 1))
    return refusal(source, element, 'too_deep', value);
  if (!isEvent(value)) return refusal(source, element, 'schema', value);
  const nothing = judgements === true || decides(value as JsonObject) ? undefined : noDecision(value as JsonObject);
  if (nothing !== undefined) return refusal(source, element, 'no_decision', value, nothing);
  const event = sizeProblem(value, suspect.large, limits) ?? eventOf(value, record, element, options, unread);
  return typeof event === 'string' ? refusal(source, element, event, value) : event;
}

const none: readonly Skipped[] = [];
const notStandard: readonly Skipped[] = [{ kind: 'not_standard_json', number: 1 }];

/** A record that is refused as a whole. */
function refused(source: Source, code: RejectCode, detail = '', value: unknown = undefined): ReadRecord {
  return { events: [refusal(source, -1, code, value, detail)], skipped: source.skipped };
}

function refusal(source: Source, element: number, code: RejectCode, value: unknown, detail = ''): Rejected {
  const { options, record, text } = source;
  const of = { code, record, value, text };
  return {
    offset: record.offset,
    element,
    code,
    detail: detail === '' ? rejectDetail(of, options.limits) : detail,
    limit: rejectLimit(of, options.limits),
    text: element < 0 ? undefined : elementText(source, element, value),
    nearName: nearName(value),
  };
}

/** Text of an element: as it was sent where the elements are native events or judgements; other parts are written anew. */
function elementText(source: Source, element: number, value: unknown): string {
  const { options, text } = source;
  const isOwn = text !== '' && (options.input === undefined || options.judgements === true);
  if (!isOwn) return jsonText(value as Json);
  source.spans ??= elementSpans(text);
  return text.slice(source.spans[2 * element], source.spans[2 * element + 1]);
}

function tagsOf(dimensions: readonly string[]): string[] {
  return dimensions.filter((name) => name.startsWith('tags.')).map((name) => name.slice('tags.'.length));
}
