import { assert } from '../../state/containers/assert.ts';
import type { RejectCode } from '../../state/reject.ts';
import type { Event, LogRecord, PassedOver, Reader, ReadRecord, Rejected } from '../../stream/event.ts';
import type { Json } from '../../scoring/json.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';
import { type Reading, streamProblem } from '../inputs/input.ts';
import { readingOf } from '../inputs/record-parts.ts';
import { nestsDeeper } from '../json/json-depth.ts';
import { elementSpans } from '../json/json-elements.ts';
import { jsonText } from '../json/json-text.ts';
import { eventOf } from './event.ts';
import { withoutRecord } from './event-values.ts';
import { nearNames } from './near-names.ts';
import { pendingText } from './pending-text.ts';
import type { ReaderOptions } from './reader-options.ts';
import { rejectDetail, rejectLimit } from './reject-detail.ts';
import { isEvent } from './schema.ts';
import { noLimits, sizeProblem, type Suspicions, suspicionsOf, textHoldsMore } from './sizes.ts';

/**
 * The reader of prediction events (docs/reference/events.md): bytes → JSON.parse, or a decoder → a form of records → events. Never throws.
 * A pending text is not measured again: it was accepted under limits that may have changed since, and may be longer than the event was.
 */
export function predictionReader(options: ReaderOptions): Reader {
  const nearName = nearNames();
  const pending: ReaderOptions = {
    ...options,
    maxFutureMs: undefined,
    limits: noLimits,
    input: undefined,
    bytes: undefined,
  };
  const keptTags = new Set([...tagsOf(options.dimensions), ...(options.linkTags ?? [])]);
  return {
    read: (record) => readRecord({ options, nearName, record }),
    readText(text, offset, element) {
      const given: unknown = JSON.parse(text);
      assert(isEvent(given), 'the text of a pending prediction is no event');
      const event = eventOf(given, { ...withoutRecord, offset }, element, pending, nearName);
      assert(typeof event !== 'string', 'the text of a pending prediction is refused');
      return event;
    },
    textOf: (event, tsMs) => pendingText(event, tsMs, keptTags),
  };
}

/** A record that is being read. */
interface Source {
  readonly options: ReaderOptions;
  readonly nearName: ReturnType<typeof nearNames>;
  readonly record: LogRecord;
}

/** The JSON text of a record, empty where it was none, with the upper bounds of what it holds. */
interface Parsed extends Source {
  readonly text: string;
  readonly suspect: Suspicions;
  /** Text of an element of the record's array. */
  readonly elementText: (element: number, value: unknown) => string;
}

function readRecord(source: Source): ReadRecord {
  const { record, options } = source;
  const { start, end, opened, unread } = record;
  if (unread !== undefined) return refused(source, unread.code);
  if (start < 0) return refused(source, 'not_json');
  if (end - start > options.limits.recordBytes) return refused(source, 'too_large');
  if (typeof opened === 'object') return refused(source, opened.code, '', opened.detail);
  if (opened !== undefined) return readJson(source, opened);
  const message = options.bytes?.(record);
  if (message !== undefined) return readParts(parsedOf(source, '', { deep: true, large: true }), undefined, message);
  const text = decodeUtf8(record.bytes, start, end);
  return text === undefined ? refused(source, 'not_utf8') : readJson(source, text);
}

function readJson(source: Source, text: string): ReadRecord {
  const { record, options } = source;
  const { limits, input } = options;
  const suspect = suspicionsOf(text, limits);
  if (suspect.large && textHoldsMore(text, input !== undefined, limits)) return refused(source, 'too_large', text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const problem = input && streamProblem(text);
    return problem === undefined
      ? refused(source, 'not_json', text)
      : refused(source, 'schema', text, `the record ${problem}`);
  }
  const parsed = parsedOf(source, text, suspect);
  if (Array.isArray(value) && value.length > limits.elements)
    return { events: [refusal(parsed, -1, 'too_many_elements', value)], passedOver: none };
  if (input !== undefined) return readParts(parsed, value, readingOf(value, record, input, limits.depth, suspect.deep));
  if (!Array.isArray(value)) return { events: [readEvent(parsed, -1, value)], passedOver: none };
  const events =
    value.length === 0
      ? [refusal(parsed, -1, 'schema', value)]
      : value.map((each: unknown, element) => readEvent(parsed, element, each));
  return { events, passedOver: none };
}

/** Reads the parts of a record in another form: one for each event in it, or in the elements of its array. */
function readParts(source: Parsed, value: unknown, { found, ignored, spansIgnored }: Reading): ReadRecord {
  const passedOver: PassedOver[] = [];
  if (ignored > 0) passedOver.push({ kind: 'choices_ignored', number: ignored });
  if (spansIgnored) passedOver.push({ kind: 'spans_ignored', number: spansIgnored });
  if (found.length > source.options.limits.elements)
    return { events: [refusal(source, -1, 'too_many_elements', found)], passedOver };
  if (found.length === 0 && spansIgnored === undefined)
    return { events: [refusal(source, -1, 'schema', [])], passedOver };
  const isPart = found.length > 1 || Array.isArray(value);
  // The event of a span was walked when it was made: a document of spans always looks deep.
  const suspect = spansIgnored === undefined ? source.suspect : { deep: false, large: source.suspect.large };
  const events = found.map((one, at) => {
    const element = isPart ? at : -1;
    if ('event' in one) return readEvent({ ...source, suspect }, element, one.event);
    return refusal(source, element, one.code, 'origin' in one ? one.origin : value, one.detail);
  });
  return { events, passedOver };
}

/** Reads one event: a whole record (`element` -1), or an element of an array, which is refused alone. */
function readEvent(source: Parsed, element: number, value: unknown): Event | Rejected {
  const { options, record, suspect, nearName } = source;
  const { limits } = options;
  // An array is depth 1 itself.
  if (suspect.deep && nestsDeeper(value, element < 0 ? limits.depth : limits.depth - 1))
    return refusal(source, element, 'too_deep', value);
  if (!isEvent(value)) return refusal(source, element, 'schema', value);
  const event = sizeProblem(value, suspect.large, limits) ?? eventOf(value, record, element, options, nearName);
  return typeof event === 'string' ? refusal(source, element, event, value) : event;
}

const none: readonly PassedOver[] = [];

/** A record of which nothing was read. */
function refused(source: Source, code: RejectCode, text = '', detail = ''): ReadRecord {
  const parsed = parsedOf(source, text, { deep: false, large: false });
  return { events: [refusal(parsed, -1, code, undefined, detail)], passedOver: none };
}

function refusal(source: Parsed, element: number, code: RejectCode, value: unknown, detail = ''): Rejected {
  const { options, record, text, nearName } = source;
  const of = { code, record, value, text };
  return {
    offset: record.offset,
    element,
    code,
    detail: detail === '' ? rejectDetail(of, options.limits) : detail,
    limit: rejectLimit(of, options.limits),
    text: element < 0 ? undefined : source.elementText(element, value),
    nearName: nearName(value),
  };
}

function parsedOf(source: Source, text: string, suspect: Suspicions): Parsed {
  const { options } = source;
  let spans: number[] | undefined;
  // An array of native events, or of judgements, has one part for each element; other parts are written anew.
  const isOwn = text !== '' && (options.input === undefined || options.judgements === true);
  const elementText = (element: number, value: unknown): string => {
    if (!isOwn) return jsonText(value as Json);
    spans ??= elementSpans(text);
    return text.slice(spans[2 * element], spans[2 * element + 1]);
  };
  return { ...source, text, suspect, elementText };
}

function tagsOf(dimensions: readonly string[]): string[] {
  return dimensions.filter((name) => name.startsWith('tags.')).map((name) => name.slice('tags.'.length));
}
