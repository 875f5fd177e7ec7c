import { sliceId } from '../formats/summary/live-group.ts';
import { sliceOf } from '../formats/summary/watch-document.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import { chunkOf, findRow, valuesAt } from '../state/containers/table.ts';
import { forSlices, panesBetween, type SliceCells } from '../state/panes.ts';
import type { PartitionState } from '../state/partition.ts';
import { addRow, type Layout, scoredSlot } from '../state/row-layout.ts';
import { sliceValues } from '../state/slices.ts';
import { paneOf, type Tier, type WindowPlan } from '../state/windows.ts';
import { valuesIn } from '../view/fold-groups.ts';

/** The page reads half a minute at each point: with panes that are wider, most points would have no value. */
const paneMsMax = 30_000;

/** Times of points before the first that was counted, and the panes of event time that they are made of. */
export interface Past {
  /** Wall clock of each point, ms, ascending. */
  readonly at: readonly number[];
  /** Gives the cells of each slice of a partition by index of the point. */
  readonly forCells: (
    state: Pick<PartitionState, 'panes'>,
    each: (point: number, ...cells: Parameters<SliceCells>) => void,
  ) => void;
}

export interface PastSpan {
  /** Wall clock of the last point, ms. */
  readonly atMs: number;
  readonly everyMs: number;
  readonly pointsMax: number;
}

/**
 * The time before a point as far as panes hold it: by event time, from the first pane that holds anything. Undefined where no pane does, or panes are wider
 * than half a minute.
 */
export function pastOf(states: readonly PartitionState[], { atMs, everyMs, pointsMax }: PastSpan): Past | undefined {
  const spanMs = (pointsMax - 1) * everyMs;
  const tier = states[0] === undefined ? undefined : finestTier(states[0].panes.plan, spanMs);
  if (states[0] === undefined || tier === undefined) return undefined;
  const of = states[0].panes.plan.tiers[tier]!;
  const last = paneOf(of, atMs);
  const held = ({ panes }: Pick<PartitionState, 'panes'>): number[] =>
    panesBetween(panes, tier, paneOf(of, atMs - spanMs), last);
  const first = states.flatMap(held).reduce((least, pane) => Math.min(least, pane), Number.POSITIVE_INFINITY);
  if (!Number.isFinite(first)) return undefined;
  // Points from that of a pane to the last one.
  const after = (pane: number): number => Math.max(0, Math.floor((atMs - (pane + 1) * of.paneMs) / everyMs));
  const length = after(first) + 1;
  return {
    at: Array.from({ length }, (_, point) => atMs - (length - 1 - point) * everyMs),
    forCells(state, each) {
      for (const pane of held(state))
        forSlices(state.panes, tier, pane, (...cells) => each(length - 1 - after(pane), ...cells));
    },
  };
}

/** Index of the finest tier that reaches back over a span; without one that of the tier that reaches furthest. */
function finestTier({ tiers }: WindowPlan, spanMs: number): number | undefined {
  const reach = ({ paneMs, panes }: Tier): number => Math.min(spanMs, paneMs * panes);
  const [tier] = tiers
    .filter(({ paneMs }) => paneMs <= paneMsMax)
    .sort((a, b) => reach(b) - reach(a) || a.paneMs - b.paneMs);
  return tier && tiers.indexOf(tier);
}

/** Rows of some groups of sets of dimensions at each point of the past, by id of the group; none where it has nothing. */
export function pastRows(
  past: Past,
  states: readonly PartitionState[],
  sets: readonly (readonly string[])[],
  isShown: (id: string) => boolean,
  layout: Layout,
): readonly ReadonlyMap<string, Float64Array>[] {
  const rows = past.at.map(() => new Map<string, Float64Array>());
  for (const state of states) {
    const known = new Map<number, readonly string[]>();
    const idsOf = (slice: number): readonly string[] =>
      sets.flatMap((dimensions) => {
        const values = valuesIn(dimensions, state.settings.dimensions, sliceValues(state.slices, slice));
        const id = values && sliceId(sliceOf({ dimensions, values }));
        return id !== undefined && isShown(id) ? [id] : [];
      });
    past.forCells(state, (point, slice, chunk, at) => {
      for (const id of getOrPut(known, slice, () => idsOf(slice)))
        addRow(
          layout,
          getOrPut(rows[point]!, id, () => new Float64Array(layout.width)),
          0,
          chunk,
          at,
        );
    });
  }
  return rows;
}

/**
 * Counts that grow with each event of a value of a dimension, when it is accepted and when it is scored: since the beginning, and at each point of the past.
 * Without values that are absent.
 */
export function countsBy(states: readonly PartitionState[], dimension: string, past?: Past): CountsBy {
  const total = new Map<string, number>();
  const points = (past?.at ?? []).map(() => new Map<string, number>());
  for (const state of states) {
    const { slices, panes, settings } = state;
    const { accepted } = settings.layout;
    const place = settings.dimensions.indexOf(dimension);
    const values = slices.dictionary.list.map((_, slice) => sliceValues(slices, slice)[place] ?? '');
    const add = (to: Map<string, number>, slice: number, chunk: Float64Array, at: number): void => {
      const value = values[slice]!;
      const count = chunk[at + scoredSlot]! + (accepted === undefined ? 0 : chunk[at + accepted]!);
      if (value !== '' && count > 0) to.set(value, (to.get(value) ?? 0) + count);
    };
    values.forEach((_, slice) => {
      const row = findRow(panes.table, slice, 0, 0, 0);
      if (row >= 0) add(total, slice, chunkOf(panes.table, row), valuesAt(panes.table, row));
    });
    past?.forCells(state, (point, ...cells) => add(points[point]!, ...cells));
  }
  return { total, points };
}

export interface CountsBy {
  readonly total: ReadonlyMap<string, number>;
  readonly points: readonly ReadonlyMap<string, number>[];
}
