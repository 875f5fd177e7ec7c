import { checkpointIdMs } from '../adapters/checkpoint-store/file-checkpoints.ts';
import { gauge } from '../pipeline/collect.ts';
import { createTask } from '../pipeline/task.ts';
import { createFold } from '../stream/fold.ts';
import type { SavedPartition } from './group-states.ts';
import type { ScoringService } from './running-service.ts';
import type { readersOf } from '../config/settings.ts';

/** Puts the state of a checkpoint in the place of that before. */
export function showPartition(
  { pipeline: { service }, telemetry }: ScoringService,
  { partition, name, state, identity, checkpoint }: SavedPartition,
  readerOfTopic: ReturnType<typeof readersOf>,
): void {
  const fold = createFold(state, readerOfTopic(partition.topic));
  const task = createTask(partition, fold, identity, { id: checkpoint, rows: undefined });
  service.tasks.set(name, task);
  gauge(service, task);
  const { checkpoints, truth } = telemetry;
  const atMs = checkpointIdMs(checkpoint);
  if (atMs >= (checkpoints.lastSuccessMs || 0)) {
    checkpoints.lastSuccessMs = atMs;
    const { version: used, rows } = state.activations.at(-1) ?? { version: undefined, rows: 0 };
    Object.assign(truth, { version: used, rows });
  }
}

/** Takes a partition out of what is shown. */
export function hidePartition({ pipeline: { service }, telemetry }: ScoringService, name: string): void {
  service.tasks.delete(name);
  telemetry.partitions.delete(name);
}
