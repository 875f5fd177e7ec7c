import { type InputOptions, inputReading } from '../../src/formats/inputs/input.ts';
import type { LogRecord, ReadRecord } from '../../src/stream/event.ts';
import { eventReader, recordOf } from './event-reader.ts';

/** Reads one record, a value or its text, in a form. */
export function readInput(
  value: unknown,
  options: Partial<InputOptions> = {},
  parts: Partial<LogRecord> = {},
): ReadRecord {
  const input = inputReading({ format: 'auto', response: undefined, request: undefined, fields: {}, ...options });
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return eventReader({ input, maxFutureMs: undefined, ownExamples: options.ownExamples ?? false }).read(
    recordOf(text, parts),
  );
}
