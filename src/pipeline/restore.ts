import { emptyPartition, type PartitionState } from '../state/partition.ts';
import { createFold } from '../stream/fold.ts';
import type { AvailableSince } from '../state/available-since.ts';
import { restoredUnder } from '../state/migrate.ts';
import type { Settings } from '../state/settings.ts';
import type { Steps } from '../state/steps.ts';
import { restoreStore } from '../formats/checkpoint/checkpoint.ts';
import { type Checkpoint, partitionName, type Source, type TopicPartition } from '../ports.ts';
import { type Identity, logProblem, migrationOf } from './identity.ts';
import { retried, type Service } from './service.ts';
import { inSlices, inTurn } from './time-slices.ts';
import { createTask, type Task } from './task.ts';

/** A partition that must not be read: the message names what is wrong and the remedies. It stays paused, the others go on. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/**
 * Brings a partition's state back from its newest valid checkpoint, or starts it where the configuration says. Outages are retried;
 * throws `Refusal` where going on would lose or miscount, and `UsageError` where the configuration changed.
 */
export async function restore(service: Service, partition: TopicPartition): Promise<Task> {
  const { checkpoints, log } = service.options;
  const name = partitionName(partition);
  const files = await ask(service, name, 'loading the checkpoint', () => checkpoints.load(partition));
  const identity = await identityOf(service, partition);
  const last = files.at(-1);
  if (last === undefined) return begin(service, partition, identity);
  const { clock, reader } = service.options;
  const restored = restoredState(service, files, identity, name);
  const { state, rows, isMigrated } = await inTurn(service.queue, () => inSlices(clock, restored));
  const task = createTask(partition, createFold(state, reader(partition.topic)), identity, { id: last.id, rows });
  if (isMigrated) {
    task.migrated = true;
    const availableSince = state.availableSince.map((part) => reportedAvailability(part, state.settings));
    log.warn({ partition: name, availableSince }, 'partition goes on under other settings');
  }
  await fitToLog(service, task);
  log.info({ partition: name, offset: state.numbers.nextOffset, files: files.length }, 'partition restored');
  return task;
}

/** Throws `Refusal` where the topic of a task, which this instance has held, is not the one any more that it has read. */
export async function refuseOtherLog(service: Service, task: Task): Promise<void> {
  const problem = logProblem(task.identity, await identityOf(service, task.partition));
  if (problem !== undefined) throw new Refusal(`${task.name}: ${problem}`);
}

async function identityOf(service: Service, partition: TopicPartition): Promise<Identity> {
  const { source, configuration } = service.options;
  const { topic } = partition;
  const asking = 'asking for the cluster';
  const { id, partitions, topicIds } = await ask(service, partitionName(partition), asking, () => source.cluster());
  const topicId = topicIds?.get(topic);
  return {
    ...configuration,
    ...{ cluster: id, partitions: partitions.get(topic) ?? 0 },
    ...(topicId === undefined ? {} : { topicId }),
  };
}

function reportedAvailability({ kind, name, sinceMs }: AvailableSince, { windows: { windows } }: Settings): string {
  const label = kind === 'window' ? windows.find(({ lengthMs }) => `${lengthMs}` === name)!.name : name;
  return `${kind} ${label} since ${new Date(sinceMs).toISOString()}`;
}

/** The state of the files, if it was made of this log, under settings that it can go on from; and where its score rows lie. */
function* restoredState(
  { options: { settings, changes } }: Service,
  files: readonly Checkpoint[],
  identity: Identity,
  name: string,
): Steps<{ readonly state: PartitionState; readonly rows: object | undefined; readonly isMigrated: boolean }> {
  const { store } = yield* restoreStore(files.map(({ bytes }) => bytes));
  const { identity: made, rows } = JSON.parse(store.header) as { identity: Identity; rows?: object };
  const migration = migrationOf(made, identity, { changes, settings, name });
  const problem = logProblem(made, identity);
  if (problem !== undefined) throw new Refusal(`${name}: ${problem}`);
  return { state: yield* restoredUnder(settings, store, migration), rows, isMigrated: migration !== undefined };
}

/** A partition of which nothing is saved. */
async function begin(service: Service, partition: TopicPartition, identity: Identity): Promise<Task> {
  const { settings, reader, log, source } = service.options;
  const name = partitionName(partition);
  const state = emptyPartition(settings);
  const committed = await ask(service, name, 'asking for the committed offset', () => source.committed(partition));
  refuseCommitted(service, name, committed);
  state.numbers.nextOffset = await ask(service, name, 'finding the start', () => startOf(service, partition));
  log.info({ partition: name, offset: state.numbers.nextOffset }, 'partition starts without a checkpoint');
  return createTask(partition, createFold(state, reader(partition.topic)), identity, undefined);
}

/**
 * Compares a task with the log, which may have been trimmed or cut meanwhile. Throws `Refusal` where it does not reach our position,
 * but skips a gap where the configuration says so.
 */
export async function fitToLog(service: Service, task: Task): Promise<void> {
  const { numbers } = task.state;
  const boundsOf = (): ReturnType<Source['bounds']> =>
    ask(service, task.name, 'asking for the bounds', () => service.options.source.bounds(task.partition));
  let bounds = await boundsOf();
  if (bounds.high < numbers.nextOffset) {
    // A new leader may not yet know how far its replicas are.
    await service.options.clock.sleep(leaderPatienceMs, service.options.signal);
    bounds = await boundsOf();
  }
  if (task.closed) return;
  checkBounds(service, task, bounds);
  // The last record applied has left the log: nothing to compare.
  if (numbers.lastOffset < bounds.low) task.verify = false;
}

const leaderPatienceMs = 1_000;

function ask<T>(service: Service, name: string, what: string, question: () => Promise<T>): Promise<T> {
  return retried(service, { what: `${what} of ${name}`, outage: `${what} ${name}` }, question);
}

function refuseCommitted({ options }: Service, name: string, committed: number | undefined): void {
  if (options.rebuild || committed === undefined || committed === 0) return;
  throw new Refusal(
    `${name} has no checkpoint, but its group has committed offset ${committed}: starting empty would lose what was counted. ` +
      'Give this instance the state.dir of the instance that had the partition, use another kafka.group_id, or start with --rebuild to read the topic again from the beginning',
  );
}

async function startOf({ options, begunWith }: Service, partition: TopicPartition): Promise<number> {
  const { from, source, rebuild } = options;
  const { low, high } = await source.bounds(partition);
  const isNewer = partition.partition >= (begunWith.get(partition.topic) ?? Number.POSITIVE_INFINITY);
  if (rebuild || isNewer || from === 'earliest') return low;
  return from === 'latest' ? high : Math.max(low, await source.offsetAt(partition, from.timeMs));
}

/** Refuses a log that does not reach our position, and skips a gap only where the configuration says so. */
function checkBounds(
  { options }: Service,
  task: Task,
  { low, high }: { readonly low: number; readonly high: number },
): void {
  const { name, state } = task;
  const { numbers } = state;
  if (numbers.nextOffset > high)
    throw new Refusal(
      `${name} ends at offset ${high}, before our checkpoint at ${numbers.nextOffset}: the topic was recreated or cut. ` +
        'Use another kafka.group_id, or start with --rebuild',
    );
  if (numbers.nextOffset >= low) return;
  const lost = low - numbers.nextOffset;
  if (options.onGap === 'refuse')
    throw new Refusal(
      `${name} begins at offset ${low}, behind our checkpoint at ${numbers.nextOffset}: ${lost} records were deleted before they were read. ` +
        'Set kafka.on_gap: skip to go on and count the gap, or start with --rebuild',
    );
  options.log.warn({ partition: name, lost }, 'skipping a gap: records were deleted before they were read');
  numbers.lost += lost;
  numbers.nextOffset = low;
  task.touched = true;
  options.telemetry.live.lostRecords += lost;
}
