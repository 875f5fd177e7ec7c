import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budgetedRates, metricName } from '../../src/scoring/families.ts';
import { type AnyDeclaration, cellNames, type TallyReader } from '../../src/scoring/family.ts';
import {
  type BreakdownEntry,
  bandOf,
  breakdown,
  byLabel,
  count,
  fieldOfRow,
  group,
  type Metrics,
  matrix,
  mean,
  number,
  numbered,
  rate,
  readMetrics,
} from '../../src/scoring/metric.ts';
import { meanOf, rateWith, z95 } from '../../src/scoring/reading.ts';
import { flag, fraction, integer, json, readRow, struct, structs, text, texts } from '../../src/scoring/row.ts';

const told = { title: 'T', help: 'H' };
const wilson = rateWith(z95);

interface Sums {
  readonly right: number;
  readonly n: number;
  readonly entries: readonly BreakdownEntry[] | undefined;
}

const entry = (key: string, subkey: string, ...columns: readonly number[]): BreakdownEntry => ({
  key,
  subkey,
  columns,
});
const sums: Sums = { right: 3, n: 4, entries: [entry('a', '', 1, 2), entry('__proto__', '', 0, 5)] };

/** A metric of each kind, and what is read of the sums. */
const kinds: readonly (readonly [why: string, metrics: Metrics<Sums>, block: object])[] = [
  ['a rate', { x: rate({ ...told, of: ({ right, n }) => [right, n] }) }, { x: wilson(3, 4) }],
  ['a rate of nothing', { x: rate({ ...told, of: () => [0, 0] }) }, { x: wilson(0, 0) }],
  [
    'a rate of nothing that has a value then',
    { x: rate({ ...told, whenEmpty: ({ n }) => n, of: () => [0, 0] }) },
    { x: { ...wilson(0, 0), value: 4 } },
  ],
  [
    'a rate of something has its own value',
    { x: rate({ ...told, whenEmpty: () => 7, of: () => [0, 4] }) },
    { x: wilson(0, 4) },
  ],
  ['a mean', { x: mean({ ...told, of: ({ right, n }) => [right, n] }) }, { x: meanOf(3, 4) }],
  [
    'a mean of nothing that has a value then',
    { x: mean({ ...told, whenEmpty: () => 0, of: () => [0, 0] }) },
    { x: { value: 0, sum: 0, count: 0 } },
  ],
  [
    'numbers, counts and bands are as they are read',
    {
      x: number({ ...told, of: ({ right }) => right / 2 }),
      none: number({ ...told, of: () => null }),
      n: count({ ...told, of: ({ n }) => n }),
      band: bandOf({ ...told, of: () => 'good' }),
    },
    { x: 1.5, none: null, n: 4, band: 'good' },
  ],
  [
    'a matrix by the names of rows and columns',
    {
      x: matrix({ ...told, rows: ['r', 's'], columns: ['c', 'd'], of: ({ n }, row, column) => 10 * row + column + n }),
    },
    { x: { r: { c: 4, d: 5 }, s: { c: 14, d: 15 } } },
  ],
  [
    'means numbered from 1',
    {
      x: numbered({
        ...told,
        of: ({ n }) => [
          [1, n],
          [3, n],
        ],
      }),
    },
    { x: { 1: meanOf(1, 4), 2: meanOf(3, 4) } },
  ],
  [
    'metrics of a part under a key of their own',
    { x: group((all: Sums) => all.right, { double: count({ ...told, of: (right: number) => 2 * right }) }) },
    { x: { double: 6 } },
  ],
  [
    'metrics of each label',
    {
      x: byLabel(['p', 'q'], (all: Sums, index) => all.n + index, {
        n: count({ ...told, of: (part: number) => part }),
      }),
    },
    { x: { p: { n: 4 }, q: { n: 5 } } },
  ],
  [
    'a breakdown by one name, whatever it is',
    {
      x: breakdown({
        ...told,
        depth: 1,
        of: ({ entries }) => entries,
        value: rate({ ...told, of: ({ columns }) => [columns[0]!, columns[1]!] }),
      }),
    },
    JSON.parse(JSON.stringify({ x: { a: wilson(1, 2), p: wilson(0, 5) } }).replace('"p"', '"__proto__"')),
  ],
  [
    'a breakdown by two names',
    {
      x: breakdown({
        ...told,
        depth: 2,
        of: () => [entry('a', 'x', 1), entry('b', 'x', 2), entry('a', 'y', 3)],
        value: count({ ...told, of: ({ columns }) => columns[0]! }),
      }),
    },
    { x: { a: { x: 1, y: 3 }, b: { x: 2 } } },
  ],
  [
    'a breakdown of which nothing is kept has no key',
    { x: breakdown({ ...told, depth: 1, of: () => undefined, value: count({ ...told, of: () => 1 }) }) },
    {},
  ],
];

test('each kind of metric is read from the sums as its declaration says', () => {
  for (const [why, metrics, block] of kinds) assert.deepEqual(readMetrics(metrics, sums, wilson), block, why);
});

test('each kind of field of a row is read from what was scored', () => {
  const scored = {
    name: 'a',
    parts: [
      { n: 1, hidden: 5 },
      { n: 2, hidden: 6 },
    ],
  };
  const inner = { n: integer((part: { n: number }) => part.n) };
  const fields = {
    flag: flag((of: typeof scored) => of.name === 'a'),
    integer: integer((of: typeof scored) => of.parts.length),
    fraction: fraction(() => 0.5),
    text: text((of: typeof scored) => of.name, ['a', 'b']),
    none: text(() => null),
    texts: texts((of: typeof scored) => [of.name], ['a']),
    json: json(() => [{ x: null }]),
    struct: struct((of: typeof scored) => of.parts[1]!, inner),
    structs: structs((of: typeof scored) => of.parts, inner),
  };
  assert.deepEqual(readRow(fields, scored), {
    flag: true,
    integer: 2,
    fraction: 0.5,
    text: 'a',
    none: null,
    texts: ['a'],
    json: [{ x: null }],
    struct: { n: 2 },
    structs: [{ n: 1 }, { n: 2 }],
  });
  const told = Object.entries(fields).map(([key, field]) => [key, field.kind, 'values' in field ? field.values : '-']);
  assert.deepEqual(told, [
    ['flag', 'flag', '-'],
    ['integer', 'count', '-'],
    ['fraction', 'number', '-'],
    ['text', 'text', ['a', 'b']],
    ['none', 'text', '-'],
    ['texts', 'texts', ['a']],
    ['json', 'json', '-'],
    ['struct', 'struct', '-'],
    ['structs', 'structs', '-'],
  ]);
  assert.equal('values' in texts(() => []), false);
});

test('cells are read by their names, each by its kind', () => {
  const { kinds: ofCells, at, read } = cellNames({ scored: 'count', f1: 'sum', strict: 'count' });
  assert.deepEqual([ofCells, at], [['count', 'sum', 'count'], { scored: 0, f1: 1, strict: 2 }]);
  const reader: TallyReader = { count: (cell) => 10 + cell, sum: (cell) => 20 + cell, entries: () => undefined };
  assert.deepEqual(read(reader), { scored: 10, f1: 21, strict: 12 });
});

/** Two families: `runs` stands before, and comes behind, since its unit is no event. */
const families = [
  {
    name: 'runs',
    unit: 'runs',
    metrics: { x: number({ ...told, headline: 'Runs', history: true, of: () => 1 }) },
  },
  {
    name: 'mine',
    unit: 'event',
    metrics: {
      no_hallway_hall: rate({ ...told, headline: 'Wrong', better: 'lower', budget: 0.1, of: () => [1, 2] }),
      plain: rate({ ...told, of: () => [1, 2] }),
      budgeted: group((all) => all, { inner: mean({ ...told, headline: 'Inner', of: () => [1, 2] }) }),
      labels: byLabel(['p'], (all) => all, { n: count({ ...told, headline: 'no column', of: () => 1 }) }),
    },
  },
] as unknown as readonly AnyDeclaration[];

test('rates with a budget are kinds of hallucination, named as Prometheus names them', () => {
  const budgeted = budgetedRates(families);
  assert.deepEqual(
    budgeted.map(({ family, name, kind, metric }) => [family.name, name, kind, metric.budget]),
    [['mine', 'mine_no_hallway_hall', 'mine_no_hallway', 0.1]],
  );
  const names = ['decision', 'stability', 'mine'].map((family) => metricName(family, ['a', 'b']));
  assert.deepEqual(names, ['a_b', 'a_b', 'mine_a_b']);
});

test('a field of a row is a flag or a fraction; anything else is not counted', () => {
  const row = { yes: true, no: false, part: 0.25, none: 0, text: '1', list: [1], nothing: null };
  const keys = [...Object.keys(row), 'absent'];
  const values = keys.map((key) => fieldOfRow(key)(row));
  assert.deepEqual(values, [1, 0, 0.25, 0, undefined, undefined, undefined, undefined]);
});
