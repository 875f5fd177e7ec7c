import { type Json, jsonEqual } from '../../scoring/json.ts';
import { idText } from '../inputs/fields.ts';
import { jsonText } from '../json/json-text.ts';
import type { Expectation } from './expectation.ts';
import { countLack, type LackCounts, type RecordPlace } from './lacks.ts';
import type { Reading } from './platform.ts';

/** The truth of one example, from one record or several. */
interface Entry {
  parts: Expectation;
  changedMs: number | undefined;
  place: RecordPlace;
}

/** Truth by example. Parts of several records of one example become one row; where two say different things, the newer one counts. */
export interface Gathered {
  add(reading: Reading, place: RecordPlace): void;
  /** The rows as texts of truth records, in the order of their first records, with the record that each was last taken from. */
  rows(): readonly { readonly text: string; readonly place: RecordPlace }[];
  readonly lacks: LackCounts;
}

/** Truth of no example. */
export function gather(): Gathered {
  const entries = new Map<string, Entry>();
  const lacks: LackCounts = new Map();
  return {
    lacks,
    add(reading, place) {
      if ('lack' in reading) return countLack(lacks, reading.lack, place);
      const id = idText(reading.id);
      if (typeof id !== 'string' || id === '') return countLack(lacks, 'no_id', place);
      const entry = entries.get(id);
      if (entry === undefined) entries.set(id, { ...reading, place });
      else addParts(entry, { ...reading, place }, lacks);
    },
    rows: () =>
      [...entries].map(([example_id, { parts, place }]) => ({ text: jsonText(rowOf(example_id, parts)), place })),
  };
}

function addParts(entry: Entry, next: Entry, lacks: LackCounts): void {
  const names = Object.keys(next.parts) as (keyof Expectation)[];
  const shared = names.filter((name) => entry.parts[name] !== undefined);
  const [before, now] = [entry.changedMs, next.changedMs];
  if (shared.some((name) => !jsonEqual(entry.parts[name]!, next.parts[name]!))) {
    const isOlder = before !== undefined && now !== undefined && now < before;
    countLack(lacks, 'outdated', isOlder ? next.place : entry.place);
    if (!isOlder) Object.assign(entry, next);
  } else if (shared.length === names.length) countLack(lacks, 'repeated', next.place);
  else entry.parts = { ...entry.parts, ...next.parts };
}

/** A truth row; where calls are expected and no label is given, the decision is to call. */
function rowOf(example_id: string, parts: Expectation): Json {
  const { expected_tool_calls: calls, label } = parts;
  const isCall = Array.isArray(calls) && calls.length > 0;
  return {
    example_id,
    ...(label === undefined && isCall && { label: 'tool_call' }),
    ...(parts as { [key: string]: Json }),
  };
}
