import type { RateOf } from '../scoring/reading.ts';
import { rowsOfZeros } from '../state/containers/shared-arrays.ts';
import { coverageOf, type Fates } from '../state/fates.ts';
import { type InputCounts, inputKinds, noInputCounts } from '../state/input.ts';
import type { PartitionState } from '../state/partition.ts';
import { rejectCodes } from '../state/reject.ts';
import { scoredSlot } from '../state/row-layout.ts';
import type { Settings } from '../state/settings.ts';
import { alwaysRate } from './always-rate.ts';
import { foldedGroups, type GroupParts, groupsOf, mostScored, presentGroups, rowOf } from './fold-groups.ts';
import { type MergedSlices, mergeSlices } from './merge-slices.ts';
import { blockNames, readBlocks } from './read-blocks.ts';
import { type SinceOf, sinceReader } from './since.ts';
import type { Blocks, ChooseGroups, Group, RecordCounts, View } from './summary.ts';

export interface ViewOptions {
  /** Configured sets of dimensions, without the total. */
  readonly sets: readonly (readonly string[])[];
  readonly rate: RateOf;
  /** Read the windows too, or `all` only. */
  readonly withWindows: boolean;
  /** Read the families' breakdowns too; those of stability are always read. */
  readonly withBreakdowns: boolean;
  /** Groups shown of each set, the rest summed as `__other__`; undefined shows all. */
  readonly groupsMax: number | undefined;
  /** Chooses those shown instead: the same ones in every window. */
  readonly choose?: ChooseGroups | undefined;
  /** The watches of the same states at the same time. */
  readonly watches?: View['watches'];
}

/**
 * Reads the merge of partitions at time T: `view = read(merge over partitions and panes)`. T is a parameter of the view, never of
 * the state. All states must share the settings.
 */
export function viewOf(
  states: readonly PartitionState[],
  settings: Settings,
  asOfMs: number | undefined,
  options: ViewOptions,
): View {
  const { withWindows, withBreakdowns, watches = [] } = options;
  const cells = mergeSlices(states, settings, withWindows ? asOfMs : undefined, withBreakdowns);
  const records = countRecords(states);
  const coverage = alwaysRate(options.rate)(...coverageOf(fatesOf(records)));
  const since = sinceReader(states, settings, asOfMs);
  const shown = readGroups({ cells, settings, since, watches }, options);
  return { asOfMs, records, coverage, input: countInput(states), ...shown, watches };
}

interface GroupSource extends Pick<View, 'watches'> {
  readonly cells: MergedSlices;
  readonly settings: Settings;
  readonly since: SinceOf;
}

function readGroups(source: GroupSource, options: ViewOptions): Pick<View, 'groups' | 'folded'> {
  const { cells, settings, watches } = source;
  const { layout, windows } = settings;
  const { groupsMax } = options;
  const names = ['all', ...(options.withWindows ? windows.windows.map(({ name }) => name) : [])];
  const read = groupReader(source, names, options);
  const [total, ...bySet] = [[], ...options.sets].map((set) => groupsOf(cells.slices, settings, set));
  const totals = names.map((_, window) => read(presentGroups(total!, layout, window)[0]!, window));
  const inAll = bySet.map((groups) => presentGroups(groups, layout, 0));
  const chosen = options.choose?.({ totals, watches, sets: inAll.flat() });
  const groups: Group[] = [];
  let folded = false;
  for (const window of names.keys()) {
    groups.push(totals[window]!);
    for (const [set, inSet] of bySet.entries()) {
      const all = window === 0 ? inAll[set]! : presentGroups(inSet, layout, window);
      const shown = foldedGroups(all, chosen ? all.filter(({ key }) => chosen.has(key)) : mostScored(all, groupsMax));
      folded ||= shown !== all;
      for (const group of shown) groups.push(read(group, window));
    }
  }
  return { groups, folded };
}

/** Reads the groups of windows, by their places among the names. */
function groupReader(
  { cells, settings, since }: GroupSource,
  names: readonly string[],
  options: ViewOptions,
): (parts: GroupParts, window: number) => Group {
  const newRow = rowsOfZeros(settings.layout.width);
  const [inAll, inWindows] = [true, false].map((isAll) => blockNames(settings, isAll)) as [string[], string[]];
  return (parts, window) => {
    const { dimensions, values } = parts;
    const row = rowOf(parts, settings.layout, newRow, window);
    const isAll = window === 0;
    const availableSince = since(dimensions, window, isAll ? inAll : inWindows);
    let read: Blocks | undefined;
    const blocks = (): Blocks => (read ??= readBlocks(cells, parts, row, settings, { ...options, isAll }));
    const group = { dimensions, values, window: names[window]!, scored: row[scoredSlot]!, row, blocks };
    return availableSince === undefined ? group : { ...group, since: availableSince };
  };
}

/** Predictions of all records by what became of them: judgements need no truth, and are left out. */
function fatesOf({ scored, judgements, pending, expired, unscored }: RecordCounts): Fates {
  return { scored: scored - judgements, pending, expired, rejected: unscored - pending - expired };
}

/** Adds up the record counts of partitions. */
export function countRecords(states: readonly PartitionState[]): RecordCounts {
  const sum = (of: (state: PartitionState) => number): number => states.reduce((total, state) => total + of(state), 0);
  const rejected: Partial<Record<(typeof rejectCodes)[number], number>> = {};
  rejectCodes.forEach((code, index) => {
    const count = sum((state) => state.rejected[index]!);
    if (count > 0) rejected[code] = count;
  });
  const pending = sum((state) => state.pending.waiting.size);
  const expired = sum(({ numbers }) => numbers.expired);
  const refused = Object.values(rejected).reduce((total, count) => total + count, 0);
  return {
    read: sum(({ numbers }) => numbers.read),
    scored: sum(({ numbers }) => numbers.scored),
    pending,
    expired,
    duplicates: sum(({ numbers }) => numbers.duplicates),
    open_runs: sum(({ openRuns }) => openRuns.runs.size),
    steps: sum(({ numbers }) => numbers.steps),
    runs: sum(({ numbers }) => numbers.runs),
    late: sum(({ numbers }) => numbers.late),
    unverified: sum(({ numbers }) => numbers.unverified),
    judgements: sum(({ numbers }) => numbers.judgements),
    feedback: sum(({ numbers }) => numbers.feedback),
    calls_not_recorded: sum(({ numbers }) => numbers.callsNotRecorded),
    malformed_calls: sum(({ input }) => input.malformed_calls),
    unread_calls: sum(({ input }) => input.unread_calls),
    unscored: refused + pending + expired,
    rejected,
  };
}

/** Adds up what was off with the input of partitions. */
function countInput(states: readonly PartitionState[]): InputCounts {
  const counts = noInputCounts();
  for (const { input } of states) for (const kind of inputKinds) counts[kind] += input[kind];
  return counts;
}
