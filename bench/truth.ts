import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { loadTruth } from '../src/adapters/truth-files/truth-loader.ts';
import { truthBuilder } from '../src/formats/truth/builder.ts';
import { buildIndex } from '../src/formats/truth/index.ts';
import { openTruth } from '../src/formats/truth/open.ts';
import type { TruthRecord } from '../src/formats/truth/record.ts';
import { labels } from '../src/scoring/label.ts';

/** TRUTH_FILES=20 measures 20 files of a million rows, about 3 GB. */
const files = Number(process.env['TRUTH_FILES'] ?? 1);
const rowsOfFile = 1_000_000;
const deadlineMs = 600_000;

function recordOf(number: number): TruthRecord {
  const tools = Array.from({ length: 3 + (number % 5) }, (_, at) => ({
    name: `tool_${(number * 7 + at) % 400}`,
    parameters: undefined,
  }));
  const calls = Array.from({ length: number % 3 }, (_, at) => ({
    name: `tool_${(number * 7 + at) % 400}`,
    arguments: { city: `city ${number % 1_000}`, count: number % 50 },
  }));
  return {
    example_id: `example-${String(number).padStart(12, '0')}`,
    label: labels[number % 4]!,
    tools,
    expected_tool_calls: calls,
    reference: null,
  };
}

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const bytes = writeFiles();
console.log(`${files} files of ${rowsOfFile} rows from truth build, ${(bytes / 1e6).toFixed(0)} MB`);
for (let round = 0; round < (files > 1 ? 1 : 4); round++) await loadOnce();

/** Returns how many bytes they have together. */
function writeFiles(): number {
  let bytes = 0;
  for (let file = 0; file < files; file++) {
    const builder = truthBuilder();
    for (let row = 0; row < rowsOfFile; row++) builder.add(recordOf(file * rowsOfFile + row));
    const built = builder.finish();
    bytes += built.length;
    writeFileSync(join(folder, `${file}.arrow`), built);
    if (file === 0) inThisThread(built);
  }
  return bytes;
}

/** The parts of loading, without its thread. */
function inThisThread(built: Uint8Array): void {
  const start = cpuMs();
  const loaded = openTruth([{ name: 'table', bytes: built }]);
  const opened = cpuMs();
  buildIndex(
    loaded.batches.map(({ ids }) => ids),
    (id) => {
      throw new Error(id);
    },
  );
  const indexed = cpuMs();
  const { slots, starts } = loaded.index;
  const index = slots.byteLength + starts.byteLength;
  const row = (of: number): string => (of / loaded.rows).toFixed(1);
  console.log(
    `opened and indexed in ${(opened - start).toFixed(0)} ms of CPU (the index alone ${(indexed - opened).toFixed(0)} ms); ` +
      `bytes a row: index ${row(index)}, label and tool count ${row(loaded.labels.byteLength + loaded.toolCounts.byteLength)}`,
  );
}

/** CPU time of the process so far, all its threads together. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/** Result, time, CPU time and longest pause of this thread. */
async function watched<Result>(work: () => Promise<Result>): Promise<[Result, number, number, number]> {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  const start = performance.now();
  const cpu = cpuMs();
  const result = await work();
  const took = performance.now() - start;
  const worked = cpuMs() - cpu;
  await new Promise((resolve) => setTimeout(resolve, 50));
  clearInterval(timer);
  return [result, took, worked, longest];
}

/** Loads through the thread, and does nothing for as long: what a busy machine does to a thread is no fault of the loading. */
async function loadOnce(): Promise<void> {
  const [table, took, worked, longest] = await watched(() => loadTruth([folder], { deadlineMs }));
  const [, , , idle] = await watched(() => new Promise((resolve) => setTimeout(resolve, took)));
  const found = performance.now();
  const lookups = 200_000;
  for (let i = 0; i < lookups; i++) table.find(`example-${String((i * 7_919) % table.rows).padStart(12, '0')}`);
  const each = ((performance.now() - found) / lookups) * 1e3;
  console.log(
    `loaded ${table.rows} rows in a thread in ${took.toFixed(0)} ms (${worked.toFixed(0)} ms of CPU); ` +
      `longest pause of this one ${longest.toFixed(1)} ms, without loading ${idle.toFixed(1)} ms; ` +
      `look-up ${each.toFixed(2)} µs; ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB resident`,
  );
}
