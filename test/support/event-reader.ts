import assert from 'node:assert/strict';
import { predictionReader } from '../../src/formats/prediction/reader.ts';
import type { ReaderOptions } from '../../src/formats/prediction/reader-options.ts';
import { type Event, isRejected, type LogRecord, type Reader, type Rejected } from '../../src/stream/event.ts';
import { keyedRecord } from './keyed-record.ts';

/** A time of a record, within the years that are accepted. */
export const recordTime: number = Date.UTC(2026, 4, 1);

export const defaultLimits: ReaderOptions['limits'] = {
  recordBytes: 1024 * 1024,
  depth: 64,
  elements: 1000,
  calls: 256,
  values: 10_000,
};

/** The fields of an event. */
export const eventFields: readonly string[] = [
  'example_id',
  'event_id',
  'ts',
  'model',
  'agent',
  'tags',
  'run',
  'label',
  'tool_calls',
  'tools',
  'output',
  'error',
  'success',
];

export function eventReader(options: Partial<ReaderOptions> = {}): Reader {
  return predictionReader({ dimensions: ['model'], maxFutureMs: 300_000, limits: defaultLimits, ...options });
}

/** Parts of a record, and the bytes of its key. */
export type RecordParts = Partial<LogRecord> & { readonly key?: Uint8Array | null };

/** A record of a text, of bytes, or of no value. */
export function recordOf(value: string | Uint8Array | null, { key = null, ...parts }: RecordParts = {}): LogRecord {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
  return { ...keyedRecord(bytes, key), offset: 0, timestamp: recordTime, ...parts };
}

/** Parts of one record, in their order. */
export type Parts = readonly (Event | Rejected)[];

/** Reads one record. */
export function readOne(
  value: string | Uint8Array | null,
  parts: RecordParts = {},
  options: Partial<ReaderOptions> = {},
): Parts {
  return eventReader(options).read(recordOf(value, parts)).events;
}

/** Reads one event given as its fields; `example_id` is "e" unless given. */
export function readFields(
  fields: object,
  parts: Partial<LogRecord> = {},
  options: Partial<ReaderOptions> = {},
): Event {
  return eventOf(readOne(JSON.stringify({ example_id: 'e', ...fields }), parts, options));
}

/** The event as it is read again from the text that is kept while its truth is awaited. */
export function readAgain(event: Event, options: Partial<ReaderOptions> = {}): Event {
  const reader = eventReader(options);
  return reader.readText(reader.textOf(event, event.ts), event.offset, event.element);
}

/** Reject code of each part, "" where it is an event. */
export function codesOf(parts: Parts): string[] {
  return parts.map((part) => (isRejected(part) ? part.code : ''));
}

/** The part at an index, which is an event. */
export function eventOf(parts: Parts, at = 0): Event {
  const part = parts[at]!;
  if (isRejected(part)) assert.fail(`${part.code}: ${part.detail}`);
  return part;
}

/** The part at an index, which is refused. */
export function rejectedOf(parts: Parts, at = 0): Rejected {
  const part = parts[at]!;
  assert.ok(isRejected(part));
  return part;
}
