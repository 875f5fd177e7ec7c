import type { Joined } from '../scoring/family.ts';
import type { Stability, Verdict } from '../scoring/stability/index.ts';
import type { ToolNaming } from '../scoring/tool-names.ts';
import type { Layout } from './row-layout.ts';
import type { WindowPlan } from './windows.ts';

/** The settings that shape the state besides the log and the truth: equal settings and an equal log give an equal state. */
export interface Settings {
  readonly layout: Layout;
  readonly stability: Stability | undefined;
  /** A group of runs without a run for longer than this, in event time, is dropped. */
  readonly keepGroupsMs: number;
  /** Did the run succeed? (Where the event does not say: strict success of its trajectory.) */
  readonly verdictOf: (joined: Joined) => Verdict;
  /** Names by which tools are compared; undefined where they are as they come. */
  readonly toolNaming?: ToolNaming | undefined;
  /** Dimensions of the finest slice: `model` first, then what the configured sets name besides. */
  readonly dimensions: readonly string[];
  readonly windows: WindowPlan;
  readonly outOfOrdernessMs: number;
  readonly truthWaitMs: number;
  readonly dedupeWindowMs: number;
  readonly runs: RunPlan;
  /** Runs that say no index are numbered as they come. */
  readonly numbersRuns?: boolean;
  /** Events are kept for revision; undefined where none is read that could revise them. */
  readonly revision?: RevisionPlan | undefined;
  readonly limits: StateLimits;
}

export interface StateLimits {
  readonly pending: number;
  readonly dedupeIds: number;
  readonly groups: number;
  readonly slices: number;
  readonly names: number;
  readonly breakdowns: number;
  readonly attributions: number;
}

/** How steps make a run (configuration: `runs`). */
export interface RunPlan {
  /** Records may hold steps. */
  readonly isRead: boolean;
  /** A run is a whole trace; else an answer without a call, or `idleMs`, parts the steps of a key into runs. */
  readonly wholeTraces: boolean;
  /** An end that its steps show ends a run, besides `idleMs` without a step. */
  readonly endsAtOnce: boolean;
  readonly idleMs: number;
  /** Steps of one run at most. */
  readonly stepsMax: number;
  /** Open runs at most. */
  readonly runsMax: number;
}

/** How long, in event time, and how many events of a partition are kept for revision. */
export interface RevisionPlan {
  readonly keepMs: number;
  readonly most: number;
}
