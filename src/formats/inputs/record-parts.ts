import type { Found, InputReading, Reading } from './found.ts';
import { isObject } from '../../scoring/json.ts';
import type { LogRecord, Skipped } from '../../stream/event.ts';
import type { PlainSpans } from '../../state/plain-spans.ts';
import { pageIn } from './pages.ts';
import { nestsDeeper } from '../json/json-depth.ts';
import { isRunList } from './messages.ts';

/**
 * Reads a parsed record, an array by its elements: a refusal of an element has it as its `origin`. An array of messages is one run.
 * `suspect`: it may nest deeper than `depthMax`.
 */
export function readingOf(
  value: unknown,
  record: LogRecord,
  input: InputReading,
  depthMax: number,
  suspect: boolean,
): Reading {
  const elements: readonly unknown[] | undefined = Array.isArray(value) ? value : pageIn(value);
  if (elements === undefined || isRunOf(elements))
    return suspect && nestsDeeper(value, depthMax) ? tooDeep : input(asRecord(value), record);
  const found: Found[] = [];
  const skipped: Skipped[] = [];
  const plain: PlainSpans[] = [];
  let areSpans = false;
  for (const element of elements) {
    const reading = suspect && nestsDeeper(element, depthMax - 1) ? tooDeep : input(element, record);
    skipped.push(...reading.skipped);
    plain.push(...(reading.plain ?? []));
    areSpans ||= reading.areSpans === true;
    for (const one of reading.found) found.push('event' in one || 'origin' in one ? one : { ...one, origin: element });
  }
  return areSpans ? { found, skipped, plain, areSpans } : { found, skipped };
}

/** Returns whether an array is the messages of one run, and no list of records that each have an id. */
function isRunOf(list: readonly unknown[]): boolean {
  return list.every((each) => isObject(each) && !idKeys.some((key) => key in each)) && isRunList(list);
}

const idKeys = ['example_id', 'metadata', 'choices', 'candidates', 'jsonrpc', 'observations'] as const;

function asRecord(value: unknown): unknown {
  return Array.isArray(value) ? { messages: value } : value;
}

const tooDeep: Reading = { found: [{ code: 'too_deep', detail: '' }], skipped: [] };
