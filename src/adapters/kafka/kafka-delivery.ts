import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Batch, EachBatchPayload } from 'kafkajs';
import type { LogRecord } from '../../stream/event.ts';
import { partitionName } from '../../ports.ts';
import { type AssignedPartition, type Assignment, pauseUntil, refused, seek, unreadable } from './kafka-assignment.ts';
import { isRebalance } from './kafka-outage.ts';
import type { FetchedBatch } from './kafkajs-parts.ts';
import type { FetchedRecords } from './record-batches.ts';
import type { UnreadBatch } from './records.ts';

/** Time in which records are delivered before the event loop turns: short enough for heartbeats and scrapes. */
const sliceMs = 5;
/** After so long under back pressure a partition pauses. */
const pauseAfterMs = 1_000;
/** Records between two looks at the clock, and their bytes: a large record may take as long as 50 ms. */
const stepRecords = 64;
const stepBytes = 65_536;

export interface Delivery {
  readonly assignment: Assignment;
  /** Least time between two heartbeats. */
  readonly heartbeatMs: number;
  /** How long a rebalance waits for back pressure to end. */
  readonly patienceMs: number;
  /** The content of each batch of kafkajs, and the epoch in which it was requested. */
  readonly fetched: WeakMap<object, { readonly content: FetchedRecords; readonly epoch: number }>;
  heartbeatAtMs: number;
  /** The join under way. */
  joining: Promise<void> | undefined;
}

/** Delivers the batches of an assignment. */
export function newDelivery(assignment: Assignment, times: { heartbeatMs: number; patienceMs: number }): Delivery {
  return { assignment, ...times, fetched: new WeakMap(), heartbeatAtMs: 0, joining: undefined };
}

/**
 * Notes the batches of a fetch, before kafkajs hands it out one by one. A batch whose records are all control records or aborted
 * counts as any other, or kafkajs would move the position by itself, and not always the right one.
 */
export function noteFetched(delivery: Delivery, batches: FetchedBatch[], epoch: number): FetchedBatch[] {
  const { assignment, fetched } = delivery;
  if (epoch !== assignment.epoch || assignment.stopping) return [];
  const full: FetchedBatch[] = [];
  for (const batch of batches) {
    const end = Number(batch.highWatermark);
    assignment.consumer.highWatermark({ topic: batch.topic, partition: batch.partition }, end);
    const each = assignment.partitions.get(partitionName(batch));
    if (each !== undefined) each.end = end;
    const content = batch.rawMessages[0] as FetchedRecords | undefined;
    if (content === undefined) continue;
    batch.isEmpty = () => false;
    fetched.set(batch, { content, epoch });
    full.push(batch);
  }
  return full;
}

/**
 * Gives the records of a batch to the consumer. kafkajs may bring a batch that is out of date: of another epoch, from before the
 * position (after a change of leader it delivers some records again) or from behind it. Only the consumer's own position counts.
 */
export async function deliver(delivery: Delivery, { batch, heartbeat }: EachBatchPayload): Promise<void> {
  const { assignment } = delivery;
  const { group, epoch, consumer } = assignment;
  const each = assignment.partitions.get(partitionName(batch));
  const content = each === undefined ? undefined : currentContent(delivery, each, batch);
  if (group === undefined || each === undefined || content === undefined) return;
  const next = consumer.nextOffset(each.partition);
  if (next === undefined) {
    refused(assignment, each);
    return;
  }
  const fetchedOffset = Number((batch as Batch & { readonly fetchedOffset: string }).fetchedOffset);
  if (fetchedOffset > next) {
    seek(group, each.partition, next);
    return;
  }
  try {
    const end = content.unread?.nextOffset ?? content.nextOffset ?? next;
    if (fetchedOffset === next && end <= next && content.problem === undefined)
      unreadable(assignment, each, `it ends at offset ${end}, before that of the fetch, ${next}`);
    else await deliverContent(delivery, each, content, next, heartbeat);
  } finally {
    const reached = consumer.nextOffset(each.partition);
    if (assignment.epoch === epoch && each.ready && reached !== undefined) {
      group.resolveOffset({ ...each.partition, offset: String(reached - 1) });
    }
  }
}

function currentContent(
  { assignment, fetched }: Delivery,
  each: AssignedPartition,
  batch: Batch,
): FetchedRecords | undefined {
  const { epoch, rebalancing, stopping } = assignment;
  const noted = fetched.get(batch);
  return each.ready && !rebalancing && !stopping && noted?.epoch === epoch ? noted.content : undefined;
}

async function deliverContent(
  delivery: Delivery,
  each: AssignedPartition,
  { records, nextOffset, problem, unread }: FetchedRecords,
  next: number,
  heartbeat: () => Promise<void>,
): Promise<void> {
  const { consumer } = delivery.assignment;
  const advance = (offset: number): void => {
    if (offset <= next) return;
    each.failedReads = 0;
    consumer.advanced(each.partition, offset);
  };
  if (!(await deliverInSlices(delivery, each, records, next, heartbeat))) return;
  if (nextOffset !== undefined) advance(nextOffset);
  if (unread !== undefined) {
    for (const some of unreadRecords(unread))
      if (!(await deliverInSlices(delivery, each, some, next, heartbeat))) return;
    advance(unread.nextOffset);
  }
  if (problem !== undefined) unreadable(delivery.assignment, each, problem);
}

/** The records of a batch that is not read, without their bytes: some at a time, as a header may count millions. */
function* unreadRecords({ firstOffset, count, unread }: UnreadBatch): Generator<LogRecord[]> {
  const chunkRecords = 1_000;
  const empty = { bytes: new Uint8Array(0), start: -1, end: -1, timestamp: Number.NaN, unread };
  for (let from = 0; from < count; from += chunkRecords)
    yield Array.from({ length: Math.min(chunkRecords, count - from) }, (_, at) => ({
      ...empty,
      offset: firstOffset + from + at,
    }));
}

/** Returns whether all records were delivered: not, if the partition pauses or goes, or the source stops or joins again. */
async function deliverInSlices(
  delivery: Delivery,
  each: AssignedPartition,
  records: readonly LogRecord[],
  next: number,
  heartbeat: () => Promise<void>,
): Promise<boolean> {
  const { assignment } = delivery;
  const { epoch, consumer } = assignment;
  let reached = next;
  // Between two slices the consumer may have been asked again, and gone back.
  const isCurrent = (): boolean =>
    assignment.epoch === epoch &&
    !assignment.rebalancing &&
    !assignment.stopping &&
    each.ready &&
    (consumer.nextOffset(each.partition) ?? -1) >= reached;
  let from = 0;
  while (from < records.length && records[from]!.offset < next) from++;
  while (from < records.length) {
    let pressure: Promise<void> | undefined;
    await nextTurn();
    const sliceEndMs = performance.now() + sliceMs;
    while (from < records.length && pressure === undefined && isCurrent()) {
      const to = endOfStep(records, from);
      pressure = consumer.records(each.partition, records, from, to);
      from = to;
      reached = records[to - 1]!.offset + 1;
      if (performance.now() >= sliceEndMs) break;
    }
    if (pressure !== undefined) await underPressure(delivery, each, pressure, heartbeat);
    await beat(delivery, heartbeat);
    if (!isCurrent()) return false;
  }
  return true;
}

function endOfStep(records: readonly LogRecord[], from: number): number {
  const last = Math.min(records.length, from + stepRecords);
  let to = from;
  for (let bytes = 0; to < last && bytes < stepBytes; to++) bytes += records[to]!.end - records[to]!.start;
  return to;
}

async function beat(delivery: Delivery, heartbeat: () => Promise<void>): Promise<void> {
  const now = performance.now();
  if (now - delivery.heartbeatAtMs < delivery.heartbeatMs) return;
  delivery.heartbeatAtMs = now;
  try {
    await heartbeat();
  } catch (error) {
    // The other batches of this fetch are not worth the wait of the group.
    if (isRebalance(error)) delivery.assignment.rebalancing = true;
    throw error;
  }
}

/**
 * Waits until the consumer can take more, and stays a member. After a while the partition pauses instead, and the others go on. A
 * rebalance waits longer, up to a limit: then the group may go on without us, and the consumer is asked about this partition again only
 * when it is free.
 */
async function underPressure(
  delivery: Delivery,
  each: AssignedPartition,
  pressure: Promise<void>,
  heartbeat: () => Promise<void>,
): Promise<void> {
  let free = false;
  let rebalance: { readonly error: unknown; readonly sinceMs: number } | undefined;
  const done = pressure.catch(delivery.assignment.fail).finally(() => void (free = true));
  const startMs = performance.now();
  const isPatient = (): boolean =>
    rebalance === undefined
      ? performance.now() - startMs < pauseAfterMs
      : performance.now() - rebalance.sinceMs <= delivery.patienceMs;
  while (!free && isPatient()) {
    await withLimit(delivery.heartbeatMs, done);
    if (free) break;
    await heartbeat().catch((error: unknown) => {
      // A broker that cannot be reached is kafkajs's concern, at its next fetch.
      if (isRebalance(error)) rebalance ??= { error, sinceMs: performance.now() };
    });
  }
  if (rebalance === undefined) {
    if (!free) pauseUntil(delivery.assignment, each, done);
    return;
  }
  delivery.assignment.rebalancing = true;
  if (!free) each.busy = done.finally(() => (each.busy = undefined));
  throw rebalance.error;
}

/** Resolves when the work is done, or after some time without it. */
export async function withLimit(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
