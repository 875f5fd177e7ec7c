import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Consumer, type Log, partitionName, type Source, type TopicPartition } from '../../ports.ts';
import type { LogRecord } from '../../stream/event.ts';
import { type SegmentReader, segmentReader } from './segment-reader.ts';
import { listSegments, partitionPath } from './segments.ts';
import { type SharedLog, type SharedNumbers, sharedNumbers, truthTopic } from './shared-log.ts';

export interface LocalSourceOptions {
  readonly shared: SharedLog;
  readonly partitions: readonly TopicPartition[];
  /** Stop at the ends that the log has at `run`. */
  readonly untilEnd: boolean;
  readonly log: Log;
  /** Aborting it is the same as `stop`. */
  readonly signal: AbortSignal;
}

/** The partitions of events that the worker of a number reads (from 1), of so many. */
export function partitionsOf({ topic, partitions }: SharedLog, worker: number, workers: number): TopicPartition[] {
  const all = Array.from({ length: partitions }, (_, partition) => ({ topic, partition }));
  return all.filter(({ partition }) => partition % workers === worker - 1);
}

/** The one partition of truth. */
export const truthPartition: TopicPartition = { topic: truthTopic, partition: 0 };

/**
 * Partitions of the log inside, for a thread beside its writer. Each is read by itself: one that waits for its consumer, or is damaged, holds no other up.
 */
export function localSource(options: LocalSourceOptions): Source {
  const { shared, partitions } = options;
  const numbers = sharedNumbers(shared);
  const stopping = new AbortController();
  const over = AbortSignal.any([options.signal, stopping.signal]);
  const state = { running: undefined as Promise<void> | undefined };
  return {
    async run(consumer) {
      state.running = readAll({ ...options, signal: over, numbers, consumer }, () => stopping.abort());
      await state.running;
    },
    async stop() {
      stopping.abort();
      await state.running?.catch(() => undefined);
    },
    async commit(offsets) {
      const names = partitions.map(partitionName);
      const held = offsets.filter((each) => names.includes(partitionName(each)));
      for (const each of held) cover(shared, numbers, each, each.nextOffset);
      return held.map(({ topic, partition }) => ({ topic, partition }));
    },
    joined: () => state.running !== undefined && !over.aborted,
    bounds: async (at) => ({ low: await lowOf(shared, at), high: numbers.end(numberOf(shared, at)) }),
    async committed(at) {
      // Segments are removed when checkpoints have passed them: where any is gone there was one.
      const low = await lowOf(shared, at);
      return low === 0 ? undefined : low;
    },
    cluster: async () => ({
      id: shared.id,
      partitions: new Map([
        [shared.topic, shared.partitions],
        [truthTopic, 1],
      ]),
    }),
    offsetAt: (at, timeMs) => offsetAt(shared, numbers, at, timeMs),
  };
}

interface Reading extends LocalSourceOptions {
  readonly numbers: SharedNumbers;
  readonly consumer: Consumer;
}

async function readAll(reading: Reading, fail: () => void): Promise<void> {
  const { partitions, numbers, consumer, untilEnd, signal } = reading;
  signal.addEventListener('abort', numbers.wake, { once: true });
  const parts = partitions.map((at) => readPartition({ ...reading, at }));
  for (const part of parts) part.catch(fail);
  const refused = await Promise.all(parts);
  // Where threads are more than partitions, one without any waits as well.
  if (!untilEnd) await untilAborted(signal);
  await consumer.beforeStop();
  const names = partitions.filter((_, index) => refused[index]).map(partitionName);
  if (untilEnd && names.length > 0 && !signal.aborted)
    throw new Error(`Stopped before the end of ${names.join(', ')}: refused, see the log for the remedy`);
}

/** Reads a partition until the end, or until the source stops; resolves with true where the consumer refused it. */
async function readPartition(reading: Reading & { readonly at: TopicPartition }): Promise<boolean> {
  const { shared, at, numbers, consumer, untilEnd } = reading;
  const end = untilEnd ? numbers.end(numberOf(shared, at)) : Number.POSITIVE_INFINITY;
  const next = await consumer.assigned(at, false);
  if (next === undefined) return true;
  cover(shared, numbers, at, next);
  const reader = segmentReader(partitionPath(shared.folder, at.topic, at.partition), next);
  try {
    return await deliverFrom({ ...reading, reader, end }, next);
  } finally {
    await reader.close();
  }
}

interface Delivery extends Reading {
  readonly at: TopicPartition;
  readonly reader: SegmentReader;
  /** Offset at which it stops. */
  readonly end: number;
}

async function deliverFrom(delivery: Delivery, from: number): Promise<boolean> {
  const { shared, at, numbers, consumer, reader, end, signal, untilEnd } = delivery;
  for (let next = from; next < end && !signal.aborted; ) {
    const version = numbers.version();
    const high = numbers.end(numberOf(shared, at));
    consumer.highWatermark(at, high);
    if (next >= high) {
      await numbers.changed(version);
      continue;
    }
    const batch = await reader.read(high);
    if ('records' in batch) {
      if (!(await deliver(delivery, batch.records))) return true;
      next = (batch.records.at(-1)?.offset ?? next - 1) + 1;
    } else if ('next' in batch) {
      skip(delivery, next, batch.next);
      next = batch.next;
    } else {
      consumer.unreadable(at, batch.problem, remedy);
      if (untilEnd) return true;
      await sleep(unreadableMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return false;
}

/** After so long a damaged record is tried again: a person may have put another file in its place. */
const unreadableMs = 10_000;

const remedy =
  'put a good copy of the file in its place; if there is none, start again and then move the file away: its records from there on are lost, and those of the next file follow';

/** Time in which records are delivered before the event loop turns. */
const sliceMs = 5;
const stepRecords = 64;
const stepBytes = 65_536;

/** Gives records to the consumer, which may make them wait. Returns whether it wants more of this partition. */
async function deliver({ at, consumer, signal }: Delivery, records: readonly LogRecord[]): Promise<boolean> {
  let sliceEndMs = performance.now() + sliceMs;
  for (let from = 0; from < records.length; ) {
    if (consumer.nextOffset(at) === undefined) return false;
    const to = endOfStep(records, from);
    const pressure = consumer.records(at, records, from, to);
    if (pressure !== undefined) await untilAborted(signal, pressure);
    if (signal.aborted) return true;
    from = to;
    if (performance.now() < sliceEndMs) continue;
    await nextTurn();
    sliceEndMs = performance.now() + sliceMs;
  }
  return consumer.nextOffset(at) !== undefined;
}

function endOfStep(records: readonly LogRecord[], from: number): number {
  const last = Math.min(records.length, from + stepRecords);
  let to = from;
  for (let bytes = 0; to < last && bytes < stepBytes; to++) bytes += records[to]!.end - records[to]!.start;
  return to;
}

function skip({ at, consumer, log }: Delivery, from: number, to: number): void {
  log.error({ partition: partitionName(at), lost: to - from }, 'records of the log are gone: their file is not there');
  consumer.advanced(at, to);
}

/** Waits until work is done, or until the signal aborts. */
async function untilAborted(signal: AbortSignal, work?: Promise<void>): Promise<void> {
  if (signal.aborted) return;
  let stop: (() => void) | undefined;
  const aborted = new Promise<void>((resolve) => (stop = resolve));
  signal.addEventListener('abort', stop!, { once: true });
  try {
    await Promise.race(work === undefined ? [aborted] : [aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop!);
  }
}

function numberOf({ partitions }: SharedLog, { topic, partition }: TopicPartition): number {
  return topic === truthTopic ? partitions : partition;
}

/** Tells the writer how far checkpoints are. */
function cover(
  shared: SharedLog,
  numbers: SharedNumbers,
  { topic, partition }: TopicPartition,
  nextOffset: number,
): void {
  if (topic === shared.topic) numbers.setCovered(partition, nextOffset);
}

async function lowOf({ folder }: SharedLog, { topic, partition }: TopicPartition): Promise<number> {
  return (await listSegments(partitionPath(folder, topic, partition)))[0]?.first ?? 0;
}

async function offsetAt(
  shared: SharedLog,
  numbers: SharedNumbers,
  at: TopicPartition,
  timeMs: number,
): Promise<number> {
  const high = numbers.end(numberOf(shared, at));
  const low = await lowOf(shared, at);
  const reader = segmentReader(partitionPath(shared.folder, at.topic, at.partition), low);
  try {
    for (let next = low; next < high; ) {
      const batch = await reader.read(high);
      if ('problem' in batch) return next;
      const records = 'records' in batch ? batch.records : [];
      const found = records.find(({ timestamp }) => timestamp >= timeMs);
      if (found !== undefined) return found.offset;
      next = 'next' in batch ? batch.next : (records.at(-1)?.offset ?? next - 1) + 1;
    }
    return high;
  } finally {
    await reader.close();
  }
}
