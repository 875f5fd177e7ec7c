import type { Fold } from '../stream/fold.ts';
import type { FoldOutput } from '../stream/output.ts';
import type { PartitionState } from '../state/partition.ts';
import type { Revising } from '../stream/revise.ts';
import type { ActiveTruth } from '../stream/truth-cache.ts';
import { type DeadLetter, partitionName, type TopicPartition } from '../ports.ts';
import type { Identity } from './identity.ts';
import { createPublisher, type Publisher } from './publisher.ts';

/** A partition that this instance owns: its state, and how much of it is saved, committed and verified. */
export interface Task {
  readonly partition: TopicPartition;
  readonly name: string;
  readonly fold: Fold;
  /** The fold's state and output. */
  readonly state: PartitionState;
  readonly out: FoldOutput;
  readonly identity: Identity;
  /** Dead letters that the next checkpoint waits for. */
  deadLetters: DeadLetter[];
  readonly publisher: Publisher;
  /** Where the score rows lie, as the checkpoint restored says. */
  readonly restoredRows: object | undefined;
  /** Id of the last checkpoint taken, or restored; undefined before the first. */
  checkpointId: string | undefined;
  /** Next offset of that checkpoint, -1 before the first. */
  checkpointOffset: number;
  /** The checkpoint whose offset the group has accepted from us. */
  committedId: string | undefined;
  /** Something besides the offset changed since the last checkpoint: pending predictions were resolved, or a gap was skipped. */
  touched: boolean;
  /** The state is laid out by other settings than that of the last checkpoint: the next one is a snapshot. */
  migrated: boolean;
  /** The last record applied is to be compared with the log: after a restore, and whenever the source asked for the position again. */
  verify: boolean;
  /** The truth that its predictions are joined with: the one in use, once its pending predictions were resolved by it. */
  truth: ActiveTruth | undefined;
  /** Resolves when work is done that records must not interrupt: a checkpoint is taken, or pending predictions are resolved. */
  busy: Promise<unknown> | undefined;
  /** Its dead letters cannot be written at present: resolves when they are. Records wait, and no checkpoint is taken. */
  heldBack: Promise<void> | undefined;
  /** The revision of its kept events, once another version of the truth came. */
  revising: Revising | undefined;
  readonly clockNotes: ClockNotes;
  /** Slices whose models are known to the counters. */
  slicesSeen: number;
  /** It was taken away or refused: nothing more is applied. */
  closed: boolean;
}

/** Lines in the log about the event time of a partition. */
export interface ClockNotes {
  /** True from the line that says that event time is ahead until it is not any more. */
  isAhead: boolean;
  /** Monotonic times from which on there may be another line, in ms. */
  aheadFromMs: number;
  jumpFromMs: number;
}

/** A task whose state stands at a checkpoint (or at the beginning). */
export function createTask(
  partition: TopicPartition,
  fold: Fold,
  identity: Identity,
  checkpoint: { readonly id: string; readonly rows: object | undefined } | undefined,
): Task {
  const { state, out } = fold;
  return {
    partition,
    name: partitionName(partition),
    fold,
    state,
    out,
    identity,
    deadLetters: [],
    publisher: createPublisher(state),
    restoredRows: checkpoint?.rows,
    checkpointId: checkpoint?.id,
    checkpointOffset: checkpoint === undefined ? -1 : state.numbers.nextOffset,
    committedId: undefined,
    touched: false,
    migrated: false,
    verify: state.numbers.lastOffset >= 0,
    truth: undefined,
    busy: undefined,
    heldBack: undefined,
    revising: undefined,
    clockNotes: { isAhead: false, aheadFromMs: Number.NEGATIVE_INFINITY, jumpFromMs: Number.NEGATIVE_INFINITY },
    slicesSeen: 0,
    closed: false,
  };
}

/** Does work that records must not interrupt, after all such work that was begun before. */
export function exclusively<Result>(task: Task, work: () => Promise<Result>): Promise<Result> {
  const begun = task.busy === undefined ? work() : task.busy.then(work);
  const busy = begun.finally(() => {
    if (task.busy === busy) task.busy = undefined;
  });
  task.busy = busy;
  return busy;
}
