import type { LogRecord } from '../../stream/event.ts';
import { nestsDeeper } from '../json/json-depth.ts';
import type { Found, InputReading, Reading } from './input.ts';

/** What a whole record holds: each event or refusal, with the value that it was found in. */
export interface RecordParts {
  readonly isList: boolean;
  readonly found: readonly Found[];
  readonly origins: readonly unknown[];
  readonly choicesIgnored: number;
  /** undefined where the record holds no spans. */
  readonly spansIgnored: number | undefined;
}

/** Reads a parsed record, an array by its elements. `suspect`: it may nest deeper than `depthMax`. */
export function partsOf(
  value: unknown,
  record: LogRecord,
  input: InputReading,
  depthMax: number,
  suspect: boolean,
): RecordParts {
  const isList = Array.isArray(value);
  const elements: readonly unknown[] = isList ? value : [value];
  const depth = isList ? depthMax - 1 : depthMax;
  const readings = elements.map((origin) => (suspect && nestsDeeper(origin, depth) ? tooDeep : input(origin, record)));
  return together(readings, elements, isList);
}

/** What was read of a record that is no JSON. */
export function onePart(reading: Reading): RecordParts {
  return together([reading], [undefined], false);
}

const tooDeep: Reading = { found: [{ code: 'too_deep', detail: '' }], ignored: 0 };

function together(readings: readonly Reading[], origins: readonly unknown[], isList: boolean): RecordParts {
  const parts = { isList, found: [] as Found[], origins: [] as unknown[], choicesIgnored: 0 };
  let spansIgnored: number | undefined;
  for (const [at, reading] of readings.entries()) {
    parts.choicesIgnored += reading.ignored;
    if (reading.spansIgnored !== undefined) spansIgnored = (spansIgnored ?? 0) + reading.spansIgnored;
    for (const one of reading.found) {
      parts.found.push(one);
      parts.origins.push('event' in one ? undefined : (one.origin ?? origins[at]));
    }
  }
  return { ...parts, spansIgnored };
}
