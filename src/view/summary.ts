import type { Attributed } from '../scoring/attribution.ts';
import type { Block } from '../scoring/metric.ts';
import type { Rate } from '../scoring/reading.ts';
import type { InputCounts } from '../state/input.ts';
import type { RejectCode } from '../state/reject.ts';
import type { Cases } from '../statistics/kitagawa.ts';
import type { WatchDesign } from '../statistics/watch-design.ts';
import type { Since } from './since.ts';
import type { Span, WatchIncident } from '../statistics/watch-run.ts';

/** Record counts of a partition or of all (docs/reference/semantics.md). */
export interface RecordCounts {
  readonly read: number;
  readonly scored: number;
  readonly pending: number;
  readonly expired: number;
  readonly duplicates: number;
  /** Runs of several records that have not ended. */
  readonly open_runs: number;
  /** Records, or spans, that were steps of runs, and the runs that they make: open ones among them. */
  readonly steps: number;
  readonly runs: number;
  readonly late: number;
  readonly unverified: number;
  /** Judgements added up; a part of scored. */
  readonly judgements: number;
  /** Feedback records that reached an event, once for each event. */
  readonly feedback: number;
  readonly calls_not_recorded: number;
  readonly malformed_calls: number;
  /** Records that hold calls which nothing read. */
  readonly unread_calls: number;
  /** Neither scored nor duplicates: rejected, pending or expired. */
  readonly unscored: number;
  /** Codes that occurred, in the order of `rejectCodes`. */
  readonly rejected: Readonly<Partial<Record<RejectCode, number>>>;
}

/** Names of the record counts. */
export const recordNames = [
  'read',
  'scored',
  'pending',
  'expired',
  'duplicates',
  'open_runs',
  'steps',
  'runs',
  'late',
  'unverified',
  'judgements',
  'feedback',
  'calls_not_recorded',
  'malformed_calls',
  'unread_calls',
  'unscored',
  'rejected',
] as const satisfies readonly (keyof RecordCounts)[];

/** Blocks of one group: null where a family scored and skipped nothing, absent where it is disabled. */
export type Blocks = Readonly<Record<string, Block | null | undefined>>;

/** One group of one window: the total (no dimensions), or one value of a configured set of dimensions. */
export interface Group {
  /** The set of dimensions, as configured: `model`, `agent`, `tags.<name>`. */
  readonly dimensions: readonly string[];
  /** A value for each of them. */
  readonly values: readonly string[];
  /** `all`, or a window as configured (`5m`). */
  readonly window: string;
  /** Predictions scored in this group and window. */
  readonly scored: number;
  /** Families whose numbers hold nothing of before some event time, although the window reaches further back. */
  readonly since?: Since | undefined;
  /** Reads the blocks, once: of many groups few are shown. */
  readonly blocks: () => Blocks;
  /** The cells of all families that the blocks are read from, in their layout. */
  readonly row: Float64Array;
}

/** A group that may be shown: window `all`. `key` is its `groupKey`. */
export interface Candidate extends Pick<Group, 'dimensions' | 'values' | 'scored'> {
  readonly key: string;
}

/** Tells which groups are shown, by `groupKey`; the rest of each set is summed as `__other__`. `totals` are of each window. */
export type ChooseGroups = (
  from: Pick<View, 'watches'> & { readonly totals: readonly Group[]; readonly sets: readonly Candidate[] },
) => ReadonlySet<string>;

/** A reading of the merged state at one time T. */
export interface View {
  /** T in ms; undefined when nothing was read. */
  readonly asOfMs: number | undefined;
  readonly records: RecordCounts;
  /** Scored events of those read, duplicates aside: what the numbers rest on. */
  readonly coverage: Rate;
  /** Oddities of events that were read all the same. */
  readonly input: Readonly<InputCounts>;
  /** The total first, then set by set as configured, values by code unit; for `all`, then each window ascending. */
  readonly groups: readonly Group[];
  /** True if groups beyond a limit are summed as `__other__`. */
  readonly folded: boolean;
  /** The watches of every group, whatever is folded; none where nothing is watched. */
  readonly watches: readonly WatchReading[];
}

/** How the watch of one group stands at time T. */
export interface WatchReading extends Pick<Group, 'dimensions' | 'values'> {
  /** Path of the rate in a summary group: `decision.tool_hall`. */
  readonly watch: string;
  readonly firing: boolean;
  /** Undefined while it learns: there is no baseline yet, or no rate of cases. */
  readonly design: WatchDesign | undefined;
  /** While it learns: until which event time, if cases go on to come as they did; undefined where none has come yet. */
  readonly learningUntilMs?: number | undefined;
  readonly designEffect: number;
  /** In cases divided by the design effect, as is the threshold of the design. */
  readonly statistic: number;
  /** While it fires: since when the rate has been up, and the cases until its last bad pane. */
  readonly span: Span | undefined;
  /** While it fires and the rate is down again, but the end is not sure yet: since when, and the cases since then. */
  readonly recovery: Span | undefined;
  /** The cases before, which a baseline is learned from; undefined where there are none. */
  readonly before: Cases | undefined;
  /** While it fires: what the change of its alarm is due to, the strongest first. */
  readonly causes: readonly Cause[];
  /** Its alarms of the last 24 hours, the oldest first: those within half an hour are one. */
  readonly incidents: readonly WatchAlarm[];
}

/** An alarm of a watch, or several within half an hour; once it has been explained, with what its change is due to. */
export interface WatchAlarm extends WatchIncident {
  /** The strongest first. */
  readonly causes?: readonly Cause[];
  /** Groups of the watched sets that carry a tenth of the change or more. */
  readonly carriers?: readonly Carrier[];
}

/** A group, and its share of the change of another one's rate: what its part in that one changed. */
export interface Carrier extends Pick<Group, 'dimensions' | 'values'> {
  readonly share: number;
  /** Standard deviation of that share, by the bad cases that are not its own. */
  readonly deviation: number;
  /** Its share of the cases since: what it would carry of a change that is the same in all cases. */
  readonly size: number;
}

/** A part of the cases that has more to do with the change of a rate than its size explains. */
export interface Cause {
  /** A value of a dimension that the group does not tell, an outcome, or a tool or an argument that bad cases are attributed to. */
  readonly part:
    | { readonly dimension: string; readonly value: string }
    | { readonly gold: string; readonly predicted: string }
    | Attributed;
  /** Share of the rate's change because the rate of the part changed, and because the part became more frequent: of disjoint parts at most 1 together. */
  readonly byRate: number;
  readonly byMix: number;
  /** Cases of the part and the bad ones among them; of an outcome or an attribution all cases, and those that came to it or are attributed to it. Undefined where nothing was before. */
  readonly before: Cases | undefined;
  readonly since: Cases;
}
