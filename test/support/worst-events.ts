import { readerOf, settingsOf } from '../../src/app/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { nestsDeeper } from '../../src/formats/json/json-depth.ts';
import { jsonText } from '../../src/formats/json/json-text.ts';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import { activateTruth, createFold, foldRecords } from '../../src/stream/fold.ts';
import { activeTruth } from '../../src/stream/truth-cache.ts';

/** An event as large as a record may be, with a truth row of its size: a shape that might be dear to score. */
export interface WorstEvent {
  readonly name: string;
  readonly event: JsonObject;
  readonly truth: JsonObject;
}

export const worstFamilies: readonly string[] = [
  'decision',
  'tool_calls',
  'trajectory',
  'schema',
  'arguments',
  'structured',
];

/** The shapes that concern a family, within the default limits (docs/reference/configuration.md). To `decision` all are a matter of reading. */
export function worstEvents(family: string): WorstEvent[] {
  const ofPairs = pairs.map(([name, given, expected]) =>
    family === 'structured'
      ? { name, event: { output: nestsDeeper(given, 50) ? jsonText(given) : given }, truth: { reference: expected } }
      : { name, event: calling([given]), truth: expecting([expected]) },
  );
  const concerns = (...families: string[]) => family === 'decision' || families.includes(family);
  return [
    ...ofPairs,
    ...(concerns('tool_calls', 'trajectory') ? callLists() : []),
    ...(concerns('schema') ? toolLists() : []),
    ...(concerns('arguments', 'structured') ? answers() : []),
  ];
}

/** Scores an event whose truth was not read before, where one family is enabled, and returns the ms of CPU it took. */
export function worstCost(family: string, { event, truth }: WorstEvent): () => number {
  const flags = worstFamilies.map((name) => ({
    path: ['metrics', name, 'enabled'],
    value: name === family,
    place: 'worst events',
  }));
  const { config } = loadConfig({ flags });
  const settings = settingsOf(config, undefined);
  const reader = readerOf(config, true);
  const table = truthFromRecords([
    { example_id: 'e', label: 'tool_call', tools: null, expected_tool_calls: null, reference: null, ...truth } as never,
  ]);
  const bytes = Buffer.from(jsonText({ example_id: 'e', ts: 1.75e12, ...event }));
  const records = [{ bytes, start: 0, end: bytes.length, key: null, offset: 0, timestamp: 1.75e12 }];
  return () => {
    const state = emptyPartition(settings);
    activateTruth(state, table);
    const fold = createFold(state, reader);
    const before = process.cpuUsage();
    foldRecords(fold, records, 0, 1, activeTruth(table, settings.layout.families));
    const { user, system } = process.cpuUsage(before);
    if (state.numbers.scored !== 1) throw new Error(fold.out.rejects[0]?.detail ?? 'not scored');
    return (user + system) / 1000;
  };
}

const size = 1_000_000;

/** What is given and what is expected: an object of arguments, or an answer. */
const pairs: readonly (readonly [name: string, given: JsonObject, expected: JsonObject])[] = [
  ['fields, equal', fields(80_000), fields(80_000)],
  ['fields, other values', fields(80_000), fields(80_000, 1)],
  ['fields, other keys', fields(60_000, 0, 'a'), fields(60_000, 0, 'b')],
  ['fields, keys of digits', fields(80_000, 0, '', 99_000), fields(80_000, 1, '')],
  ['fields, empty', fields(60_000, []), fields(60_000, {})],
  ['fields, keys with dots', fields(60_000, 0, '.'), fields(60_000, 1, '.')],
  ['fields, one of dots alone', { ['.'.repeat(900_000)]: 1 }, { ['.'.repeat(900_000)]: 2 }],
  ['fields, one of brackets alone', { ['[0]'.repeat(300_000)]: 1 }, { ['[0]'.repeat(300_000)]: 2 }],
  ['fields, keys equal once normalised', casedFields(40_000), casedFields(40_000, 1)],
  ['fields, of a thousand objects', groups(0), groups(1)],
  ['array, other numbers', { a: array(490_000, 1) }, { a: array(490_000, 2) }],
  ['array, longer', { a: array(490_000, 1) }, { a: array(1, 1) }],
  ['array, empty arrays', { a: array(300_000, []) }, { a: array(300_000, {}) }],
  ['array, objects', { a: array(120_000, { a: 1 }) }, { a: array(120_000, { a: 2 }) }],
  ['array, texts', { a: array(240_000, 'a') }, { a: array(240_000, 'A') }],
  ['array, keys with dots', { a: array(80_000, { 'a.b': 1 }) }, { a: array(80_000, { 'a.b': 2 }) }],
  ['text, equal', { a: text(size - 200) }, { a: text(size - 200) }],
  ['text, other at the end', { a: `${text(size - 200)}b` }, { a: `${text(size - 200)}c` }],
  ['text, other case', { a: text(size - 200) }, { a: text(size - 200).toUpperCase() }],
  ['text, white space', { a: ' '.repeat(size - 200) }, { a: `${' '.repeat(size - 200)}b` }],
  ['text, unicode', { a: 'İ'.repeat(490_000) }, { a: `${'İ'.repeat(490_000)}b` }],
  ['text, searched for a short one', { a: text(size - 200) }, { a: `${text(127)}b${text(127)}` }],
  ['text, searched for a long one', { a: text(size - 200) }, { a: `${text(499_000)}b` }],
  ['texts, searched for short ones', fields(3_800, text(250)), fields(3_800, `${text(120)}b${text(120)}`)],
  ['deep, objects', { a: deep(120_000, 'object', 1) }, { a: deep(120_000, 'object', 2) }],
  ['deep, arrays', { a: deep(400_000, 'array', 1) }, { a: deep(400_000, 'array', 2) }],
  ['deep, keys with dots', { a: deep(100_000, 'dots', 1) }, { a: deep(100_000, 'dots', 2) }],
];

function callLists(): WorstEvent[] {
  return [
    calls(
      'equal',
      () => fields(330),
      () => fields(330),
    ),
    calls(
      'one field each other',
      (at) => ({ ...fields(330), x: at }),
      (at) => ({ ...fields(330), x: at + 256 }),
    ),
    calls(
      'in another order',
      (at) => ({ x: at, ...fields(330) }),
      (at) => ({ ...fields(330), x: 255 - at }),
    ),
    calls(
      'other keys',
      (at) => fields(250, 0, `a${at}`),
      (at) => fields(250, 0, `b${at}`),
    ),
    calls(
      'long arrays',
      (at) => ({ a: [...array(1_800, 1), at] }),
      (at) => ({ a: [...array(1_800, 1), at + 256] }),
    ),
    calls(
      'long texts',
      (at) => ({ a: text(3_800) + at }),
      (at) => ({ a: text(3_800) + (at + 256) }),
    ),
    calls(
      'deep',
      (at) => ({ a: deep(500, 'object', at) }),
      (at) => ({ a: deep(500, 'object', at + 256) }),
    ),
    {
      name: '256 calls, other names',
      event: { tool_calls: each((at) => ({ name: `a${text(3_800)}${at}`, arguments: {} })) },
      truth: expecting(each(() => fields(330))),
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
      Array.from({ length: 90_000 }, (_, at) => `t${at}`),
    ),
    make('schemas', [...array(20_000, { name: 'g', parameters: { a: 1 } }), parameters({})]),
    make('one schema of many properties', [parameters(fields(40_000, { type: 'a' }))]),
    make('one schema of many types', [parameters({ a: { type: array(240_000, 'a') } })]),
    make('one schema that requires many', [parameters({}, array(240_000, 'a'))]),
  ];
}

function answers(): WorstEvent[] {
  const make = (name: string, output: string): WorstEvent => ({
    name: `output, ${name}`,
    event: { output },
    truth: { ...expecting([{ a: 1 }]), reference: { a: 1 } },
  });
  return [
    make('JSON as text', `{"a":[${array(490_000, 1).join(',')}]}`),
    make('no JSON', `${'['.repeat(490_000)}${']'.repeat(490_000)}x`),
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
  return Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, fields(100, value)]));
}

function array(length: number, value: Json): Json[] {
  return new Array<Json>(length).fill(value);
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
