import { programName } from '../../name.ts';
import type { Rate } from '../../scoring/reading.ts';
import type { WindowCounts } from '../../state/window-counts.ts';
import type { InputRow } from '../../view/input-report.ts';
import type { Group, RecordCounts, View } from '../../view/summary.ts';
import { type BadCases, badCases, type LatestFailures } from './failed-event.ts';
import type { Failure } from './failure.ts';
import { type Facets, facetsOf, type FailureFilter, filterOf } from './failure-facts.ts';
import { type LiveGroup, liveGroup, sliceId } from './live-group.ts';
import type { Suspect } from './suspect.ts';
import { plainGroup } from './summary-document.ts';
import { incidentsDocument, type PlainIncident } from './incident-document.ts';
import { type PlainWatch, plainWatch } from './watch-document.ts';

/** The content of the web page at one moment: the answer of `/api/v1/live`, and the data of a report. */
export interface LiveDocument {
  readonly format: `${typeof programName}.live/2`;
  readonly version: string;
  readonly mode: string;
  readonly config_hash: string;
  /** Standard deviations of the intervals' half-width. */
  readonly z: number;
  /** T, ISO 8601; null when nothing was read. */
  readonly as_of: string | null;
  /** Wall clock of the reading, ISO 8601. */
  readonly at: string;
  readonly truth: { readonly version: string; readonly rows: number } | null;
  /** Null in a report of a snapshot, which has none. */
  readonly records: RecordCounts | null;
  /** Scored events of those read, duplicates aside; null in a report of a snapshot. */
  readonly coverage: Rate | null;
  /** The oddities of the input. */
  readonly input: readonly InputRow[];
  /** Sets of dimensions, joined by comma, without the total. */
  readonly sets: readonly string[];
  /** `all`, then each window ascending. */
  readonly windows: readonly string[];
  /** The part that was requested; null in a report, which holds everything. */
  readonly shown: Shown | null;
  /** The total, and the groups of the sets and windows shown. */
  readonly groups: readonly LiveGroup[];
  /** Groups of the set that are not among them: those with the fewest predictions. */
  readonly groups_left_out: number;
  /** Numbers of predictions by window and fate, `all` first; empty in a report. */
  readonly windows_counts: readonly WindowCounts[];
  /** Watches of all groups that fire. */
  readonly watches: readonly PlainWatch[];
  /** Incidents of the last 24 hours, the oldest first. */
  readonly incidents: readonly PlainIncident[];
  /** Numbers of watches of all groups, and of those that learn; null in a report. */
  readonly watching: { readonly watched: number; readonly learning: number } | null;
  /** How the service stands; null in a report. */
  readonly service: ServiceState | null;
  /** The course over time: counts of a running service, or the values of summaries of several times. */
  readonly history: CountHistory | ValueHistory | null;
  /** Newest first. */
  readonly failures: readonly Failure[];
  /** All failures that are kept and fit: their number, and the values that a filter can choose from; null in a report. */
  readonly kept: { readonly count: number; readonly facets: Facets } | null;
  /** The truth of which examples may be wrong, of all groups. */
  readonly suspects: readonly Suspect[];
}

export interface Shown {
  readonly slice: string;
  readonly window: string;
  /** Id of the group shown in detail. */
  readonly focus: string;
  /** The bad cases to which its failures belong; null: the latest of any kind. */
  readonly failed: Failed | null;
  /** The choice among its failures. */
  readonly filter: FailureFilter;
}

/** A rate, and between which event times, ISO 8601; until null: until now. */
export interface Failed {
  /** Null: failures of any rate. */
  readonly watch: string | null;
  readonly since: string;
  readonly until: string | null;
}

export interface ServiceState {
  /** Events can be reviewed: `/api/v1/review` is there. */
  readonly has_review: boolean;
  /** Records can be sent to `/v1/events` and `/v1/truth`. */
  readonly takes_records: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
  readonly partitions: readonly PartitionStanding[];
  /** Number of partitions of their topics. */
  readonly partitions_of: number;
  /** Wall clock of the last checkpoint, ISO 8601; null before the first. */
  readonly checkpoint_at: string | null;
  readonly lost_records: number;
  readonly truth_reload_failures: number;
  /** Limits that were reached, with the number of times. */
  readonly limits: Readonly<Record<string, number>>;
}

export interface PartitionStanding {
  readonly name: string;
  /** Records not read yet; null while unknown. */
  readonly lag: number | null;
  /** Event time below which nothing more is expected, ISO 8601; null while unknown. */
  readonly watermark: string | null;
}

/**
 * Counts of the events scored between one point and the next, by time of scoring; before the process began to count, by event time, as the panes of windows
 * hold them.
 */
export interface CountHistory {
  readonly kind: 'counts';
  /** Id of these points: another process, or one that holds other partitions, has others. */
  readonly epoch: string;
  readonly every_ms: number;
  /** Most points of the history; older ones are dropped. */
  readonly points_max: number;
  /** Number of the first point here. */
  readonly from: number;
  /** Wall clock of each point, ms. */
  readonly at: readonly number[];
  /** By id of the slice: for each point its cells (`formats/summary/history.ts`), null where the group has none. */
  readonly groups: Readonly<Record<string, readonly (readonly number[] | null)[]>>;
  /** Values of `page.marks` that came anew, the oldest first. */
  readonly marks: readonly Mark[];
  /** For each point: records read since the one before, predictions pending, lag in records; null where it was not counted. */
  readonly ingest: readonly (readonly [read: number, pending: number, lag: number] | null)[];
}

/** The time, wall clock in ms, at which a value of a dimension was scored for the first time, or again after a pause. */
export interface Mark {
  readonly at: number;
  readonly value: string;
}

export interface ValueHistory {
  readonly kind: 'values';
  readonly at: readonly number[];
  /** By window, id of the slice, and path: value, lower, upper at each time. */
  readonly windows: Readonly<Record<string, ValueGroups>>;
}

export type ValueGroups = Readonly<Record<string, Readonly<Record<string, readonly ValuePoint[]>>>>;

export type ValuePoint = readonly [value: number | null, lower: number | null, upper: number | null] | null;

/** The part that is the same for every reading. */
export interface LiveFrame extends Pick<LiveDocument, 'version' | 'mode' | 'config_hash' | 'z' | 'sets' | 'windows'> {}

export interface LiveReading
  extends Pick<LiveDocument, 'at' | 'truth' | 'input' | 'windows_counts' | 'service' | 'history' | 'suspects'> {
  readonly frame: LiveFrame;
  readonly view: View;
  readonly slice: string;
  readonly window: string;
  /** Id of the group to look at; one that is not there is the total. */
  readonly focus: string;
  readonly failed?: Failed | undefined;
  readonly filter?: FailureFilter | undefined;
  readonly failures: LatestFailures;
  /** All failures of a slice that are kept and fit. */
  readonly keptFailures: (
    slice: Readonly<Record<string, string>>,
    fits: (failure: Failure) => boolean,
  ) => readonly Failure[];
  /** Failures of a slice that show arguments that do not match. */
  readonly ofArguments: (slice: Readonly<Record<string, string>>) => readonly Failure[];
}

/** Groups of a set that the page gets, those that fire first: a person reads no more. */
export const groupsMax = 200;

/** The page's document of one set and window: the numbers are those of the summary at the same moment. */
export function liveDocument(reading: LiveReading): LiveDocument {
  const {
    frame,
    view,
    slice,
    window,
    focus,
    failed,
    filter = {},
    failures,
    keptFailures,
    ofArguments,
    ...rest
  } = reading;
  const ofSet = view.groups.filter(({ dimensions }) => dimensions.length === 0 || dimensions.join() === slice);
  const all = new Map(ofSet.filter((group) => group.window === 'all').map((group) => [keyOf(group), group]));
  const inWindow = ofSet.filter((group) => group.window === window);
  const [total, ...others] = inWindow;
  const firing = new Set(view.watches.filter((watch) => watch.firing && watch.dimensions.join() === slice).map(keyOf));
  const listed = others.length > groupsMax ? firstOf(others, firing) : others;
  const groups = (total === undefined ? [] : [total, ...listed]).map((group) => {
    const plain = plainGroup(group);
    const inAll = all.get(keyOf(group));
    return liveGroup(
      plain,
      inAll === undefined ? plain : plainGroup(inAll),
      sliceId(plain.slice) === focus ? ofArguments(plain.slice) : undefined,
    );
  });
  const found = groups.find(({ id }) => id === focus);
  if (found === undefined && total !== undefined && focus !== totalId)
    return liveDocument({ ...reading, focus: totalId });
  return {
    format: `${programName}.live/2`,
    ...frame,
    ...rest,
    as_of: view.asOfMs === undefined ? null : new Date(view.asOfMs).toISOString(),
    records: view.records,
    coverage: view.coverage,
    shown: { slice, window, focus: found?.id ?? totalId, failed: failed ?? null, filter },
    groups,
    groups_left_out: others.length - listed.length,
    ...watchesOf(view, failures),
    ...shownFailures(reading, found?.slice ?? {}),
  };
}

function watchesOf(
  { watches }: View,
  failures: LatestFailures,
): Pick<LiveDocument, 'watches' | 'incidents' | 'watching'> {
  return {
    watches: watches.filter((watch) => watch.firing).map((reading) => plainWatch(reading, failures)),
    incidents: incidentsDocument(watches, failures),
    watching: { watched: watches.length, learning: watches.filter(({ design }) => design === undefined).length },
  };
}

/** The latest failures of a slice that are wanted, and the choice that there is among those kept. */
function shownFailures(
  { failed, filter = {}, failures, keptFailures }: LiveReading,
  slice: LiveGroup['slice'],
): Pick<LiveDocument, 'failures' | 'kept'> {
  const ofRate = failed === undefined ? undefined : badCases(spanOf(failed));
  const isWanted = filterOf(filter);
  const kept = keptFailures(slice, ofRate ?? (() => true));
  const fits = (failure: Failure): boolean => (ofRate?.(failure) ?? true) && (isWanted?.(failure) ?? true);
  return {
    failures: failures(slice, ofRate === undefined && isWanted === undefined ? undefined : fits),
    kept: { count: (isWanted === undefined ? kept : kept.filter(isWanted)).length, facets: facetsOf(kept) },
  };
}

function spanOf({ watch, since, until }: Failed): BadCases {
  return { watch, sinceMs: Date.parse(since), untilMs: until === null ? Number.POSITIVE_INFINITY : Date.parse(until) };
}

/** Id of the total. */
export const totalId: string = sliceId({});

/** The groups whose watches fire, then those with the most predictions. */
function firstOf(groups: readonly Group[], firing: ReadonlySet<string>): Group[] {
  const place = (group: Group): number => Number(!firing.has(keyOf(group)));
  return [...groups].sort((a, b) => place(a) - place(b) || b.scored - a.scored).slice(0, groupsMax);
}

function keyOf({ values }: Pick<Group, 'values'>): string {
  return JSON.stringify(values);
}
