import type { Config } from '../src/config/config.ts';
import { loadConfig } from '../src/config/load.ts';
import { readerOf, settingsOf } from '../src/config/settings.ts';
import { buildTruthTable } from '../src/formats/truth/builder.ts';
import { openTruth } from '../src/formats/truth/open.ts';
import type { TruthRecord } from '../src/formats/truth/record.ts';
import { truthTable } from '../src/formats/truth/table.ts';
import type { AnyFamily } from '../src/scoring/family.ts';
import type { TruthTable } from '../src/scoring/truth.ts';
import { emptyPartition } from '../src/state/partition.ts';
import type { LogRecord } from '../src/stream/event.ts';
import { activateTruth, createFold, foldRecords } from '../src/stream/fold.ts';
import { type ActiveTruth, activeTruth } from '../src/stream/truth-cache.ts';

/** Events and their truth as plain values, which any build of the program can fold. */
export interface Traffic {
  readonly values: readonly Uint8Array[];
  readonly truth: readonly TruthRecord[];
  /** Contents repeat: caches stay from run to run, as in a service that has run for a while. */
  readonly repeats: boolean;
}

export const allFamilies: readonly string[] = [
  ...['decision', 'stability', 'tool_calls', 'trajectory', 'schema', 'arguments', 'structured', 'match', 'tool_use'],
];

/** Decodes all events at each run. */
export function decodeTraffic({ values }: Traffic): () => void {
  const reader = readerOf(loadConfig({}).config, true);
  const records = values.map(recordOf);
  return () => {
    for (const record of records) reader.read(record);
  };
}

/** Decodes, joins and scores all events for some families at each run. */
export function foldTraffic({ values, truth, repeats }: Traffic, families: readonly string[]): () => void {
  const flags = allFamilies.map((family) => ({
    path: ['metrics', family, 'enabled'],
    value: families.includes(family),
    place: 'bench',
  }));
  const { config } = loadConfig({ flags });
  const records = values.map(recordOf);
  const loaded = openTruth([{ name: 'truth', bytes: buildTruthTable(truth) }]);
  const begin = (): (() => void) => folds(config, records, truthTable(loaded), activeTruth);
  return repeats ? begin() : () => begin()();
}

/** Folds all records into a new state at each run, `batch` of them together; `activeOf` is the table as events meet it. */
export function folds(
  config: Config,
  records: readonly LogRecord[],
  truth: TruthTable,
  activeOf: (truth: TruthTable, families: readonly AnyFamily[]) => ActiveTruth,
  batch = 500,
): () => void {
  const settings = settingsOf(config, undefined);
  const reader = readerOf(config, true);
  const active = activeOf(truth, settings.layout.families);
  return () => {
    const state = emptyPartition(settings);
    activateTruth(state, truth);
    const fold = createFold(state, reader);
    for (let from = 0; from < records.length; from += batch)
      foldRecords(fold, records, from, Math.min(from + batch, records.length), active);
  };
}

function recordOf(bytes: Uint8Array, index: number): LogRecord {
  return { bytes, start: 0, end: bytes.length, offset: index, timestamp: 1.76e12 };
}
