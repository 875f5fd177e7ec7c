import type { PendingPrediction } from '../state/pending.ts';
import type { RejectCode } from '../state/reject.ts';
import type { EventBatch } from './event.ts';
import { type InputNotes, noNotes } from './input-notes.ts';
import type { Judged } from './judgement.ts';
import type { Scored } from './score.ts';

/** What a fold tells besides the state it changes: consumed by the pipeline, cleared by it. */
export interface FoldOutput {
  readonly rejects: RejectedEvent[];
  readonly expired: PendingPrediction[];
  /** Event time that passed between a prediction and its scoring, of those that waited for their truth, in ms. */
  readonly truthDelaysMs: number[];
  /** Calls to a tool that the event itself does not name, by model. */
  readonly unknownCalls: Map<string, number>;
  /** What was off with the input. */
  readonly input: InputNotes;
  /** Called for each scored event, or for each in which a family has something to complain of. The argument is valid during the call. */
  onScored: ((scored: Scored) => void) | undefined;
  onFailed: ((scored: Scored) => void) | undefined;
  /** Called for each event that the rules call right, with its truth row. */
  onRight: ((row: number, batch: EventBatch, event: number) => void) | undefined;
  /** Called for each judgement that says whether its prediction passes. The argument is valid during the call. */
  onJudged: ((judged: Judged) => void) | undefined;
}

export interface RejectedEvent {
  readonly code: RejectCode;
  readonly detail: string;
  /** The key under `limits` that refused it; undefined where none did. */
  readonly limit: string | undefined;
  /** Index in the batch of records that was folded. */
  readonly record: number;
  readonly offset: number;
  /** -1: the whole record. */
  readonly element: number;
  /** The element as JSON; undefined for a whole record, whose bytes the caller has. */
  readonly text: string | undefined;
}

/** An output that nobody has written to. */
export function emptyOutput(): FoldOutput {
  return {
    ...{ rejects: [], expired: [], truthDelaysMs: [], unknownCalls: new Map(), input: noNotes() },
    ...{ onScored: undefined, onFailed: undefined, onRight: undefined, onJudged: undefined },
  };
}

/** Who takes scored events besides. */
export interface ScoredSink {
  readonly of: 'all' | 'failures';
  add(scored: Scored): void;
}

/** Has a sink told of its events, after whoever listens already. */
export function listenToScored(out: FoldOutput, { of, add }: ScoredSink): void {
  const key = of === 'all' ? 'onScored' : 'onFailed';
  const before = out[key];
  out[key] =
    before === undefined
      ? add
      : (scored) => {
          before(scored);
          add(scored);
        };
}
