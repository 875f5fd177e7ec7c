import { byteReader } from '../../src/formats/prediction/reader.ts';
import type { ReaderOptions } from '../../src/formats/prediction/reader-options.ts';
import { rejectCodeOf } from '../../src/state/reject.ts';
import type { EventBatch, LogRecord, Reader } from '../../src/stream/event.ts';
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
  return byteReader({ tags: [], maxFutureMs: 300_000, limits: defaultLimits, ...options });
}

/** Parts of a record, and the bytes of its key. */
export type RecordParts = Partial<LogRecord> & { readonly key?: Uint8Array | null };

/** A record of a text, of bytes, or of no value. */
export function recordOf(value: string | Uint8Array | null, { key = null, ...parts }: RecordParts = {}): LogRecord {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
  return { ...keyedRecord(bytes, key), offset: 0, timestamp: recordTime, ...parts };
}

/** Reads one record. */
export function readOne(
  value: string | Uint8Array | null,
  parts: RecordParts = {},
  options: Partial<ReaderOptions> = {},
): EventBatch {
  return eventReader(options).read([recordOf(value, parts)], 0, 1);
}

/** Reads one event given as its fields; `example_id` is "e" unless given. */
export function readFields(
  fields: object,
  parts: Partial<LogRecord> = {},
  options: Partial<ReaderOptions> = {},
): EventBatch {
  return readOne(JSON.stringify({ example_id: 'e', ...fields }), parts, options);
}

/** Reject code of each row, "" where it is accepted. */
export function codesOf(batch: EventBatch): string[] {
  return Array.from(batch.reject.subarray(0, batch.count), (number) => (number === 0 ? '' : rejectCodeOf(number)));
}
