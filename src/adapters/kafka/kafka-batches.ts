import type { Batch, EachBatchPayload } from 'kafkajs';
import type { LogRecord } from '../../stream/event.ts';
import { partitionName } from '../../ports.ts';
import type { Parcel } from './fetch-response.ts';
import { type Assignment, type Held, refused, seek, unreadable } from './kafka-assignment.ts';
import { isRebalance } from './kafka-outage.ts';
import type { FetchedBatch } from './kafkajs-parts.ts';
import { createTurns, type Turns } from './turns.ts';

/** All partitions together are given records for so long within one turn: short enough for heartbeats and scrapes. */
const turnMs = 5;
/** Records between two looks at the clock. */
const stepRecords = 64;

export interface Delivery {
  readonly assignment: Assignment;
  /** Least time between two heartbeats. */
  readonly heartbeatMs: number;
  /** How long a rebalance waits for back pressure to end. */
  readonly patienceMs: number;
  /** What a batch holds, and the epoch in which it was asked for. */
  readonly parcels: WeakMap<object, { readonly parcel: Parcel; readonly epoch: number }>;
  readonly turns: Turns;
  heartbeatAtMs: number;
}

/** Delivers the batches of an assignment. */
export function newDelivery(assignment: Assignment, times: { heartbeatMs: number; patienceMs: number }): Delivery {
  return { assignment, ...times, parcels: new WeakMap(), turns: createTurns(turnMs), heartbeatAtMs: 0 };
}

/**
 * Notes what a fetch has brought, before kafkajs hands it out one by one. A batch whose records are all control records or aborted
 * counts as any other, or kafkajs would move the position by itself, and not always the right one.
 */
export function fetched(delivery: Delivery, batches: FetchedBatch[], epoch: number): FetchedBatch[] {
  const { assignment, parcels } = delivery;
  if (epoch !== assignment.epoch || assignment.stopping) return [];
  const full: FetchedBatch[] = [];
  for (const batch of batches) {
    assignment.consumer.highWatermark({ topic: batch.topic, partition: batch.partition }, Number(batch.highWatermark));
    const parcel = batch.rawMessages[0] as Parcel | undefined;
    if (parcel === undefined) continue;
    batch.isEmpty = () => false;
    parcels.set(batch, { parcel, epoch });
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
  const each = assignment.held.get(partitionName(batch));
  const parcel = each === undefined ? undefined : currentParcel(delivery, each, batch);
  if (group === undefined || each === undefined || parcel === undefined) return;
  const next = consumer.nextOffset(each.partition);
  if (next === undefined) {
    refused(assignment, each);
    return;
  }
  if (Number((batch as Batch & { readonly fetchedOffset: string }).fetchedOffset) > next) {
    seek(group, each.partition, next);
    return;
  }
  try {
    const all = await deliverInTurns(delivery, each, parcel.records, next, heartbeat);
    if (all && parcel.nextOffset !== undefined && parcel.nextOffset > next)
      consumer.advanced(each.partition, parcel.nextOffset);
    if (all && parcel.problem !== undefined) unreadable(assignment, each, parcel.problem);
  } finally {
    const reached = consumer.nextOffset(each.partition);
    if (assignment.epoch === epoch && each.ready && reached !== undefined) {
      group.resolveOffset({ ...each.partition, offset: String(reached - 1) });
    }
  }
}

function currentParcel({ assignment, parcels }: Delivery, each: Held, batch: Batch): Parcel | undefined {
  const { epoch, rebalancing, stopping } = assignment;
  const fetched = parcels.get(batch);
  return each.ready && !rebalancing && !stopping && fetched?.epoch === epoch ? fetched.parcel : undefined;
}

/** Gives whether all records were delivered: not, if the partition pauses or goes, or the source stops or joins again. */
async function deliverInTurns(
  delivery: Delivery,
  each: Held,
  records: readonly LogRecord[],
  next: number,
  heartbeat: () => Promise<void>,
): Promise<boolean> {
  const { assignment, turns } = delivery;
  const { epoch, consumer } = assignment;
  let reached = next;
  // Others have their turns meanwhile: the consumer may have been asked again, and gone back.
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
    await turns.take(() => {
      while (from < records.length && pressure === undefined && isCurrent()) {
        const to = Math.min(records.length, from + stepRecords);
        pressure = consumer.records(each.partition, records, from, to);
        from = to;
        reached = records[to - 1]!.offset + 1;
        if (turns.isOver()) break;
      }
    });
    if (pressure !== undefined) await underPressure(delivery, each, pressure, heartbeat);
    await beat(delivery, heartbeat);
    if (!isCurrent()) return false;
  }
  return true;
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
 * Waits until the consumer can take more, and stays a member. The group waits for this, up to a limit: then it may go on without us,
 * and the consumer is asked about this partition again only when it is free.
 */
async function underPressure(
  delivery: Delivery,
  each: Held,
  pressure: Promise<void>,
  heartbeat: () => Promise<void>,
): Promise<void> {
  let free = false;
  let rebalance: { readonly error: unknown; readonly sinceMs: number } | undefined;
  const done = pressure.then(
    () => {
      free = true;
    },
    (error: unknown) => {
      free = true;
      delivery.assignment.fail(error);
    },
  );
  while (!free && !(rebalance !== undefined && performance.now() - rebalance.sinceMs > delivery.patienceMs)) {
    await either(done, delivery.heartbeatMs);
    if (free) break;
    await heartbeat().catch((error: unknown) => {
      // A broker that cannot be reached is kafkajs's concern, at its next fetch.
      if (isRebalance(error)) rebalance ??= { error, sinceMs: performance.now() };
    });
  }
  if (rebalance === undefined) return;
  delivery.assignment.rebalancing = true;
  if (!free) each.busy = done.finally(() => (each.busy = undefined));
  throw rebalance.error;
}

async function either(done: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([done, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
