import { encode } from '../formats/checkpoint/checkpoint.ts';
import { storeOf } from '../state/saved.ts';
import type { Checkpoint, RowSegment } from '../ports.ts';
import { observe } from '../telemetry.ts';
import { writeDeadLetters } from './dead-letters.ts';
import { acceptRows, saveRows, takeRows } from './score-rows.ts';
import { retried, type Service } from './service.ts';
import { inSlices } from './time-slices.ts';
import { exclusively, type Task } from './task.ts';

/**
 * Saves what changed since the last checkpoints and commits their offsets: dead letters and score rows first, then the checkpoints, then the
 * commit, then the counters. Resolves when that is done for all that was applied before the call. One round at a time, so that what is committed
 * and counted is what was saved; callers that come meanwhile share the next one.
 */
export function checkpoint(service: Service): Promise<void> {
  const { rounds } = service;
  rounds.next ??= rounds.current.then(() => {
    rounds.next = undefined;
    rounds.current = runRound(service);
    return rounds.current;
  });
  return rounds.next;
}

async function runRound(service: Service): Promise<void> {
  const tasks = [...service.tasks.values()];
  for (const task of tasks) await saveChanges(service, task);
  await commit(service, tasks);
}

async function saveChanges(service: Service, task: Task): Promise<void> {
  await save(service, task, () => hasChanged(task) || service.options.scores?.isDue(task.partition) === true);
  // Not before there are two snapshots is an offset committed: with one, a single damaged file would leave the partition without any. The
  // process that began it may have died between the two.
  const wantsSnapshot = (): boolean => service.options.checkpoints.wantsSnapshot(task.partition);
  if (wantsSnapshot()) await save(service, task, wantsSnapshot);
}

function hasChanged(task: Task): boolean {
  return task.touched || task.deadLetters.length > 0 || task.state.numbers.nextOffset !== task.checkpointOffset;
}

async function save(service: Service, task: Task, isDue: () => boolean): Promise<void> {
  const { clock, telemetry, checkpoints } = service.options;
  // While pending predictions meet another version of the truth, the state is one that nothing but its history explains.
  const taken = await exclusively(task, async () => {
    if (task.closed || task.heldBack !== undefined || !isDue()) return undefined;
    const written = await writeDeadLetters(service, task);
    return written && !task.closed ? await take(service, task) : undefined;
  });
  if (taken === undefined) return;
  await saveRows(service, task, taken.rows);
  const saving = { what: `saving the checkpoint of ${task.name}`, outage: `checkpoint ${task.name}` };
  await retried(service, saving, () => checkpoints.save(task.partition, taken.checkpoint));
  observe(telemetry.checkpointSeconds, (clock.monotonicMs() - taken.startMs) / 1000);
  telemetry.checkpoints.lastSuccessMs = clock.nowMs();
}

interface TakenCheckpoint {
  readonly startMs: number;
  readonly checkpoint: Checkpoint;
  /** Its score rows, where they are wanted. */
  readonly rows: RowSegment | undefined;
}

/** State, offset and score rows of one moment: all else is taken at once, the state while nothing changes it. */
async function take(service: Service, task: Task): Promise<TakenCheckpoint> {
  const { clock, group, newId, checkpoints } = service.options;
  const startMs = clock.monotonicMs();
  const { state, partition } = task;
  task.publisher.collect();
  const { nextOffset } = state.numbers;
  const base = task.migrated || checkpoints.wantsSnapshot(partition) ? undefined : task.checkpointId;
  const id = newId();
  const rows = takeRows(service, task, id);
  const store = storeOf(state, task.identity, rows?.note);
  task.checkpointId = id;
  task.checkpointOffset = nextOffset;
  task.touched = false;
  task.migrated = false;
  const bytes = await inSlices(clock, encode(store, { id, nextOffset, group, ...partition }, base));
  return { startMs, checkpoint: { id, base, nextOffset, bytes }, rows };
}

/** Commits the checkpoints that the group has not accepted yet; the counters move for those that it accepts. */
async function commit(service: Service, tasks: readonly Task[]): Promise<void> {
  const { source, telemetry, log } = service.options;
  const due = tasks.filter(
    (task) => !task.closed && task.checkpointId !== undefined && task.checkpointId !== task.committedId,
  );
  if (due.length === 0) return;
  try {
    const accepted = await source.commit(due.map((task) => ({ ...task.partition, nextOffset: task.checkpointOffset })));
    for (const { topic, partition } of accepted) {
      const task = due.find((each) => each.partition.topic === topic && each.partition.partition === partition);
      if (task === undefined) continue;
      task.committedId = task.checkpointId;
      task.publisher.publish(telemetry, topic);
      acceptRows(service, task);
    }
  } catch (error) {
    log.debug({ err: error }, 'the group did not accept a commit; checkpoints do not need it');
  }
}
