import type { LogRecord } from '../../src/stream/event.ts';

/** A value and a key as a record has them: with a key both lie in new bytes. */
export function keyedRecord(
  value: Uint8Array | null,
  key: Uint8Array | null,
): Pick<LogRecord, 'bytes' | 'start' | 'end' | 'keyStart' | 'keyEnd'> {
  const bytes = key === null ? (value ?? new Uint8Array(0)) : Buffer.concat(value === null ? [key] : [value, key]);
  const end = value?.length ?? 0;
  const valueSpan = value === null ? { start: -1, end: -1 } : { start: 0, end };
  return { bytes, ...valueSpan, ...(key && { keyStart: end, keyEnd: bytes.length }) };
}
