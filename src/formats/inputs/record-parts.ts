import type { LogRecord } from '../../stream/event.ts';
import { nestsDeeper } from '../json/json-depth.ts';
import type { Found, InputReading, Reading } from './input.ts';

/** Reads a parsed record, an array by its elements: a refusal of an element has it as its `origin`. `suspect`: it may nest deeper than `depthMax`. */
export function readingOf(
  value: unknown,
  record: LogRecord,
  input: InputReading,
  depthMax: number,
  suspect: boolean,
): Reading {
  if (!Array.isArray(value)) return suspect && nestsDeeper(value, depthMax) ? tooDeep : input(value, record);
  const elements: readonly unknown[] = value;
  const found: Found[] = [];
  let ignored = 0;
  let spansIgnored: number | undefined;
  for (const element of elements) {
    const reading = suspect && nestsDeeper(element, depthMax - 1) ? tooDeep : input(element, record);
    ignored += reading.ignored;
    if (reading.spansIgnored !== undefined) spansIgnored = (spansIgnored ?? 0) + reading.spansIgnored;
    for (const one of reading.found) found.push('event' in one || 'origin' in one ? one : { ...one, origin: element });
  }
  return spansIgnored === undefined ? { found, ignored } : { found, ignored, spansIgnored };
}

const tooDeep: Reading = { found: [{ code: 'too_deep', detail: '' }], ignored: 0 };
