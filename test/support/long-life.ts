import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoModels } from '../../src/commands/demo/catalogue.ts';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import { memoryOf } from './process-memory.ts';
import { replaceFile } from './replace-file.ts';
import { filesBelow } from './row-manifests.ts';
import { replaySummary, type Summary } from './service.ts';

/** Records of one shape, and the counts that they come to, however often they are sent under other ids. */
export interface Chunk {
  readonly records: readonly { readonly key: string; readonly value: string }[];
  readonly counts: Counts;
}

/** Counts of a summary by path: those that add up. */
export type Counts = ReadonlyMap<string, number>;

/** What a process and a folder hold at a time. */
export interface Sample {
  readonly ms: number;
  readonly rssMiB: number;
  /** What JavaScript holds of it, in objects and in buffers. */
  readonly heapMiB: number;
  readonly buffersMiB: number;
  /** Predictions that wait for their truth. */
  readonly pending: number;
  readonly descriptors: number;
  /** But for segments of rows and deltas of checkpoints. */
  readonly files: number;
  readonly segments: number;
  readonly deltas: number;
}

/** What the image tells the allocator. Without it what is held grows for longer than an hour: it keeps what large buffers held. */
export function ofAllocator(): Readonly<Record<string, string>> {
  const set = readFileSync('Dockerfile', 'utf8').matchAll(/\b(MALLOC_\w+)=(\S+)/g);
  return Object.fromEntries([...set].map(([, name, value]) => [name!, value!]));
}

const sentAs = 'demo-event-';
const sentMs = Date.UTC(2020, 0, 1);
const sentTs = new Date(sentMs).toISOString();

/** Shapes of traffic: few and many models, short and long answers, with and without duplicates and malformed records. */
const shapes = [
  { models: 3, output: 0, duplicates: 0, malformed: 0 },
  { models: 60, output: 0, duplicates: 0.02, malformed: 0.01 },
  { models: 12, output: 1_000, duplicates: 0.2, malformed: 0 },
  { models: 3, output: 300, duplicates: 0, malformed: 0.2 },
] as const;

/** Returns whether all records of a shape are accepted, each once. */
export function isWellFormed(shape: number): boolean {
  const { duplicates, malformed } = shapes[shape]!;
  return duplicates + malformed === 0;
}

/** The chunks of all shapes, and their truth as lines. */
export async function chunksOf(
  config: string,
  folder: string,
  size: number,
): Promise<{ chunks: Chunk[]; truth: string[] }> {
  const chunks: Chunk[] = [];
  let truth: string[] = [];
  for (const [number, { models, output, ...shares }] of shapes.entries()) {
    const named = Array.from({ length: models }, (_, at) => ({ ...demoModels[at % 3]!, name: `model-${at}` }));
    const traffic = createTraffic({ seed: 11, examples: 500, runs: 5, models: named, ...shares });
    truth = traffic.examples.map(({ record }) => JSON.stringify(record));
    swapTruth(join(folder, 'truth.ndjson'), truth);
    const longer = `$&${'Here is more of it. '.repeat(output / 20)}`;
    const records = Array.from({ length: size }, () => traffic.next(sentMs, undefined)).flat();
    const sent = records.map(({ key, value }) => ({ key, value: value.replace(/"output":"/, longer) }));
    const events = join(folder, `shape-${number}.ndjson`);
    writeFileSync(events, sent.map(({ value }) => `${value}\n`).join(''));
    chunks.push({ records: sent, counts: countsOf(await replaySummary(config, events)) });
  }
  return { chunks, truth };
}

/** The records of a chunk, sent now as if never before. */
export function again({ records }: Chunk, round: number): { key: string; value: string }[] {
  const ts = new Date().toISOString();
  return records.map(({ key, value }) => ({
    key,
    value: value.replace(sentAs, `round-${round}-`).replace(sentTs, ts),
  }));
}

/** Puts other truth in the place of what is there. */
export function swapTruth(path: string, lines: readonly string[]): void {
  replaceFile(path, `${lines.join('\n')}\n`);
}

/** Of all time: records read, scored, refused, doubled, and the counts of each group, but for what looks at groups of runs. */
export function countsOf({ records, groups }: Summary): Counts {
  const counts = new Map<string, number>();
  const { read, scored, duplicates, rejected } = records;
  addCounts(counts, 'records', { read, scored, duplicates, ...(rejected as object) }, () => true);
  for (const { slice, window, decision, tool_calls, trajectory } of groups)
    if (window === 'all') addCounts(counts, JSON.stringify(slice), { decision, tool_calls, trajectory }, addsUp);
  return counts;
}

/** Sums of counts, each so many times. */
export function summed(all: readonly (readonly [Counts, times: number])[]): Counts {
  const sums = new Map<string, number>();
  for (const [counts, times] of all)
    for (const [path, count] of counts) sums.set(path, (sums.get(path) ?? 0) + times * count);
  return sums;
}

/** Combinations of tools are listed from some tasks on. */
function addsUp(path: string): boolean {
  if (path.includes('.by_combination.')) return false;
  return /\.(n|numerator|denominator|tp|fp|fn|count|tasks|skipped|invalid|missing)$|\.confusion\./.test(path);
}

function addCounts(
  counts: Map<string, number>,
  path: string,
  value: unknown,
  counted: (path: string) => boolean,
): void {
  if (typeof value === 'number' && value > 0 && counted(path)) counts.set(path, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, below] of Object.entries(value)) addCounts(counts, `${path}.${key}`, below, counted);
}

/** What a service of this host and its folders hold now. */
export async function sampleOf({ url, pid }: Sampled, folder: string): Promise<Sample> {
  const page = await (await fetch(`${url}/metrics`)).text();
  const sum = (name: string): number => {
    const lines = page.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'));
    return [...lines].reduce((total, [, value]) => total + Number(value), 0);
  };
  const filesOf = (ending: string): number => filesBelow(folder, ending).length;
  const [segments, deltas] = [filesOf('.rows'), filesOf('.delta')];
  return {
    ms: Date.now(),
    rssMiB: memoryOf(pid, 'VmRSS') / 2 ** 20,
    heapMiB: sum('nodejs_heap_size_used_bytes') / 2 ** 20,
    buffersMiB: sum('nodejs_external_memory_bytes') / 2 ** 20,
    pending: sum('assay_pending_predictions'),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    files: filesOf('') - segments - deltas,
    segments,
    deltas,
  };
}

/** A service that is looked at. */
export interface Sampled {
  readonly url: string;
  readonly pid: number;
}

/** Growth by the line of least squares, an hour. */
export function slopePerHour(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const n = samples.length;
  const meanX = samples.reduce((sum, { ms }) => sum + ms, 0) / n;
  const meanY = samples.reduce((sum, sample) => sum + of(sample), 0) / n;
  let xy = 0;
  let xx = 0;
  for (const sample of samples) {
    xy += (sample.ms - meanX) * (of(sample) - meanY);
    xx += (sample.ms - meanX) ** 2;
  }
  return (3_600_000 * xy) / xx;
}
