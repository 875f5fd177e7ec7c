import { loadConfig } from '../src/config/load.ts';
import { readerOf } from '../src/config/settings.ts';
import { truthFromRecords } from '../src/formats/truth/table.ts';
import type { LogRecord } from '../src/stream/event.ts';
import type { AnyFamily } from '../src/scoring/family.ts';
import type { TruthTable } from '../src/scoring/truth.ts';
import { type ActiveTruth, activeTruth, prepareTruth } from '../src/stream/truth-cache.ts';
import { createTraffic } from '../src/commands/demo/traffic.ts';
import { benchEvent } from './events.ts';
import { eventTable } from '../test/support/event-table.ts';
import { folds } from './fold.ts';
import { type Case, interleaved, table } from './measure.ts';

/**
 * CPU of decode + join + score of one event, as a multiple of JSON.parse of the same bytes, side by side in one process. Events are 0.9 KB,
 * eight in ten have calls equal to the expected ones.
 */

const families = ['decision', 'stability', 'tool_calls', 'trajectory', 'schema', 'arguments', 'structured', 'match'];
const events = 20_000;

const traffic = createTraffic({ seed: 3, examples: 2_000, runs: 5, duplicates: 0, malformed: 0 });
const values = Array.from({ length: events }, (_, number) =>
  Buffer.from(benchEvent(traffic.next(1.75e12 + 10 * number, undefined)[0]!.value, number)),
);
const records = values.map(recordOf);
const rowsOfTable = 1_000;
const tables = Array.from({ length: events / rowsOfTable }, (_, at) =>
  recordOf(eventTable(values.slice(at * rowsOfTable, (at + 1) * rowsOfTable)), at),
);
const truth = truthFromRecords(traffic.examples.map(({ record }) => record));

const parse: Case = { name: 'JSON.parse', run: () => parseAll() };
/** By itself: where rows of others are kept, V8 makes those of this one for long as well, and collects them late. */
const unlikeOthers: Case[] = [parse, { name: 'all families, truth never seen again', run: folder(families, true) }];
const cases: Case[] = [
  parse,
  { name: 'decode', run: decoder() },
  { name: 'decision', run: folder(['decision']) },
  ...families.slice(1).map((family) => ({ name: `decision + ${family}`, run: folder(['decision', family]) })),
  { name: 'all families', run: folder(families) },
  { name: 'Arrow tables of 1,000 rows: decode', run: decoder(tables) },
  { name: 'Arrow tables of 1,000 rows: decision', run: folder(['decision'], false, tables) },
  { name: 'Arrow tables of 1,000 rows: all families', run: folder(families, false, tables) },
];
for (const some of [unlikeOthers, cases]) {
  const measured = interleaved(some, events, 15);
  process.stdout.write(`${table('Core: decode + join + score of a 0.9 KB event', measured, parse.name)}\n`);
}

/** As a source would hand it over. */
function recordOf(bytes: Uint8Array, index: number): LogRecord {
  return { bytes, start: 0, end: bytes.length, offset: index, timestamp: 1.76e12 };
}

function parseAll(): void {
  for (const value of values) JSON.parse(value.toString());
}

function decoder(of: readonly LogRecord[] = records): () => void {
  const { config } = loadConfig({});
  const reader = readerOf(config, true);
  return () => {
    // As many as the fold reads at once.
    const size = of === tables ? 1 : 32;
    for (let from = 0; from < of.length; from += size) reader.read(of, from, from + size);
  };
}

/** Folds all events into a new state at each run; `cold`: each truth row is parsed again for each event. */
function folder(enabled: readonly string[], cold = false, of: readonly LogRecord[] = records): () => void {
  const flags = families.map((family) => ({
    path: ['metrics', family, 'enabled'],
    value: enabled.includes(family),
    place: 'bench',
  }));
  const { config } = loadConfig({ flags });
  return folds(config, of, truth, cold ? neverSeen : activeTruth, of === tables ? 1 : undefined);
}

/** Truth of which every row is parsed for every event. */
function neverSeen(table: TruthTable, families: readonly AnyFamily[]): ActiveTruth {
  return {
    table,
    find: (of, event) => table.find(of.exampleId(event)),
    row: (row) => prepareTruth(row, table.read(row), families),
    remembered: undefined,
  };
}
