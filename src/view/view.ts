import type { RateOf } from '../scoring/reading.ts';
import { coverageOf, type Fates } from '../state/fates.ts';
import { type InputCounts, inputKinds, noInputCounts } from '../state/input.ts';
import type { PartitionState } from '../state/partition.ts';
import { rejectCodes } from '../state/reject.ts';
import type { Settings } from '../state/settings.ts';
import { finish, type Steps } from '../state/steps.ts';
import { alwaysRate } from './always-rate.ts';
import { foldedGroups, type GroupParts, groupsOf, mostScored, presentGroups } from './fold-groups.ts';
import { type GroupSource, groupReader, type GroupCache } from './group-reader.ts';
import { type MergedSlices, mergeSlices } from './merge-slices.ts';
import { sinceReader } from './since.ts';
import type { ChooseGroups, Group, RecordCounts, View } from './summary.ts';
import type { Watcher } from './watcher.ts';
import { watchReadings } from './watches.ts';

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
  /** Read the watches too. */
  readonly watcher?: Watcher | undefined;
  /** The cache of the view before, which has the same settings and options. */
  readonly kept?: GroupCache | undefined;
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
  return finish(viewSteps(states, settings, asOfMs, options));
}

/** `viewOf` in steps: what the states hold is merged in the first; the rest is a reading of that. */
export function* viewSteps(
  states: readonly PartitionState[],
  settings: Settings,
  asOfMs: number | undefined,
  options: ViewOptions,
): Steps<View> {
  const { withWindows, withBreakdowns, watcher, kept } = options;
  const cells = mergeSlices(states, settings, withWindows ? asOfMs : undefined, withBreakdowns, kept?.rows);
  const watches = watcher === undefined || asOfMs === undefined ? [] : watchReadings(watcher, states, asOfMs);
  const records = countRecords(states);
  const coverage = alwaysRate(options.rate)(...coverageOf(fatesOf(records)));
  const input = countInput(states);
  const since = sinceReader(states, settings, asOfMs);
  yield;
  const { groups, folded } = yield* readGroups(cells, settings, { states, watches, since }, options);
  return { asOfMs, records, coverage, input, groups, folded, watches };
}

function* readGroups(
  cells: MergedSlices,
  settings: Settings,
  { states, watches, since }: Pick<View, 'watches'> & Pick<GroupSource, 'states' | 'since'>,
  options: ViewOptions,
): Steps<Pick<View, 'groups' | 'folded'>> {
  const { layout, windows } = settings;
  const { groupsMax } = options;
  const names = ['all', ...(options.withWindows ? windows.windows.map(({ name }) => name) : [])];
  const { read, keep } = groupReader({ states, cells, settings, since, names }, options);
  const [total, ...bySet] = [[], ...options.sets].map((set) => groupsOf(cells.slices, settings, set));
  const present = (groups: readonly GroupParts[], window: number) => presentGroups(groups, layout, window);
  yield;
  const totals = names.map((_, window) => read(present(total!, window)[0]!, window));
  const inAll = bySet.map((groups) => present(groups, 0));
  const chosen = options.choose?.({ totals, watches, sets: inAll.flat() });
  const groups: Group[] = [];
  let folded = false;
  for (const window of names.keys()) {
    groups.push(totals[window]!);
    for (const [set, inSet] of bySet.entries()) {
      yield;
      const all = window === 0 ? inAll[set]! : present(inSet, window);
      const shown = foldedGroups(all, chosen ? all.filter(({ key }) => chosen.has(key)) : mostScored(all, groupsMax));
      folded ||= shown !== all;
      for (const group of shown) {
        groups.push(read(group, window));
        yield;
      }
    }
  }
  keep();
  return { groups, folded };
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
