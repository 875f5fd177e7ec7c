import { byteReader } from '../../src/formats/prediction/reader.ts';
import type { ReaderOptions } from '../../src/formats/prediction/reader-options.ts';
import { rejectCodeOf } from '../../src/state/reject.ts';
import type { EventBatch, LogRecord, Reader } from '../../src/stream/event.ts';

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

/** A record of a text, of bytes, or of no value. */
export function recordOf(value: string | Uint8Array | null, parts: Partial<LogRecord> = {}): LogRecord {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : (value ?? new Uint8Array(0));
  const span = value === null ? { start: -1, end: -1 } : { start: 0, end: bytes.length };
  return { bytes, ...span, key: null, offset: 0, timestamp: recordTime, ...parts };
}

/** Reads one record. */
export function readOne(
  value: string | Uint8Array | null,
  parts: Partial<LogRecord> = {},
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
