import { changes } from '../../src/service/changes.ts';
import { readerOf, settingsOf } from '../../src/config/settings.ts';
import type { Config } from '../../src/config/config.ts';
import { shapingByKey } from '../../src/config/config-hash.ts';
import { plainConfig } from '../../src/config/config-yaml.ts';
import { type Identity, migrationOf } from '../../src/pipeline/identity.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { restoredUnder } from '../../src/state/migrate.ts';
import { storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import type { LogRecord } from '../../src/stream/event.ts';
import { activateTruth, createFold, foldRecords } from '../../src/stream/fold.ts';
import { activeTruth } from '../../src/stream/truth-cache.ts';
import { append, createLog } from '../sim/log.ts';
import { prng } from '../sim/prng.ts';
import { asLogRecord } from '../sim/reference.ts';
import { createTraffic } from '../sim/traffic.ts';
import { exampleCount, truthOf } from '../sim/truth.ts';
import { encodeSnapshot, restored } from './encoded.ts';
import { resolveAll } from './resolve-all.ts';
import { configWith } from './folding.ts';

/** Settings by path. */
export type Values = Readonly<Record<string, unknown>>;

const common: Values = {
  'time.pane': '1s',
  'time.out_of_orderness': '5s',
  'time.windows': ['20s', '3m'],
  'join.truth_wait': '30d',
  'dedupe.window': '30d',
  slices: [['model']],
  'metrics.stability.k': 2,
};

/** Half an hour and more; the settings change after the first half. */
const recordCount = 800;
export const split = 400;
export const records: readonly LogRecord[] = madeRecords();

function madeRecords(): LogRecord[] {
  const rates = { duplicates: 0.1, conflicts: 0, malformed: 0.05, arrays: 0.1, late: 0, future: 0, identified: 0.9 };
  const traffic = createTraffic(prng(7), { ...rates, models: 3, stepMs: 1_000 }, 1);
  const [partition] = createLog(1);
  for (let i = 0; i < recordCount; i++) append(partition!, traffic.next(0));
  return partition!.records.map(asLogRecord);
}

export function configOf(values: Values): Config {
  return configWith({ ...common, ...values });
}

const table = truthOf(
  Array.from({ length: exampleCount }, (_, example) => example),
  0,
  false,
);

export function read(config: Config, log: readonly LogRecord[]): PartitionState {
  return goOn(emptyPartition(settingsOf(config, undefined)), config, log);
}

export function goOn(state: PartitionState, config: Config, log: readonly LogRecord[]): PartitionState {
  const fold = createFold(state, readerOf(config, true));
  const truth = activeTruth(table, state.settings.layout.families);
  activateTruth(state, table);
  resolveAll(fold, truth);
  foldRecords(fold, log, 0, log.length, truth);
  return state;
}

/** Through a checkpoint, as the service does it. */
export function migrate(state: PartitionState, was: Config, is: Config): PartitionState {
  const key = { id: 'a', nextOffset: state.numbers.nextOffset, group: 'g', topic: 't', partition: 0 };
  const { store } = restored([encodeSnapshot(storeOf(state, {}), key)]);
  const settings = settingsOf(is, undefined);
  const migration = migrationOf(identityOf(was), identityOf(is), { changes, settings, name: 't/0' });
  return finish(restoredUnder(settings, store, migration));
}

export function identityOf(config: Config): Identity {
  const settings = shapingByKey(config);
  return { cluster: 'c', partitions: 1, settings, config: plainConfig(config) };
}
