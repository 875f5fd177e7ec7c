import { cellNames, type Family, type Scored, type TallyReader, type Traffic } from '../family.ts';
import { type BreakdownEntry, breakdown, count, group, type Metrics, rate } from '../metric.ts';
import type { RowFields } from '../row.ts';
import { tallyCost } from './index.ts';
import type { Judgement, Judging } from './judgement.ts';
import { costBreakdown, judgementMetrics } from './metrics.ts';
import { eachAddend, judgementCells, type JudgementSums, passes, sumsOf } from './sums.ts';

/*
 * Names come with the data, so their numbers are columns of a breakdown. A column holds an integer: a sum takes two, its whole part and the
 * rest in units, whose own sum is exact for 8 million judgements of a name.
 */
const unitsPerOne = 2 ** 30;
const { kinds, at } = judgementCells;
const firstColumn = kinds.map((_, cell) => kinds.slice(0, cell).reduce((sum, kind) => sum + columnsOf(kind), 0));
const columnCount = kinds.reduce((sum, kind) => sum + columnsOf(kind), 0);

function columnsOf(kind: 'count' | 'sum'): number {
  return kind === 'sum' ? 2 : 1;
}

const cells = cellNames({ n: 'count', passed: 'count', judged: 'count' });

interface OwnSums {
  readonly n: number;
  /** Judgements that pass, and those that have a score. */
  readonly passed: number;
  readonly judged: number;
  readonly names: readonly BreakdownEntry[] | undefined;
  readonly costs: readonly BreakdownEntry[] | undefined;
}

const entryOf = { names: 0, costs: 1 } as const;

const noRow: RowFields<Scored<never, Judgement>> = {};

export const ownDeclaration = {
  name: 'judgements',
  question: 'What do judgements under names of one’s own say?',
  source: 'the same method',
  unit: 'judgement',
  cells: cells.kinds,
  row: noRow,
  counters: [],
  sums: (from: TallyReader): OwnSums => ({
    ...cells.read(from),
    // All that the metrics read: what the rules say of all traffic lies behind the columns.
    names: from.entries(entryOf.names)?.map((entry) => ({ ...entry, columns: [...entry.columns, ...trafficOf(from)] })),
    costs: from.entries(entryOf.costs),
  }),
  metrics: {
    n: count({ title: 'Judgements', help: 'Judgements, also without a score.', of: ({ n }: OwnSums) => n }),
    pass: rate({
      title: 'Passed',
      help: 'Judgements that pass, of those with a score, under all names.',
      better: 'higher',
      of: ({ passed, judged }) => [passed, judged],
    }),
    names: breakdown({
      title: 'Judgements',
      help: 'Numbers by the name of the judgement.',
      of: ({ names }: OwnSums) => names,
      depth: 1,
      value: group(sumsOfEntry, judgementMetrics()),
    }),
    cost: breakdown({ ...costBreakdown, of: ({ costs }: OwnSums) => costs, depth: 2 }),
  } satisfies Metrics<OwnSums>,
} as const;

/** Judgements of any other name than `semantic` and `judge`, by name. */
export function ownJudgements(judging: Judging): Family<never, Judgement, OwnSums> {
  return {
    ...ownDeclaration,
    breakdowns: [columnCount, 3],
    prepare: () => undefined,
    score: () => undefined,
    judged: {
      take: (judgement) => (judgement.name === 'semantic' || judgement.name === 'judge' ? undefined : judgement),
    },
    tally(judgement, into) {
      const { name, by } = judgement;
      const isPass = passes(judgement, judging);
      cells.add(into, { n: 1, passed: isPass ?? false, judged: isPass !== undefined });
      const add = (column: number, amount: number): void => {
        if (amount !== 0) into.entry(entryOf.names, name, '', column, amount);
      };
      eachAddend(judgement, judging, (cell, _kind, value) => {
        const column = firstColumn[at[cell]]!;
        const whole = Math.floor(value);
        add(column, whole);
        // Of a count, an integer, nothing is left, and it has no such column.
        add(column + 1, Math.round((value - whole) * unitsPerOne));
      });
      tallyCost(judgement, into, entryOf.costs, name, by);
    },
    perfect: () => true,
    isEmpty: ({ n }) => n === 0,
  };
}

function sumsOfEntry({ columns }: BreakdownEntry): JudgementSums {
  const names = Object.keys(at) as (keyof typeof at)[];
  const cells = Object.fromEntries(
    names.map((name) => {
      const first = firstColumn[at[name]]!;
      const rest = kinds[at[name]] === 'sum' ? columns[first + 1]! / unitsPerOne : 0;
      return [name, columns[first]! + rest];
    }),
  ) as Record<keyof typeof at, number>;
  const [n = 0, right = 0] = columns.slice(columnCount);
  return sumsOf(cells, { traffic: { n, right }, costs: undefined, pairs: undefined, verdicts: undefined });
}

function trafficOf({ traffic }: TallyReader): number[] {
  const { n, right }: Traffic = traffic ?? { n: 0, right: 0 };
  return [n, right];
}
