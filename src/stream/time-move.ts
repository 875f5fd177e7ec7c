import type { Event, Step } from './event.ts';

/** A record that moved event time on, for the log. Times are in ms. */
export interface TimeMove {
  readonly offset: number;
  /** Undefined for a step of a run. */
  readonly model: string | undefined;
  readonly agent: string | undefined;
  /** Event time of the partition before; below every time where there was none. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** The records that moved event time on. */
export interface TimeMoves {
  /** The last one. */
  lastMove: TimeMove | undefined;
  /** The first that moved it by more than an hour. */
  jump: TimeMove | undefined;
}

/** A step of event time that is worth a line in the log. */
const jumpMs = 3_600_000;

/** Notes an event or a step of a run that moves event time on from `fromMs` to `toMs`. */
export function noteMove(out: TimeMoves, given: Event | Step, fromMs: number, toMs: number): void {
  if (toMs <= fromMs) return;
  const { model, agent } = 'model' in given ? given : noNames;
  out.lastMove = { offset: given.offset, model, agent, fromMs, toMs };
  if (toMs - fromMs > jumpMs && Number.isFinite(fromMs)) out.jump ??= out.lastMove;
}

const noNames = { model: undefined, agent: undefined };
