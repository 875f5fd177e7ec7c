import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import type { Config } from '../../src/config/config.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import type { LogRecord, Reader } from '../../src/stream/event.ts';
import { activateTruth, createFold, endOpenRuns, type Fold, foldRecords } from '../../src/stream/fold.ts';
import { type ActiveTruth, activeTruth } from '../../src/stream/truth-cache.ts';
import { encodeDelta, encodeSnapshot, restored } from './encoded.ts';
import { resolveAll } from './resolve-all.ts';

/** A batch, and what happens after it. */
export interface PlanStep {
  readonly size: number;
  readonly event: 'nothing' | 'delta' | 'snapshot' | 'restart' | 'truth';
}

/** How a log is read: batches, and what happens after each. */
export const plans: fc.Arbitrary<PlanStep[]> = fc.array(
  fc.record({
    size: fc.integer({ min: 0, max: 12 }),
    event: fc.constantFrom('nothing', 'nothing', 'nothing', 'delta', 'snapshot', 'restart', 'truth'),
  }),
  { minLength: 1, maxLength: 40 },
);

/** A log as it is read by one process after the other. */
export interface Reading {
  readonly config: Config;
  readonly reader: Reader;
  readonly records: readonly LogRecord[];
  /** Versions of the truth: the first at the begin, the next with each `truth` of the plan. */
  readonly versions: readonly TruthTable[];
  /** The log ends: so do its open runs, with the last version of the truth. */
  readonly isFile?: boolean;
  /** Looks at, or spoils, what is about to be saved. */
  readonly beforeSave?: (state: PartitionState) => void;
}

/** The state after a log that was read as far as the plan goes, then the rest at once. */
export function readByPlan(reading: Reading, plan: readonly PlanStep[]): PartitionState {
  const { config, reader, records, versions, isFile = false } = reading;
  const saver = createSaver(config, reading.beforeSave);
  let fold = createFold(emptyPartition(settingsOf(config, undefined)), reader);
  let version = 0;
  let truth = meetTruth(fold, versions[version]!, 1 + version);
  let at = 0;
  for (const { size, event } of [...plan, { size: records.length, event: 'nothing' }]) {
    // Some of the records before come again.
    const to = Math.min(records.length, at + size);
    const from = Math.max(0, at - (size % 3));
    foldRecords(fold, records, from, to, truth);
    at = to;
    if (event === 'delta' || event === 'snapshot') saver.save(fold.state, event === 'snapshot');
    if (event === 'truth' && version < versions.length - 1) truth = meetTruth(fold, versions[++version]!, 1 + version);
    if (event !== 'restart') continue;
    saver.save(fold.state, false);
    fold = createFold(saver.restored(), reader);
    // A restart has the truth that was in use: it meets the same pending predictions once more, in vain.
    truth = meetTruth(fold, versions[version]!, 1 + version);
  }
  if (isFile) endOpenRuns(fold, meetTruth(fold, versions.at(-1)!, 1));
  return fold.state;
}

function meetTruth(fold: Fold, table: TruthTable, budget: number): ActiveTruth {
  const { state } = fold;
  const truth = activeTruth(table, state.settings.layout.families);
  activateTruth(state, truth.table);
  resolveAll(fold, truth, budget);
  return truth;
}

interface Saver {
  save(state: PartitionState, isSnapshot: boolean): void;
  restored(): PartitionState;
}

function createSaver(config: Config, beforeSave: Reading['beforeSave']): Saver {
  let files: Uint8Array[] = [];
  const nameOf = (count: number): string => `checkpoint-${count}`;
  return {
    save(state, isSnapshot) {
      beforeSave?.(state);
      const store = storeOf(state, {});
      const { nextOffset } = state.numbers;
      const first = isSnapshot || files.length === 0;
      const key = { id: nameOf(first ? 0 : files.length), nextOffset, group: 'g', topic: 't', partition: 0 };
      if (first) files = [encodeSnapshot(store, key)];
      else files.push(encodeDelta(store, key, nameOf(files.length - 1)));
    },
    restored() {
      return finish(restoredPartition(settingsOf(config, undefined), restored(files).store));
    },
  };
}
