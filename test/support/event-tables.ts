import {
  Bool,
  type DataType,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
} from 'apache-arrow';
import type { Random } from '../sim/prng.ts';
import { arrowBytes, type Column, structOf, utf8 } from './arrow-tables.ts';

const dictionary = (): DataType => new Dictionary(utf8, new Int32());
const atMs = 1_777_608_599_123;
const calls = [
  [{ name: 'find', arguments: '{"x":1}', id: 'c1' }],
  [{ name: 'find', arguments: '{"x":1}', id: 'c2' }],
  [
    { name: 'find', arguments: '{"x":2}', id: null },
    { name: 'book', arguments: null, id: 'c3' },
  ],
  [],
  [{ name: null, arguments: 'x', id: 'c4' }],
];
const texts = ['a', 'b', 'Oslo é', '{"a":[1,2]}', '[1', '', ' x ', 'y'.repeat(600), '__other__'];

type Values = readonly unknown[];
type Kind = readonly [values: Values, type: () => DataType];

const text = (values: Values): Kind[] => [
  [values, () => utf8],
  [values, dictionary],
];

/** What the columns of a table of events may hold, and in which types. */
const kinds: Readonly<Record<string, readonly Kind[]>> = {
  example_id: [...text(['e1', 'e2', 'e3', 'e1', 'e2', 'é', '', 'z'.repeat(600)]), [[1n, 2n], () => new Int64()]],
  event_id: [...text(['v1', 'v2', 'v3', 'v4', 'v5', 'v6', '', 'z'.repeat(513)])],
  ts: [
    [[atMs, atMs + 1], () => new Float64()],
    [[atMs, 1.5, Number.NaN], () => new Float64()],
    [[BigInt(atMs), BigInt(atMs) * 1_000_000n, 5n], () => new Int64()],
    [[atMs - (atMs % 1_000), 0], () => new TimestampSecond()],
    [[atMs, 9e15], () => new TimestampMillisecond()],
    [[atMs, atMs + 1], () => new TimestampMicrosecond()],
    [[atMs], () => new TimestampNanosecond()],
    [['2026-05-01T04:09:59.123Z', '1777608599', 'x'], () => utf8],
  ],
  model: text(['m1', 'm2', 'm1', '', '__other__', 'y'.repeat(300)]),
  agent: text(['a1', 'a2', '']),
  run: [
    [[0, 1, 2, 3, -1], () => new Int32()],
    [[0n, 1n, 2n ** 60n], () => new Int64()],
    [[0, 1, -0, 1.5, Number.NaN], () => new Float64()],
    [['1', '2.0', 'x'], () => utf8],
  ],
  label: text(['tool_call', 'direct', 'cannot_answer', 'odd']),
  tool_calls: [
    ...text([...calls.map((list) => JSON.stringify(list)), '{', '{"a":1}']),
    [calls, () => new List(new Field('item', structOf({ name: utf8, arguments: utf8, id: utf8 }), true))],
  ],
  tools: [
    ...text(['["find"]', '[{"name":"find","parameters":{}}]', '[1]']),
    [[['find'], ['book', 'find']], () => new List(new Field('item', utf8, true))],
  ],
  output: text(texts),
  error: text(['failed', '']),
  success: [
    [[true, false], () => new Bool()],
    [['True', 'no'], () => utf8],
  ],
  tags: [
    [
      [
        { team: 'x', n: '1' },
        { team: null, n: '2' },
      ],
      () => structOf({ team: utf8, n: utf8 }),
    ],
  ],
  'tags.team': [...text(['red', 'blue', '']), [[1.5, 2], () => new Float64()]],
  'tags.n': text(['1', '2']),
  latency: [[[0.5], () => new Float64()]],
  toolcalls: text(['x']),
  refused: [[[true, false], () => new Bool()]],
};

/** Bytes of a table of events of so many rows, with columns of any types. */
export function anyTable(random: Random, rows: number): Uint8Array {
  const rare = ['toolcalls', 'refused', 'tags'];
  const names = Object.keys(kinds).filter((name) =>
    random.chance(name === 'example_id' ? 0.97 : rare.includes(name) ? 0.04 : 0.6),
  );
  const columns = names.map((name): [string, Column] => {
    const [values, type] = random.pick(random.chance(0.8) ? kinds[name]!.slice(0, 2) : kinds[name]!);
    const nulls = random.pick([0, 0, 0.2]);
    const cells = Array.from({ length: rows }, () => (random.chance(nulls) ? null : pickedOf(random, values)));
    return [name, [cells, type()]];
  });
  if (columns.length === 0) return anyTable(random, rows);
  return arrowBytes(Object.fromEntries(columns), random.pick(['file', 'stream']));
}

/** Mostly one of the first. */
function pickedOf(random: Random, values: Values): unknown {
  return random.pick(random.chance(0.9) ? values.slice(0, Math.min(4, values.length)) : values);
}
