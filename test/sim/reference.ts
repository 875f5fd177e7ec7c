import { readersOf, settingsOf } from '../../src/config/settings.ts';
import type { Config } from '../../src/config/config.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';
import type { Activation } from '../../src/state/partition.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import type { LogRecord, Reader } from '../../src/stream/event.ts';
import { activateTruth, createFold, type Fold, foldRecords } from '../../src/stream/fold.ts';
import { type ActiveTruth, activeTruth } from '../../src/stream/truth-cache.ts';
import { keyedRecord } from '../support/keyed-record.ts';
import { resolveAll } from '../support/resolve-all.ts';
import { type SimPartition, type SimRecord, topic } from './log.ts';

/** What a partition comes to when its records are applied one by one, by one process to which nothing happens. */
export interface Reference {
  readonly state: PartitionState;
  readonly activations: readonly Activation[];
  /** `offset/element` of the predictions that expired. */
  readonly expired: Set<string>;
  readonly fold: Fold;
  /** Activations and records applied so far. */
  activated: number;
  applied: number;
}

/** Folds logs naively; asked again for a later offset, it goes on from where it was. */
export interface References {
  at(partition: SimPartition, activations: readonly Activation[], nextOffset: number): Reference;
}

export function createReferences(config: Config, truths: readonly TruthTable[]): References {
  const settings = settingsOf(config, undefined);
  const active = truths.map((table) => activeTruth(table, settings.layout.families));
  const reader = simReader(config);
  const kept = new Map<string, Reference>();
  return {
    at(partition, activations, nextOffset) {
      const key = `${partition.partition}:${JSON.stringify(activations)}`;
      let reference = kept.get(key);
      if (reference === undefined || reference.state.numbers.nextOffset > nextOffset) {
        const state = emptyPartition(settings);
        const fold = createFold(state, reader);
        reference = { state, activations, expired: new Set(), fold, activated: 0, applied: 0 };
        kept.set(key, reference);
      }
      goOn(reference, partition, nextOffset, (version) => active.find(({ table }) => table.version === version)!);
      return reference;
    },
  };
}

function goOn(
  reference: Reference,
  partition: SimPartition,
  nextOffset: number,
  truthOf: (version: string) => ActiveTruth,
): void {
  const { state, activations, fold } = reference;
  const { out } = fold;
  let truth = state.activations.length === 0 ? undefined : truthOf(state.activations.at(-1)!.version);
  const activateBefore = (offset: number): void => {
    for (; reference.activated < activations.length; reference.activated++) {
      const activation = activations[reference.activated]!;
      if (activation.offset > offset) return;
      state.numbers.nextOffset = Math.max(state.numbers.nextOffset, activation.offset);
      truth = truthOf(activation.version);
      activateTruth(state, truth.table);
      resolveAll(fold, truth);
    }
  };
  for (; reference.applied < partition.records.length; reference.applied++) {
    const record = partition.records[reference.applied]!;
    if (record.offset >= nextOffset) break;
    activateBefore(record.offset);
    const batch = [asLogRecord(record)];
    foldRecords(fold, batch, 0, 1, truth!);
    for (const { offset, element } of out.expired) reference.expired.add(`${offset}/${element}`);
    out.expired.length = 0;
    out.rejects.length = 0;
  }
  activateBefore(nextOffset);
  state.numbers.nextOffset = Math.max(state.numbers.nextOffset, nextOffset);
}

/** The reader of the topic: of predictions or of judgements. */
export function simReader(config: Config): Reader {
  return readersOf(config)(topic);
}

export function asLogRecord({ value, key, offset, timestamp }: SimRecord): LogRecord {
  return { ...keyedRecord(value, key), offset, timestamp };
}
