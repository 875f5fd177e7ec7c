import type { PendingPrediction } from '../state/pending.ts';
import type { Event, Rejected } from './event.ts';
import type { Feedback } from './feedback-book.ts';
import { type InputNotes, noNotes } from './input-notes.ts';
import type { Judged } from './judgement.ts';
import type { Scored } from './score.ts';
import type { TimeMoves } from './time-move.ts';

/** Output of a fold besides the state it changes: consumed by the pipeline, cleared by it. */
export interface FoldOutput extends TimeMoves {
  readonly rejects: RejectedEvent[];
  readonly expired: PendingPrediction[];
  /** Event time that passed between a prediction and its scoring, of those that waited for their truth, in ms. */
  readonly truthDelaysMs: number[];
  /** Time between the first and the last step of the runs that ended, in seconds. */
  readonly runSeconds: number[];
  /** Calls to a tool that the event itself does not name, by model. */
  readonly unknownCalls: Map<string, number>;
  /** Ids of the feedback records that reached an event in this process. */
  readonly feedback: Set<string>;
  /** Notes of what was odd in the input. */
  readonly input: InputNotes;
  /** Called for each accepted event. */
  onEvent: ((event: Event) => void) | undefined;
  /** Called for each event that is accepted while its truth is not known, with what the families that need none found. */
  onAccepted: ((scored: Scored) => void) | undefined;
  /** Called for each event that no truth will come for: at once where none is awaited, else when it has waited too long. No family has scored it. */
  onWithoutTruth: ((scored: Scored) => void) | undefined;
  /** Called once for each event for which feedback expects different things, with that feedback, oldest first. */
  onContested: ((event: Event, feedback: readonly Feedback[]) => void) | undefined;
  /** Called for each scored event. */
  onScored: ((scored: Scored) => void) | undefined;
  /** Called for each event in which a family found a fault, when that family counts it. */
  onFailed: ((scored: Scored) => void) | undefined;
  /** Called for each event that the rules call right. */
  onRight: ((event: Event) => void) | undefined;
  /** Called for each judgement that says whether its prediction passes. */
  onJudged: ((judged: Judged) => void) | undefined;
}

export interface RejectedEvent extends Rejected {
  /** Index in the batch of records that was folded; -1 for a run, whose text is its event. */
  readonly record: number;
}

/** An empty output. */
export function emptyOutput(): FoldOutput {
  return {
    ...{
      rejects: [],
      expired: [],
      truthDelaysMs: [],
      runSeconds: [],
      unknownCalls: new Map(),
      feedback: new Set(),
      input: noNotes(),
      lastMove: undefined,
      jump: undefined,
    },
    ...{
      onEvent: undefined,
      onAccepted: undefined,
      onWithoutTruth: undefined,
      onContested: undefined,
      onScored: undefined,
      onFailed: undefined,
      onRight: undefined,
      onJudged: undefined,
    },
  };
}

/** A further listener to events that families counted. */
export interface ScoredSink {
  readonly of: 'all' | 'failures';
  add(scored: Scored): void;
}

/** Adds a listener behind those that are there. */
export function listenToScored(out: FoldOutput, { of, add }: ScoredSink): void {
  for (const key of of === 'all' ? (['onAccepted', 'onScored'] as const) : (['onFailed'] as const)) {
    const before = out[key];
    out[key] =
      before === undefined
        ? add
        : (scored) => {
            before(scored);
            add(scored);
          };
  }
}
