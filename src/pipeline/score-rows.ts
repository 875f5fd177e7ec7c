import type { Scored } from '../stream/score.ts';
import type { PartitionState } from '../state/partition.ts';
import type { RowPosition, TopicPartition } from '../ports.ts';
import { limitReached } from '../telemetry.ts';
import { retry } from './retry.ts';
import type { Service } from './service.ts';
import type { Task } from './task.ts';

/** Where the next score row of a partition comes from. */
export function rowPosition({ numbers }: PartitionState): RowPosition {
  return { nextOffset: numbers.nextOffset, scored: numbers.scored };
}

/** The listener to the scored events of a partition; undefined where there is none. */
export function scoredListener(
  { options }: Service,
  partition: TopicPartition,
): ((scored: Scored) => void) | undefined {
  const { onScored, scores } = options;
  if (scores === undefined) return onScored && ((scored) => onScored(partition, scored));
  return (scored) => {
    onScored?.(partition, scored);
    scores.add(partition, scored);
  };
}

/** Begins the score rows of a partition where its state stood at its checkpoint: rows of later ones are deleted. */
export async function beginRows(service: Service, { partition, name, state, checkpointOffset }: Task): Promise<void> {
  const { scores } = service.options;
  if (scores === undefined) return;
  const at = rowPosition(state);
  // A gap that was skipped since lies behind the checkpoint.
  const position = checkpointOffset < 0 ? at : { ...at, nextOffset: checkpointOffset };
  const onOutage = (outage: boolean): void => service.outage(`score rows ${name}`, outage);
  const what = `clearing the score rows of ${name}`;
  await retry(() => scores.begin(partition, position), { ...service.retrying, what, onOutage });
}

/** Makes the score rows of a checkpoint durable. */
export async function saveRows(
  service: Service,
  { name }: Task,
  write: (() => Promise<void>) | undefined,
): Promise<void> {
  if (write === undefined) return;
  const onOutage = (outage: boolean): void => service.outage(`score rows ${name}`, outage);
  await retry(write, { ...service.retrying, what: `writing the score rows of ${name}`, onOutage });
}

/** At `limits.score_rows`: moves the rows held out of memory before more of them are made. */
export async function spillRows(service: Service): Promise<void> {
  const { scores, telemetry } = service.options;
  limitReached(telemetry, 'score_rows');
  const onOutage = (outage: boolean): void => service.outage('score rows', outage);
  await retry(() => scores!.spill(), { ...service.retrying, what: 'writing score rows', onOutage });
}

/** The rows since the last checkpoint go with their partition. */
export function dropRows({ options }: Service, partition: TopicPartition): void {
  options.scores?.drop(partition).catch((error) => options.log.debug({ err: error }, 'score rows were not cleared'));
}
