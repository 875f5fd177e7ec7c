import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { program } from '../test/support/program.ts';
import { writeLines } from './topics.ts';
import { uniqueTraffic } from './unique-traffic.ts';

const run = promisify(execFile);

/** The published Python, and the last of langchain-community with which ragas can be imported. */
export const methodPackages: readonly string[] = ['ragas==0.4.3', 'agentevals==0.0.9', 'langchain-community==0.3.31'];

const events = 50_000;
/** A method that takes longer is stopped then, and its rate is that of a sample. */
const mostSeconds = 60;

/** Names for people, by method of published_methods.py. */
const methods = {
  ragas: 'ragas, ToolCallF1',
  agentevals: 'agentevals, unordered match',
  mcpeval: "MCPEval's overall score, a script",
  deepfabric: "DeepFabric's overall score, a script",
};

interface Taken {
  readonly events: number;
  readonly seconds: number;
}

/**
 * A table of events a second of `replay`, the whole process with all families, and of the published Python of single methods from
 * opening the files on, for the same unique events and truth.
 */
export async function methodsBesideReplay(folder: string, interpreter: string): Promise<string> {
  const traffic = uniqueTraffic(23, events);
  const lines = Array.from({ length: events }, (_, at) => JSON.parse(traffic.next(1.75e12 + 10 * at).value) as object);
  const files = [
    writeLines(join(folder, 'method-events.ndjson'), lines),
    writeLines(join(folder, 'method-truth.ndjson'), traffic.truth()),
  ] as const;
  const replay = await replayed(...files);
  const rows = [rowOf('assay replay, all eight families', replay, replay)];
  for (const [method, name] of Object.entries(methods)) {
    const args = [resolve('bench', 'published_methods.py'), method, ...files, String(mostSeconds)];
    const { stdout } = await run(interpreter, args);
    rows.push(rowOf(name, JSON.parse(stdout) as Taken, replay));
  }
  return [`Methods: events a second, ${events} events of 0.9 KB with truth`, ...rows].join('\n');
}

async function replayed(eventFile: string, truth: string): Promise<Taken> {
  const startMs = performance.now();
  await run(process.execPath, [program, 'replay', '--events', eventFile, '--truth', truth, '--summary', '-'], {
    maxBuffer: 1 << 28,
  });
  return { events, seconds: (performance.now() - startMs) / 1_000 };
}

function rowOf(name: string, taken: Taken, base: Taken): string {
  const rate = ({ events: count, seconds }: Taken): number => count / seconds;
  return [
    name.padEnd(40),
    `${Math.round(rate(taken))} /s`.padStart(12),
    `${(rate(taken) / rate(base)).toFixed(3)} x`.padStart(8),
    ...(taken.events < events ? [`  (the first ${taken.events})`] : []),
  ].join(' ');
}
