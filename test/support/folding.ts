import { rateOf, readerOf, settingsOf } from '../../src/config/settings.ts';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import type { LogRecord, Reader } from '../../src/stream/event.ts';
import { activateTruth, createFold, endOpenRuns, type Fold, foldRecords } from '../../src/stream/fold.ts';
import { activeTruth } from '../../src/stream/truth-cache.ts';
import type { Blocks, Group, View } from '../../src/view/summary.ts';
import { type ViewOptions, viewOf } from '../../src/view/view.ts';
import type { Watcher } from '../../src/view/watcher.ts';
import { watchReadings } from '../../src/view/watches.ts';

/** The configuration with these values of keys, such as `time.pane`. */
export function configWith(values: Readonly<Record<string, unknown>> = {}): Config {
  const flags = Object.entries(values).map(([key, value]) => ({ path: key.split('.'), value, place: 'test' }));
  return loadConfig({ flags }).config;
}

/** A record of a value as JSON, or of a text as it is. */
export function recordAt(value: unknown, offset: number, timestamp: number = Number.NaN): LogRecord {
  const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return { bytes, start: 0, end: bytes.length, offset, timestamp };
}

/** The fold of a partition, which is empty at first, over a truth. */
export interface Folding {
  readonly fold: Fold;
  readonly state: PartitionState;
  /** Folds records. */
  readonly apply: (records: readonly LogRecord[]) => void;
  /** Ends the open runs: the log has no further records. */
  readonly end: () => void;
  /** Folds values, each a record after those before. */
  readonly add: (values: readonly unknown[], timestamp?: number) => void;
}

export function foldingOf(
  config: Config,
  table: TruthTable,
  own: { reader?: Reader; state?: PartitionState } = {},
): Folding {
  const { reader = readerOf(config, true), state = emptyPartition(settingsOf(config, undefined)) } = own;
  activateTruth(state, table);
  const fold = createFold(state, reader);
  const truth = activeTruth(table, state.settings.layout.families, state.settings.toolNaming);
  const apply = (records: readonly LogRecord[]): void => foldRecords(fold, records, 0, records.length, truth);
  return {
    ...{ fold, state, apply, end: () => endOpenRuns(fold, truth) },
    add(values, timestamp) {
      const { nextOffset } = state.numbers;
      apply(values.map((value, at) => recordAt(value, nextOffset + at, timestamp)));
    },
  };
}

/** A view whose groups are all read: plain values. */
export interface ReadView extends Omit<View, 'groups'> {
  readonly groups: readonly ReadGroup[];
}

export interface ReadGroup extends Omit<Group, 'blocks'> {
  readonly blocks: Blocks;
}

/** Reads all groups of a view. */
export function readView(view: View): ReadView {
  return { ...view, groups: view.groups.map(({ blocks, ...group }) => ({ ...group, blocks: blocks() })) };
}

/** The view of partitions at a time, read: everything of the total and of the configured groups, unless said otherwise. */
export function viewWith(...given: Parameters<typeof lazyViewWith>): ReadView {
  return readView(lazyViewWith(...given));
}

/** The view itself, of which no group is read yet. */
export function lazyViewWith(
  config: Config,
  states: readonly PartitionState[],
  asOfMs: number | undefined,
  { watcher, ...options }: Partial<ViewOptions> & { readonly watcher?: Watcher | undefined } = {},
): View {
  const watches = watcher === undefined || asOfMs === undefined ? [] : watchReadings(watcher, states, asOfMs);
  const usual = { withWindows: true, withBreakdowns: true, groupsMax: undefined, watches };
  return viewOf(states, states[0]!.settings, asOfMs, {
    sets: config.slices,
    rate: rateOf(config),
    ...usual,
    ...options,
  });
}
