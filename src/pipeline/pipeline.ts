import type { LogRecord } from '../stream/event.ts';
import { fingerprint, foldRecords } from '../stream/fold.ts';
import { type Consumer, partitionName, type TopicPartition } from '../ports.ts';
import { consumedRecords, observe, partitionGauges } from '../telemetry.ts';
import { checkpoint } from './checkpointing.ts';
import { lookAtClock } from './clock-notes.ts';
import { collect, gauge } from './collect.ts';
import { closeFrames, openFrames } from './open-frames.ts';
import { resolvePending } from './resolve-pending.ts';
import { fitToLog, Refusal, refuseOtherLog, restore } from './restore.ts';
import { beginRows, listen, publishedRows, spillRows } from './score-rows.ts';
import { createService, type Service, type ServiceOptions } from './service.ts';
import type { Task } from './task.ts';

/** Folds what a source delivers into the states of its partitions, and makes them durable. */
export interface Pipeline {
  readonly service: Service;
  readonly consumer: Consumer;
  /** Saves and commits what changed: on a timer, and before this instance lets go of partitions. */
  checkpointAll(): Promise<void>;
  /** Another version of the truth is in use: pending predictions are resolved by it. */
  truthChanged(): void;
}

/** From this many dead letters of a partition on, its next records wait until they are written. */
const deadLettersMax = 1_000;

/** A pipeline without partitions: its source assigns them. */
export function createPipeline(options: ServiceOptions): Pipeline {
  const service = createService(options);
  const all = (): Promise<void> => checkpoint(service);
  return {
    service,
    checkpointAll: all,
    truthChanged() {
      for (const task of service.tasks.values()) resolvePending(service, task);
    },
    consumer: {
      assigned: (partition, kept) => assigned(service, partition, kept),
      rebalanced: () => void (options.telemetry.live.rebalances += 1),
      revoked: (partition) => revoked(service, partition),
      save: all,
      async beforeStop() {
        await all();
        await publishedRows(service);
      },
      nextOffset(partition) {
        const task = openTask(service, partition);
        return task && nextOffsetOf(task);
      },
      records: (partition, records, from, to) => deliver(service, partition, records, from, to),
      advanced(partition, nextOffset) {
        const task = openTask(service, partition);
        if (task === undefined) return;
        if (task.verify && nextOffset <= task.state.numbers.lastOffset) return;
        task.verify = false;
        task.state.numbers.nextOffset = Math.max(task.state.numbers.nextOffset, nextOffset);
        service.refused.delete(task.name);
        gauge(service, task);
      },
      unreadable: (partition, problem, remedy) => unreadable(service, partitionName(partition), problem, remedy),
      highWatermark(partition, high) {
        const task = service.tasks.get(partitionName(partition));
        if (task !== undefined) partitionGauges(options.telemetry, partition).high = high;
      },
    },
  };
}

async function assigned(service: Service, partition: TopicPartition, kept: boolean): Promise<number | undefined> {
  const name = partitionName(partition);
  const known = service.tasks.get(name);
  if (kept && known !== undefined) return keep(service, known);
  revoked(service, partition);
  const claim = Symbol(name);
  service.restoring.set(name, claim);
  try {
    const task = await restore(service, partition);
    if (service.restoring.get(name) !== claim) return undefined;
    await beginRows(service, task);
    if (service.restoring.get(name) !== claim) return undefined;
    service.tasks.set(name, task);
    listen(service, task);
    resolvePending(service, task);
    gauge(service, task);
    // The start is durable: another start would find other ends, and pass over what came between.
    const isPlaced = service.options.from !== 'earliest' || task.state.numbers.nextOffset > 0;
    if (task.checkpointId === undefined && isPlaced) {
      task.touched = true;
      await checkpoint(service);
    }
    return nextOffsetOf(task);
  } catch (error) {
    if (service.restoring.get(name) !== claim) return undefined;
    refuse(service, partition, error);
    return undefined;
  } finally {
    if (service.restoring.get(name) === claim) service.restoring.delete(name);
  }
}

/** Goes on with the state in memory: the source has lost the position, and the log may have been trimmed or recreated meanwhile. */
async function keep(service: Service, task: Task): Promise<number | undefined> {
  task.verify = task.state.numbers.lastOffset >= 0;
  try {
    await refuseOtherLog(service, task);
    await fitToLog(service, task);
    return task.closed ? undefined : nextOffsetOf(task);
  } catch (error) {
    if (!task.closed) refuse(service, task.partition, error);
    return undefined;
  }
}

/** Leaves a partition alone, for a reason that only a person can remove. */
function refuse(service: Service, partition: TopicPartition, error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  const name = partitionName(partition);
  revoked(service, partition);
  service.refused.set(name, error.message);
  service.options.log.error({ partition: name }, error.message);
}

/** Logged once; what was counted stays, and the partition goes on if the batch can be read later. */
function unreadable(service: Service, name: string, problem: string, remedy: string): void {
  const message = `${name} is paused: ${problem}: ${remedy}`;
  if (service.refused.get(name) === message) return;
  service.refused.set(name, message);
  service.options.log.error({ partition: name }, message);
}

function openTask(service: Service, partition: TopicPartition): Task | undefined {
  const task = service.tasks.get(partitionName(partition));
  return task?.closed ? undefined : task;
}

function nextOffsetOf(task: Task): number {
  const { numbers } = task.state;
  return task.verify ? numbers.lastOffset : numbers.nextOffset;
}

function revoked(service: Service, partition: TopicPartition): void {
  const name = partitionName(partition);
  const task = service.tasks.get(name);
  if (task !== undefined) task.closed = true;
  service.tasks.delete(name);
  service.restoring.delete(name);
  service.refused.delete(name);
  service.options.telemetry.partitions.delete(name);
  service.options.scores?.drop(partition);
}

/** Applies records now, or as soon as the partition is not busy and the dead letters are written. */
function deliver(
  service: Service,
  partition: TopicPartition,
  records: readonly LogRecord[],
  from: number,
  to: number,
): Promise<void> | undefined {
  const task = openTask(service, partition);
  if (task === undefined) return undefined;
  const wait = task.heldBack ?? task.busy;
  if (wait !== undefined)
    return wait.then(() => (task.closed ? undefined : deliver(service, partition, records, from, to)));
  if (task.verify && !verified(service, task, records, from, to)) return undefined;
  const closed = openFrames(service, task.name, records, from, to);
  if (closed !== undefined) return closed.then(() => deliver(service, partition, records, from, to));
  apply(service, task, records, from, to);
  closeFrames(service, records, from, to);
  if (task.deadLetters.length >= deadLettersMax) return checkpoint(service);
  return service.options.scores?.isFull() ? spillRows(service) : undefined;
}

/** The last record applied before comes once more, and must be the same: else the log is another one. */
function verified(service: Service, task: Task, records: readonly LogRecord[], from: number, to: number): boolean {
  const { numbers } = task.state;
  let index = from;
  while (index < to && records[index]!.offset < numbers.lastOffset) index++;
  if (index === to) return true;
  task.verify = false;
  const record = records[index]!;
  // Compaction may have taken it out, or a lower limit keeps it from being read.
  if (record.offset > numbers.lastOffset || record.unread !== undefined) return true;
  const words = fingerprint(record);
  if ([numbers.last0, numbers.last1, numbers.last2, numbers.last3].every((word, at) => word === words[at])) return true;
  const message =
    `${task.name} holds another record at offset ${numbers.lastOffset} than the one that was applied: the topic was recreated. ` +
    'Use another kafka.group_id, or start with --rebuild';
  refuse(service, task.partition, new Refusal(message));
  return false;
}

function apply(service: Service, task: Task, records: readonly LogRecord[], from: number, to: number): void {
  const { clock, telemetry } = service.options;
  const start = clock.monotonicMs();
  service.lastRecordMs = start;
  telemetry.work.set(task.name, start);
  foldRecords(task.fold, records, from, to, task.truth!);
  consumedRecords(telemetry, task.partition).records += to - from;
  collect(service, task, records);
  lookAtClock(service, task, records);
  telemetry.work.delete(task.name);
  observe(telemetry.batchSeconds, (clock.monotonicMs() - start) / 1000);
}
