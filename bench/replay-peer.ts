import { execFile } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createTraffic } from '../src/commands/demo/traffic.ts';
import { program } from '../test/support/program.ts';
import { decisionOnly } from './consumers.ts';
import { benchEvent } from './events.ts';
import { table } from './measure.ts';

const run = promisify(execFile);
/** Of a summary with every family. */
const maxBuffer = 1 << 28;

interface ReplayPeer {
  readonly folder: string;
  /** A Python with Polars. */
  readonly polars: string;
  readonly bytes: number;
  readonly rounds: number;
}

/** A table of wall times an event of `replay` and of a Polars script, whole processes in turn, for the same decisions: they must agree. */
export async function replayAgainstPolars({ folder, polars, bytes, rounds }: ReplayPeer): Promise<string> {
  const files = await writeFiles(folder, bytes);
  const config = join(folder, 'decision.yaml');
  writeFileSync(config, JSON.stringify({ metrics: decisionOnly }));
  const cases = [
    { name: 'Polars script, decisions', micros: [] as number[], work: () => polarsCounts(polars, files) },
    { name: 'assay replay, decision only', micros: [] as number[], work: () => replayCounts(files, ['-c', config]) },
    { name: 'assay replay, all families', micros: [] as number[], work: () => replayCounts(files, []) },
  ];
  let expected: string | undefined;
  for (let round = 0; round < rounds; round++)
    for (const { name, micros, work } of cases) {
      const start = performance.now();
      const found = JSON.stringify(await work());
      micros.push((1e3 * (performance.now() - start)) / files.count);
      expected ??= found;
      if (found !== expected) throw new Error(`${name} counts ${found}, not ${expected}`);
    }
  return table(`Replay: wall time an event, ${Math.round(bytes / 1e6)} MB of NDJSON`, cases, cases[0]!.name);
}

interface Files {
  readonly events: string;
  readonly truth: string;
  readonly count: number;
}

async function writeFiles(folder: string, bytes: number): Promise<Files> {
  const traffic = createTraffic({ seed: 17, examples: 2_000, runs: 5, duplicates: 0.005, malformed: 0 });
  const [events, truth] = [join(folder, 'events.ndjson'), join(folder, 'gold.ndjson')];
  let count = 0;
  function* lines(): Generator<string> {
    for (let written = 0; written < bytes; )
      for (const { value } of traffic.next(1.75e12 + 10 * count, undefined)) {
        const line = `${benchEvent(value, count++)}\n`;
        written += line.length;
        yield line;
      }
  }
  await pipeline(Readable.from(lines()), createWriteStream(events));
  writeFileSync(truth, traffic.examples.map(({ record }) => `${JSON.stringify(record)}\n`).join(''));
  return { events, truth, count };
}

interface Counted {
  readonly n: number;
  readonly right: number;
}

async function polarsCounts(interpreter: string, { events, truth }: Files): Promise<Counted> {
  const { stdout } = await run(interpreter, [resolve('bench', 'polars_replay.py'), events, truth]);
  return JSON.parse(stdout) as Counted;
}

async function replayCounts({ events, truth }: Files, more: readonly string[]): Promise<Counted> {
  const args = ['replay', '--events', events, '--truth', truth, '--summary', '-', ...more];
  const { stdout } = await run(process.execPath, [program, ...args], { maxBuffer });
  const { groups } = JSON.parse(stdout) as { groups: { decision: { n: number; accuracy: { numerator: number } } }[] };
  const { n, accuracy } = groups[0]!.decision;
  return { n, right: accuracy.numerator };
}
