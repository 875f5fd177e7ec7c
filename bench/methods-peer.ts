import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { program } from '../test/support/program.ts';
import { decisionOnly } from './consumers.ts';
import { writeLines } from './topics.ts';
import { uniqueTraffic } from './unique-traffic.ts';

const run = promisify(execFile);

/** The published Python, and the last langchain-community with which ragas can be imported. */
export const methodPackages: readonly string[] = ['ragas==0.4.3', 'agentevals==0.0.9', 'langchain-community==0.3.31'];

const events = 50_000;
/** A slower method is stopped then; its rate is that of a sample. */
const secondsMax = 60;

/** By method of published_methods.py. */
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

interface Case {
  readonly name: string;
  readonly taken: Taken[];
  readonly run: () => Promise<Taken>;
}

/**
 * A table of events a second, for the same unique events and truth: `replay` by the whole process, the published Python of single methods
 * from opening the files on.
 */
export async function methodsBesideReplay(folder: string, interpreter: string, rounds: number): Promise<string> {
  const traffic = uniqueTraffic(23, events);
  const made = Array.from({ length: events }, (_, at) => JSON.parse(traffic.next(1.75e12 + 10 * at).value) as object);
  const eventFile = writeLines(join(folder, 'method-events.ndjson'), made);
  const truth = writeLines(join(folder, 'method-truth.ndjson'), traffic.truth());
  const config = join(folder, 'tool-calls.yaml');
  writeFileSync(config, JSON.stringify({ metrics: { ...decisionOnly, tool_calls: { enabled: true } } }));
  const replay = ['replay', '--events', eventFile, '--truth', truth, '--summary', '-'];
  const cases: Case[] = [
    { name: 'assay replay, all eight families', taken: [], run: () => replayed(replay) },
    { name: 'assay replay, decision and tool_calls', taken: [], run: () => replayed([...replay, '-c', config]) },
    ...Object.entries(methods).map(([method, name]) => ({
      ...{ name, taken: [] },
      run: () => scoredBy(interpreter, method, eventFile, truth),
    })),
  ];
  for (let round = 0; round < rounds; round++) for (const each of cases) each.taken.push(await each.run());
  return [`Methods: events a second, ${events} events of 0.9 KB with truth`, ...rowsOf(cases)].join('\n');
}

async function replayed(args: readonly string[]): Promise<Taken> {
  const startMs = performance.now();
  await run(process.execPath, [program, ...args], { maxBuffer: 1 << 28 });
  return { events, seconds: (performance.now() - startMs) / 1_000 };
}

async function scoredBy(interpreter: string, method: string, eventFile: string, truth: string): Promise<Taken> {
  const script = resolve('bench', 'published_methods.py');
  const { stdout } = await run(interpreter, [script, method, eventFile, truth, String(secondsMax)]);
  return JSON.parse(stdout) as Taken;
}

/** A row for each case, and one for all Python methods, one after the other. */
function rowsOf(cases: readonly Case[]): string[] {
  const secondsOf = ({ taken }: Case): number[] => taken.map(({ events: count, seconds }) => seconds / count);
  const python = cases.slice(-Object.keys(methods).length).map(secondsOf);
  const together = python[0]!.map((_, round) => python.reduce((sum, seconds) => sum + seconds[round]!, 0));
  const rows = cases.map((each) => {
    const least = Math.min(...each.taken.map(({ events: count }) => count));
    return rowOf(each.name, secondsOf(each)) + (least < events ? ` (the first ${least} events)` : '');
  });
  return [...rows, rowOf('the four in Python, one after the other', together)];
}

/** Median and range of the rates. */
function rowOf(name: string, seconds: readonly number[]): string {
  const rates = seconds.map((each) => Math.round(1 / each)).sort((a, b) => a - b);
  const median = rates[rates.length >> 1]!;
  return `${name.padEnd(40)} ${`${median} /s`.padStart(10)} (${rates[0]!} to ${rates.at(-1)!})`;
}
