import { keyOf, type LogRecord } from '../../stream/event.ts';
import type { RejectCode } from '../../state/reject.ts';
import { explainEvent, type RawEvent } from './schema.ts';
import { type RecordLimits, valuesOfSeveral } from './sizes.ts';
import { readJson } from '../json/parsed.ts';
import { shortened } from '../json/shortened.ts';
import { doubleOf, isNumber } from '../../scoring/long-number.ts';
import { earliestMs, inRange, latestMs } from '../../scoring/timestamp.ts';
import { isObject } from '../../scoring/json.ts';
import { envelopeOf } from '../inputs/envelopes.ts';
import { decides } from '../inputs/forms.ts';
import { noDecision } from '../inputs/unread.ts';
import { schemaIdOf } from '../framed/frame.ts';
import { firstUndecodable } from '../bytes/utf8.ts';

/** A refused record or element: the parsed value where it parsed, its source text where it was text. */
export interface Refused {
  readonly code: RejectCode;
  readonly record: LogRecord;
  readonly value: unknown;
  readonly text: string;
}

/** The key under `limits` that a refusal is due to, if it is due to one. */
export function rejectLimit({ code, record }: Refused, limits: RecordLimits): string | undefined {
  if (code !== 'too_large') return limitOfReject[code];
  if (record.unread !== undefined) return 'batch_bytes';
  return record.end - record.start > limits.recordBytes ? 'record_bytes' : 'values';
}

const limitOfReject: Readonly<Partial<Record<RejectCode, string>>> = {
  too_deep: 'depth',
  too_many_elements: 'elements',
  too_many_calls: 'calls',
};

/** Human text of a refusal: place, value, remedy. */
export function rejectDetail(refused: Refused, limits: RecordLimits): string {
  const { code, record, value, text } = refused;
  if (record.unread !== undefined) return record.unread.detail;
  if (isUnopened(refused)) return unopened;
  switch (code) {
    case 'not_utf8':
      return `${undecodable(record)}; send the record as UTF-8`;
    case 'not_json':
      return record.start < 0
        ? 'the record has no value; send one JSON object, or an array of objects'
        : `the record is not JSON: ${parseError(text)}; send one JSON object, or an array of objects`;
    case 'schema':
      return schemaDetail(value);
    case 'too_large':
      if (record.end - record.start <= limits.recordBytes) return tooManyValues(limits.values);
      return `the record has ${record.end - record.start} bytes, more than ${limits.recordBytes}; send less, or raise limits.record_bytes`;
    case 'too_deep':
      return `objects and arrays nest deeper than ${limits.depth}; flatten them, send them as text, or raise limits.depth`;
    case 'too_many_elements':
      return `the array has ${(value as unknown[]).length} elements, more than ${limits.elements}; send several records, or raise limits.elements`;
    case 'too_many_calls':
      return `tool_calls has ${(value as RawEvent).tool_calls?.length} calls, more than ${limits.calls}; raise limits.calls`;
    case 'no_decision':
      return 'no decision was read';
    case 'no_example_id':
      return `example_id is absent, and ${unusableKey(record)}; give example_id, or the id as the record's key`;
    case 'bad_timestamp':
      return badTimestamp((value as RawEvent).ts, record);
    case 'future_timestamp':
      return `ts: ${shortened((value as RawEvent).ts)} is too far after the record's time stamp, ${iso(record.timestamp)}; ${remedyOfStamp(record.timestamp)}`;
  }
}

/** Kafka is older than none of its records: an earlier stamp is 0, or in seconds. */
function remedyOfStamp(stamp: number): string {
  return stamp < Date.UTC(2000, 0)
    ? 'that is 0 or in seconds: give it in milliseconds, or leave it to the client library or the broker (message.timestamp.type: LogAppendTime)'
    : "set the producer's clock, or raise time.max_future";
}

/** Returns whether a record that is no text is an unopened frame of a schema registry. */
function isUnopened({ code, record }: Refused): boolean {
  return (
    (code === 'not_utf8' || code === 'not_json') && record.opened === undefined && schemaIdOf(record) !== undefined
  );
}

const unopened =
  'the record is not JSON but begins as a value that was framed for a schema registry (a byte 0, and the number of a schema); name the registry (kafka.schema_registry.url)';

function tooManyValues(most: number): string {
  return `more than ${most} JSON values (or ${valuesOfSeveral} times as many in several events); send less, or raise limits.values`;
}

function schemaDetail(value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return 'the record is an empty array; send at least one event in it';
  const problem = explainEvent(value)!;
  if (!isObject(value)) return problem;
  const envelope = envelopeOf(value);
  if (envelope === undefined) return problem;
  // That a decision is missing is said with the envelope, and with the options that read its content.
  const missing = decides(value) ? undefined : noDecision(value);
  return `${problem}; ${missing ?? envelope}`;
}

function badTimestamp(ts: unknown, record: LogRecord): string {
  const number = isNumber(ts) ? doubleOf(ts) : Number.NaN;
  const unit = otherUnits.find(({ ms }) => inRange(Math.floor(number * ms)));
  if (unit !== undefined)
    return `ts: ${shortened(ts)} looks like ${unit.name}, and is read as milliseconds; ${unit.remedy}, or set input.fields.ts: /ts, which tells the unit by its size`;
  const remedy = `give ISO 8601 text or epoch milliseconds between ${iso(earliestMs)} and ${iso(latestMs)}`;
  return ts === null || ts === undefined
    ? `ts is absent, and the record's time stamp is ${record.timestamp}; ${remedy}`
    : `ts: ${shortened(ts)} is no time between 2000 and 2100; ${remedy}`;
}

/** Units in which times are counted elsewhere, in ms. */
const otherUnits = [
  { name: 'seconds', ms: 1e3, remedy: 'multiply it by 1000' },
  { name: 'microseconds', ms: 1e-3, remedy: 'divide it by 1000' },
  { name: 'nanoseconds', ms: 1e-6, remedy: 'divide it by 1000000' },
];

function unusableKey(record: LogRecord): string {
  const key = keyOf(record);
  return key === null
    ? 'the record has no key'
    : `the record's key (${key.length} bytes) is no text of 1 to 512 characters`;
}

function undecodable(record: LogRecord): string {
  const at = firstUndecodable(record.bytes, record.start, record.end);
  return `byte ${at - record.start} of the record is not UTF-8 (0x${(record.bytes[at] ?? 0).toString(16).padStart(2, '0')})`;
}

function parseError(text: string): string {
  if (text.startsWith('\ufeff')) return 'it begins with a byte order mark';
  try {
    readJson(text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function iso(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}
