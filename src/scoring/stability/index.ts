import type { Mode, RunsFamily } from '../family.ts';
import { cannotAnswer, invalid, type LabelCode } from '../label.ts';
import { chunkOf, claimRow, findRow, markRow, removeRow, type Table, valuesAt } from '../../state/containers/table.ts';
import { contributionsOf, noContribution, replaceContribution } from './contribution.ts';
import { addToIndex, createGroupIndex, type GroupIndex, rebuildIndex, takeOldest } from './group-index.ts';
import { writeGroupKey } from './group-key.ts';
import { counterKeys, histogramAt, type StabilityReader, type StabilityTally } from './histograms.ts';
import { stabilityDeclaration, type StabilitySums, stabilitySums } from './read.ts';
import { closedRuns, column, type RunLayout, rollingRuns, runCode } from './runs.ts';

export type { GroupIndex } from './group-index.ts';
export { histogramNames, type StabilityTally } from './histograms.ts';

export interface StabilityOptions {
  /** Runs per group: an integer from 1 to 1,000. */
  readonly k: number;
  /** `closed`: final when runs 0..k-1 are there. `rolling`: the k highest run indices. */
  readonly form: 'closed' | 'rolling';
  /** A group without a run for longer than this, in event time, is dropped. */
  readonly keepMs: number;
  /** Groups held at most, at least 1; beyond, the oldest is dropped. */
  readonly groupsMax: number;
  readonly mode: Mode;
}

/** Whether a run succeeded: 0 no, 1 yes, 2 nobody says. */
export type Verdict = 0 | 1 | 2;

/** One scored prediction that has a `run`. Identities are 4 words at `words[at]`; the record is read at once and may be reused. */
export interface RunObservation {
  readonly exampleWords: Uint32Array;
  readonly exampleAt: number;
  readonly modelWords: Uint32Array;
  readonly modelAt: number;
  readonly agentWords: Uint32Array;
  readonly agentAt: number;
  /** Code of the event's finest slice tuple. */
  readonly slice: number;
  /** Gold label, 0..3. */
  readonly gold: number;
  readonly label: LabelCode;
  /** Run index, 0 to 2^53. */
  readonly run: number;
  readonly verdict: Verdict;
  readonly tsMs: number;
}

/**
 * Does the agent decide the same again (spec: metrics, section 2; after the When2Call API evaluation suite and tau-bench). A family
 * that groups events: its state is a table of groups, and histograms that the caller keeps. Nothing else is remembered.
 */
export interface Stability extends RunsFamily<StabilityReader, StabilitySums> {
  /** Value columns of the group table. */
  readonly groupValues: number;
  /** Derived data that goes with a table. */
  createIndex(groups: Table): GroupIndex;
  /** Makes an index anew, in place, after its table was restored. */
  reindex(groups: Table, index: GroupIndex): void;
  /** Adds a run to its group. Returns the number of groups dropped at the limit to make room: 0, or 1. */
  observe(groups: Table, index: GroupIndex, run: RunObservation, into: StabilityTally): number;
  /**
   * Drops the groups without a run for longer than `keepMs`, and returns their number. Call it whenever event time advances, before
   * the event that advanced it is observed: then what is dropped is a function of the log. Where there is nothing to drop it costs a
   * comparison.
   */
  evict(groups: Table, index: GroupIndex, greatestTsMs: number, into: StabilityTally): number;
}

/** The family with its options closed over. */
export function stability(options: StabilityOptions): Stability {
  const { k, keepMs, groupsMax, mode } = options;
  const layout = options.form === 'closed' ? closedRuns(k) : rollingRuns(k);
  const receive = receiverOf(k, layout, mode);
  const key = new Uint32Array(4);

  const dropOldest = (groups: Table, index: GroupIndex, beforeMs: number, into: StabilityTally): boolean => {
    const row = takeOldest(groups, index, beforeMs);
    if (row < 0) return false;
    count(layout.home(chunkOf(groups, row), valuesAt(groups, row)), counterKeys.dropped, 1, into);
    removeRow(groups, row);
    return true;
  };

  return {
    ...stabilityDeclaration,
    groupValues: layout.values,
    createIndex: createGroupIndex,
    reindex: rebuildIndex,
    observe(groups, index, run, into) {
      writeGroupKey(run, key);
      const full = groups.size >= groupsMax && findRow(groups, key[0]!, key[1]!, key[2]!, key[3]!) < 0;
      if (full) dropOldest(groups, index, Number.POSITIVE_INFINITY, into);
      const claimed = claimRow(groups, key, 0);
      if (claimed >= 0) {
        markRow(groups, claimed);
        receive(chunkOf(groups, claimed), valuesAt(groups, claimed), false, run, into);
        return 0;
      }
      const row = -1 - claimed;
      receive(chunkOf(groups, row), valuesAt(groups, row), true, run, into);
      addToIndex(groups, index, row);
      return full ? 1 : 0;
    },
    evict(groups, index, greatestTsMs, into) {
      let dropped = 0;
      while (dropOldest(groups, index, greatestTsMs - keepMs, into)) dropped++;
      return dropped;
    },
    sums: (reader) => stabilitySums(k, mode, reader),
    isEmpty: ({ seen }) => seen === 0,
  };
}

type Receive = (cells: Float64Array, at: number, fresh: boolean, run: RunObservation, into: StabilityTally) => void;

/** Takes a run into a row, and changes the histograms by what that changes of the group. */
function receiverOf(k: number, layout: RunLayout, mode: Mode): Receive {
  const readContribution = contributionsOf(k, layout);
  const before = noContribution();
  const after = noContribution();
  return (cells, at, fresh, run, into) => {
    if (fresh || run.tsMs > cells[at + column.lastTs]!) cells[at + column.lastTs] = run.tsMs;
    const homeBefore = fresh ? -1 : layout.home(cells, at);
    const heldBefore = cells[at + column.held]!;
    const slot = layout.slotFor(cells, at, run.run);
    if (slot >= 0) readContribution(cells, at, heldBefore === k, before);

    const label = run.label === invalid && mode === 'spec' ? cannotAnswer : run.label;
    layout.receive(cells, at, slot, run.run, 4 * run.slice + run.gold, runCode(label, run.verdict));

    const home = layout.home(cells, at);
    if (fresh) count(home, counterKeys.seen, 1, into);
    else if (home !== homeBefore) move(homeBefore, home, cells[at + column.ignored]!, into);
    // Received and none held more: this run was ignored, or it displaced one.
    if (cells[at + column.held] === heldBefore) {
      cells[at + column.ignored]! += 1;
      count(home, counterKeys.ignored, 1, into);
    }
    if (slot < 0 || cells[at + column.held] !== k) return;
    readContribution(cells, at, true, after);
    replaceContribution(before, after, into);
  };
}

/** Moves a group's counters to its new home. */
function move(from: number, to: number, ignored: number, into: StabilityTally): void {
  count(from, counterKeys.seen, -1, into);
  count(to, counterKeys.seen, 1, into);
  if (ignored === 0) return;
  count(from, counterKeys.ignored, -ignored, into);
  count(to, counterKeys.ignored, ignored, into);
}

function count(home: number, key: number, amount: number, into: StabilityTally): void {
  into.add(Math.floor(home / 4), home & 3, histogramAt.counters, key, amount);
}
