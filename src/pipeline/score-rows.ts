import { listenToScored } from '../stream/output.ts';
import type { Scored } from '../stream/score.ts';
import type { RowSegment } from '../ports.ts';
import { limitReached } from '../telemetry.ts';
import { retried, type Service } from './service.ts';
import type { Task } from './task.ts';

/** Connects the listeners of the service to a partition's fold. */
export function listen({ options }: Service, { partition, out, state: { samples } }: Task): void {
  const { onAccepted, onScored, onFailed, onRight, onJudged, scores } = options;
  options.onSamples?.(samples);
  const onFailedHere = onFailed && ((scored: Scored) => onFailed(scored, samples));
  Object.assign(out, { onAccepted, onScored, onFailed: onFailedHere, onRight, onJudged });
  if (scores === undefined) return;
  listenToScored(out, { of: scores.of, add: (scored) => scores.add(partition, scored) });
  if (scores.addWithoutTruth !== undefined) out.onWithoutTruth = (scored) => scores.addWithoutTruth!(partition, scored);
}

/** Begins the score rows of a partition at its checkpoint. */
export async function beginRows(service: Service, task: Task): Promise<void> {
  const { scores } = service.options;
  if (scores === undefined) return;
  const { partition, name, state, checkpointOffset, checkpointId: id, restoredRows: note } = task;
  const { nextOffset, scored } = state.numbers;
  // A gap that was skipped since lies behind the checkpoint.
  const at = { id, note, scored, nextOffset: checkpointOffset < 0 ? nextOffset : checkpointOffset };
  const finding = { what: `finding the score rows of ${name}`, outage: `score rows ${name}` };
  await retried(service, finding, () => scores.begin(partition, at));
}

/** Ends the segment of score rows that a checkpoint covers; undefined where no score rows are written. */
export function takeRows({ options }: Service, { partition, state }: Task, id: string): RowSegment | undefined {
  const { nextOffset, scored } = state.numbers;
  return options.scores?.endSegment(partition, { id, nextOffset, scored });
}

/** Makes the score rows of a checkpoint durable. */
export async function saveRows(service: Service, { name }: Task, rows: RowSegment | undefined): Promise<void> {
  if (rows === undefined) return;
  await retried(service, { what: `writing the score rows of ${name}`, outage: `score rows ${name}` }, rows.write);
}

/** Publishes the files that the last checkpoint ended, once the group has accepted it: the next owner continues from it. */
export function acceptRows(service: Service, { partition, name }: Task): void {
  const { scores } = service.options;
  if (scores === undefined) return;
  scores.accepted(partition);
  const writing = { what: `writing a file of score rows of ${name}`, outage: `files of score rows ${name}` };
  const before = service.publishing.get(name) ?? Promise.resolve();
  // A file that is not written now is written by the next owner.
  const published = before
    .then(() => retried(service, writing, async () => scores.publish(partition)))
    .catch(() => undefined);
  service.publishing.set(name, published);
}

/** Waits for the files of score rows that are being written. */
export async function publishedRows({ publishing }: Service): Promise<void> {
  await Promise.all(publishing.values());
}

/** At `limits.score_rows`: moves the rows held out of memory before more of them are made. */
export async function spillRows(service: Service): Promise<void> {
  const { scores, telemetry } = service.options;
  limitReached(telemetry, 'score_rows');
  await retried(service, { what: 'writing score rows', outage: 'score rows' }, () => scores!.spill());
}
