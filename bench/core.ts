import { loadConfig } from '../src/config/load.ts';
import { readerOf } from '../src/config/settings.ts';
import { truthFromRecords } from '../src/formats/truth/table.ts';
import type { LogRecord } from '../src/stream/event.ts';
import { activeTruth } from '../src/stream/truth-cache.ts';
import { createTraffic } from '../src/commands/demo/traffic.ts';
import { benchEvent } from './events.ts';
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
const truth = truthFromRecords(traffic.examples.map(({ record }) => record));

const parse: Case = { name: 'JSON.parse', run: () => parseAll() };
const cases: Case[] = [
  parse,
  { name: 'decode', run: decoder() },
  { name: 'decision', run: folder(['decision']) },
  ...families.slice(1).map((family) => ({ name: `decision + ${family}`, run: folder(['decision', family]) })),
  { name: 'all families', run: folder(families) },
];
const measured = interleaved(cases, events, 15);
process.stdout.write(`${table('Core: decode + join + score of a 0.9 KB event', measured, parse.name)}\n`);

/** As a source would hand it over. */
function recordOf(bytes: Uint8Array, index: number): LogRecord {
  return { bytes, start: 0, end: bytes.length, offset: index, timestamp: 1.76e12 };
}

function parseAll(): void {
  for (const value of values) JSON.parse(value.toString());
}

function decoder(): () => void {
  const { config } = loadConfig({});
  const reader = readerOf(config, true);
  return () => {
    for (const record of records) reader.read(record);
  };
}

/** Folds all events into a new state at each run. */
function folder(enabled: readonly string[]): () => void {
  const flags = families.map((family) => ({
    path: ['metrics', family, 'enabled'],
    value: enabled.includes(family),
    place: 'bench',
  }));
  const { config } = loadConfig({ flags });
  return folds(config, records, truth, activeTruth);
}
