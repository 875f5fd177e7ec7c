import { encodeChanges, encodeFull } from '../codec/checkpoint.ts';
import { storeOf } from '../core/state/saved.ts';
import type { CheckpointFile, DeadLetter } from '../ports.ts';
import { observe } from '../telemetry.ts';
import { retry } from './retry.ts';
import type { Service } from './service.ts';
import type { Task } from './task.ts';

/**
 * Saves what changed since the last cut and commits its offset: dead letters first, then the checkpoint, then the commit, then the
 * counters. Resolves when that is done, or the task is gone. One at a time for each task; a second caller waits for a cut of its own.
 */
export async function checkpoint(service: Service, tasks: readonly Task[]): Promise<void> {
  await Promise.all(tasks.map((task) => task.saving));
  const changed = tasks.filter(hasChanged);
  const saved: Task[] = [];
  for (const task of changed) {
    if (task.saving !== undefined || task.closed) continue;
    const saving = save(service, task).then((done) => void (done && saved.push(task)));
    task.saving = saving.finally(() => {
      task.saving = undefined;
    });
    await task.saving;
  }
  await commit(service, saved);
}

function hasChanged(task: Task): boolean {
  return !task.closed && (task.touched || task.letters.length > 0 || task.state.numbers.nextOffset !== task.cutOffset);
}

async function save(service: Service, task: Task): Promise<boolean> {
  const { clock, telemetry, checkpoints, deadLetters } = service.options;
  const start = clock.monotonicMs();
  const cut = takeCut(service, task);
  await deadLetters.write(cut.letters);
  await retry(() => checkpoints.save(task.partition, cut.file), {
    ...service.retrying,
    what: `saving the checkpoint of ${task.name}`,
    onOutage: (outage) => service.outage(`checkpoint ${task.name}`, outage),
  });
  observe(telemetry.checkpointSeconds, (clock.monotonicMs() - start) / 1000);
  telemetry.checkpoints.lastSuccessMs = clock.nowMs();
  return true;
}

/** State, offset and letters of one moment: one turn of the event loop, so that they belong together. */
function takeCut(service: Service, task: Task): { readonly file: CheckpointFile; readonly letters: DeadLetter[] } {
  const { group, newId, checkpoints } = service.options;
  const { state, letters, partition } = task;
  task.publisher.collect();
  const { nextOffset } = state.numbers;
  const parent = checkpoints.wantsFull(partition) ? undefined : task.cutId;
  const cut = { id: newId(), nextOffset, group, ...partition };
  const store = storeOf(state, task.identity);
  const bytes = parent === undefined ? encodeFull(store, cut) : encodeChanges(store, cut, parent);
  task.letters = [];
  task.cutId = cut.id;
  task.cutOffset = nextOffset;
  task.touched = false;
  return { file: { id: cut.id, parent, nextOffset, bytes }, letters };
}

/** Commits the cuts that were saved; the counters move for those that the group accepts. */
async function commit(service: Service, tasks: readonly Task[]): Promise<void> {
  const { source, telemetry, log } = service.options;
  const held = tasks.filter((task) => !task.closed);
  if (held.length === 0) return;
  try {
    const accepted = await source.commit(held.map((task) => ({ ...task.partition, nextOffset: task.cutOffset })));
    for (const { topic, partition } of accepted)
      held
        .find((task) => task.partition.topic === topic && task.partition.partition === partition)
        ?.publisher.publish(telemetry, topic);
  } catch (error) {
    log.debug({ err: error }, 'the group did not accept a commit; checkpoints do not need it');
  }
}
