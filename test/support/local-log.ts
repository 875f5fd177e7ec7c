import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type LocalLog, type LocalLogOptions, openLocalLog } from '../../src/adapters/local-log/local-log.ts';
import { localSource, partitionsOf } from '../../src/adapters/local-log/local-source.ts';
import type { IntakeRecord, Log, Source } from '../../src/ports.ts';
import { type RecordingConsumer, recordingConsumer } from './recording-consumer.ts';
import { until } from './until.ts';

/** A log that keeps its lines: `message key=value`, values as JSON. */
export interface KeptLog extends Log {
  readonly lines: string[];
}

export function keptLog(): KeptLog {
  const lines: string[] = [];
  const write = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
  return { lines, debug: write, info: write, warn: write, error: write };
}

export interface TestedLog extends LocalLog {
  readonly log: KeptLog;
  /** What keeps records from being written, as it was told. */
  readonly outages: (string | undefined)[];
}

/** A log in a folder as `assay run` opens it, but without time that is told to quiet partitions unless a test asks for it. */
export async function openLog(folder: string, options: Partial<LocalLogOptions> = {}): Promise<TestedLog> {
  const log = keptLog();
  const outages: (string | undefined)[] = [];
  const local = await openLocalLog({
    ...{
      folder,
      topic: 'events',
      partitions: 2,
      keepMs: 3_600_000,
      backlogBytes: 2 ** 28,
      quietMs: 0,
      everyMs: 20,
      log,
    },
    clock: { nowMs: Date.now },
    onOutage: (problem) => void outages.push(problem),
    onLost: (error) => {
      throw error;
    },
    ...options,
  });
  return { ...local, log, outages };
}

/** Records with a key each, whose values are texts. */
export function recordsOf(...texts: readonly string[]): IntakeRecord[] {
  return texts.map((text) => ({ key: Buffer.from(text.slice(0, 4)), value: Buffer.from(text) }));
}

/** The source of all partitions of events. */
export function sourceOf(
  { shared }: Pick<LocalLog, 'shared'>,
  options: { untilEnd?: boolean; log?: Log } = {},
): Source {
  const { untilEnd = false, log = keptLog() } = options;
  const signal = new AbortController().signal;
  return localSource({ shared, partitions: partitionsOf(shared, 1, 1), untilEnd, log, signal });
}

/** Reads the log up to its present ends. */
export async function readAll(local: Pick<LocalLog, 'shared'>, start = 0): Promise<RecordingConsumer> {
  const consumer = recordingConsumer({ start: () => start });
  await sourceOf(local, { untilEnd: true }).run(consumer);
  return consumer;
}

/** All values that a consumer has, in no certain order. */
export function valuesIn(consumer: RecordingConsumer): string[] {
  return [...consumer.seen.values()].flatMap((seen) => seen.map(({ value }) => String(value))).sort();
}

/** Reads on until so many records came. */
export async function readUntil(consumer: RecordingConsumer, count: number): Promise<void> {
  await until(`${count} records`, () => consumer.count() >= count);
}

/** Paths of the segments of a partition. */
export function segmentsIn(folder: string, partition: string): string[] {
  const names = readdirSync(join(folder, partition)).filter((name) => name.endsWith('.log'));
  return names.sort().map((name) => join(folder, partition, name));
}
