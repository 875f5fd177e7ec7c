import { isRejected } from '../../src/stream/event.ts';
import { readerOf } from '../../src/config/settings.ts';
import { nestsDeeper } from '../../src/formats/json/json-depth.ts';
import { jsonText } from '../../src/formats/json/json-text.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import { configWith, recordAt, foldingOf } from './folding.ts';

/** An event with as many bytes or values as it may have, and a truth row of its size: a shape that might be dear to score. */
export interface WorstEvent {
  readonly name: string;
  readonly event: JsonObject;
  readonly truth: JsonObject;
}

/** Runs the work given, and may measure it. */
export type Run = (work: () => void) => void;

export const worstFamilies: readonly string[] = [
  'decision',
  'tool_calls',
  'trajectory',
  'schema',
  'arguments',
  'structured',
];

/** All of them at once. */
export const allFamilies = 'all';

/** The shapes that concern a family, within the default limits (docs/reference/configuration.md). To `decision` all are a matter of reading. */
export function worstEvents(family: string): WorstEvent[] {
  const ofPairs = pairs.map(([name, given, expected]) =>
    family === 'structured'
      ? { name, event: { output: nestsDeeper(given, 50) ? jsonText(given) : given }, truth: { reference: expected } }
      : { name, event: calling([given]), truth: expecting([expected]) },
  );
  const concerns = (...families: string[]) => ['decision', allFamilies, ...families].includes(family);
  return [
    ...ofPairs,
    ...(concerns('tool_calls', 'trajectory') ? callLists() : []),
    ...(concerns('schema') ? toolLists() : []),
    ...(concerns('arguments', 'structured') ? answers() : []),
  ];
}

/** Scores an event whose truth was not read before, where one family or all are enabled; `run` gets the fold alone. */
export function worstScore(family: string, { event, truth }: WorstEvent, run: Run): void {
  const isOn = (name: string): boolean => name === family || family === allFamilies;
  const config = configWith(Object.fromEntries(worstFamilies.map((name) => [`metrics.${name}.enabled`, isOn(name)])));
  const table = truthFromRecords([
    { example_id: 'e', label: 'tool_call', tools: null, expected_tool_calls: null, reference: null, ...truth } as never,
  ]);
  const record = recordAt(jsonText({ example_id: 'e', ts: 1.75e12, ...event }), 0, 1.75e12);
  const { fold, state, apply } = foldingOf(config, table);
  run(() => apply([record]));
  if (state.numbers.scored !== 1) throw new Error(fold.out.rejects[0]?.detail ?? 'not scored');
}

/** Reads a record of which each event is refused, with the details of the refusals; `run` gets the reading alone. Returns the details. */
export function worstRefusal(text: string, run: Run): readonly string[] {
  const reader = readerOf(configWith(), true);
  const record = recordAt(text, 0, 1.75e12);
  let details: string[] = [];
  run(() => {
    const { events } = reader.read(record);
    details = events.map((event) => (isRejected(event) ? event.detail : ''));
  });
  return details;
}

/** Records of a megabyte, of one event or several, whose events are all refused. */
export function worstRefusals(): readonly (readonly [name: string, text: string])[] {
  const inTools = (tools: string): string => `{"example_id":"e","tools":${tools}}`;
  const list = (count: number, item: string): string => `[${array(count, item).join(',')}]`;
  return [
    ['fields', inTools(jsonText(fields(80_000)))],
    ['arrays that are not closed', '['.repeat(size)],
    ['arrays that are not closed, few enough', inTools('['.repeat(most))],
    ['arrays in each other', inTools('['.repeat(size / 2) + ']'.repeat(size / 2))],
    ['a text that is not closed', `"${text(size)}`],
    ['wrong items', inTools(list(most, '1'))],
    ['wrong items in elements', list(100, inTools(list(900, '1')))],
    ['too many elements', list(90_000, '{}')],
    ['a key of dots', inTools(`[{"${'.'.repeat(900_000)}":1}]`)],
  ];
}

const size = 1_000_000;
/** Values of an event and of a truth row, where some lie around what a shape repeats (`limits.values`). */
const most = 9_960;
/** Of each of 256 calls. */
const mostOfCall = Math.floor(most / 256) - 4;

/** What is given and what is expected: an object of arguments, or an answer. */
const pairs: readonly (readonly [name: string, given: JsonObject, expected: JsonObject])[] = [
  ['fields, equal', fields(most), fields(most)],
  ['fields, other values', fields(most), fields(most, 1)],
  ['fields, other keys', fields(most, 0, 'a'), fields(most, 0, 'b')],
  ['fields, keys of digits', fields(most, 0, '', 99_000), fields(most, 1, '')],
  ['fields, empty', fields(most, []), fields(most, {})],
  ['fields, long keys', fields(most, 0, text(80)), fields(most, 0, `${text(79)}b`)],
  ['fields, keys with dots', fields(most / 2, 0, '.'), fields(most / 2, 1, '.')],
  ['fields, one of dots alone', { ['.'.repeat(most)]: 1 }, { ['.'.repeat(most)]: 2 }],
  ['fields, one of brackets alone', { ['[0]'.repeat(most)]: 1 }, { ['[0]'.repeat(most)]: 2 }],
  ['fields, one of many parts', { [parts('a')]: 1 }, { [parts('b')]: 2 }],
  ['fields, keys equal once normalised', casedFields(most / 2), casedFields(most / 2, 1)],
  ['fields, of objects', groups(0), groups(1)],
  ['array, other numbers', { a: array(most, 1) }, { a: array(most, 2) }],
  ['array, longer', { a: array(most, 1) }, { a: array(1, 1) }],
  ['array, empty arrays', { a: array(most, []) }, { a: array(most, {}) }],
  ['array, objects', { a: array(most / 2, { a: 1 }) }, { a: array(most / 2, { a: 2 }) }],
  ['array, texts', { a: array(most, 'a') }, { a: array(most, 'A') }],
  ['array, long texts', { a: array(most, text(90)) }, { a: array(most, text(90).toUpperCase()) }],
  ['array, keys with dots', { a: array(most / 3, { 'a.b': 1 }) }, { a: array(most / 3, { 'a.b': 2 }) }],
  ['text, equal', { a: text(size - 200) }, { a: text(size - 200) }],
  ['text, other at the end', { a: `${text(size - 200)}b` }, { a: `${text(size - 200)}c` }],
  ['text, other case', { a: text(size - 200) }, { a: text(size - 200).toUpperCase() }],
  ['text, white space', { a: ' '.repeat(size - 200) }, { a: `${' '.repeat(size - 200)}b` }],
  ['text, unicode', { a: 'İ'.repeat(490_000) }, { a: `${'İ'.repeat(490_000)}b` }],
  ['text, searched for a short one', { a: text(size - 200) }, { a: `${text(127)}b${text(127)}` }],
  ['text, searched for a long one', { a: text(size - 200) }, { a: `${text(499_000)}b` }],
  ['texts, searched for short ones', fields(3_800, text(250)), fields(3_800, `${text(120)}b${text(120)}`)],
  ['deep, objects', { a: deep(most, 'object', 1) }, { a: deep(most, 'object', 2) }],
  ['deep, arrays', { a: deep(most, 'array', 1) }, { a: deep(most, 'array', 2) }],
  ['deep, keys with dots', { a: deep(most / 2, 'dots', 1) }, { a: deep(most / 2, 'dots', 2) }],
];

function callLists(): WorstEvent[] {
  return [
    calls(
      'equal',
      () => fields(mostOfCall),
      () => fields(mostOfCall),
    ),
    calls(
      'one field each other',
      (at) => ({ ...fields(mostOfCall), x: at }),
      (at) => ({ ...fields(mostOfCall), x: at + 256 }),
    ),
    calls(
      'in another order',
      (at) => ({ x: at, ...fields(mostOfCall) }),
      (at) => ({ ...fields(mostOfCall), x: 255 - at }),
    ),
    calls(
      'other keys',
      (at) => fields(mostOfCall, 0, `a${at}`),
      (at) => fields(mostOfCall, 0, `b${at}`),
    ),
    calls(
      'long arrays',
      (at) => ({ a: [...array(mostOfCall, 1), at] }),
      (at) => ({ a: [...array(mostOfCall, 1), at + 256] }),
    ),
    calls(
      'long texts',
      (at) => ({ a: text(3_800) + at }),
      (at) => ({ a: text(3_800) + (at + 256) }),
    ),
    calls(
      'deep',
      (at) => ({ a: deep(mostOfCall, 'object', at) }),
      (at) => ({ a: deep(mostOfCall, 'object', at + 256) }),
    ),
    {
      name: '256 calls, other names',
      event: { tool_calls: each((at) => ({ name: `a${text(3_800)}${at}`, arguments: {} })) },
      truth: expecting(each(() => fields(mostOfCall))),
    },
  ];
}

function calls(name: string, given: (at: number) => JsonObject, expected: (at: number) => JsonObject): WorstEvent {
  return { name: `256 calls, ${name}`, event: calling(each(given)), truth: expecting(each(expected)) };
}

function each(one: (at: number) => JsonObject): JsonObject[] {
  return Array.from({ length: 256 }, (_, at) => one(at));
}

function toolLists(): WorstEvent[] {
  const make = (name: string, tools: Json[]): WorstEvent => ({
    name: `tools, ${name}`,
    event: { ...calling([{ a: 1 }]), tools },
    truth: expecting([{ a: 2 }]),
  });
  const parameters = (properties: JsonObject, required: Json = []) => ({
    name: 'f',
    parameters: { type: 'object', properties, required },
  });
  return [
    make(
      'names',
      Array.from({ length: most }, (_, at) => text(80) + at),
    ),
    make('schemas', [...array(most / 5, { name: 'g', parameters: { a: 1 } }), parameters({})]),
    make('one schema of many properties', [parameters(fields(most / 2, { type: 'a' }))]),
    make('one schema of many types', [parameters({ a: { type: array(most, 'a') } })]),
    make('one schema that requires many', [parameters({}, array(most, 'a'))]),
  ];
}

function answers(): WorstEvent[] {
  const make = (name: string, output: string): WorstEvent => ({
    name: `output, ${name}`,
    event: { output },
    truth: { ...expecting([{ a: 1 }]), reference: { a: 1 } },
  });
  return [
    make('JSON as text', `{"a":[${array(most, 1).join(',')}]}`),
    make('no JSON', `${'['.repeat(most)}${']'.repeat(most)}x`),
    make('braces', `<tool_call name="f">{${'} '.repeat(490_000)}`),
    make('white space', `<tool_call name="f">{}${' '.repeat(size - 200)}`),
    make('ends of calls', `<tool_call name="f">{}${'</tool_call>}'.repeat(75_000)}`),
    make('names', '<tool_call name="'.repeat(40_000)),
  ];
}

function calling(calls: readonly JsonObject[]): JsonObject {
  // As text, arguments may nest deeper than a record may.
  const sent = calls.map((args) => (nestsDeeper(args, 50) ? jsonText(args) : args));
  return { label: 'tool_call', tool_calls: sent.map((args) => ({ name: 'f', arguments: args })) };
}

function expecting(calls: readonly JsonObject[]): JsonObject {
  return { expected_tool_calls: calls.map((args) => ({ name: 'f', arguments: args })) };
}

function fields(count: number, value: Json = 0, prefix = 'k', from = 0): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${from + at}`, value]));
}

function casedFields(count: number, value: Json = 0): JsonObject {
  return { a: { ...fields(count, value, 'k'), ...fields(count, value, 'K') } };
}

function groups(value: Json): JsonObject {
  return Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`k${at}`, fields(100, value)]));
}

function array(length: number, value: Json): Json[] {
  return new Array<Json>(length).fill(value);
}

/** The parts of one path, no two alike. */
function parts(prefix: string): string {
  return Array.from({ length: most }, (_, at) => prefix.repeat(90) + at).join('.');
}

function text(length: number): string {
  return 'a'.repeat(length);
}

function deep(depth: number, kind: 'object' | 'array' | 'dots', leaf: Json): Json {
  let value = leaf;
  for (let at = 0; at < depth; at++)
    value = kind === 'array' ? [value] : kind === 'dots' ? { 'a.': value } : { a: value };
  return value;
}
