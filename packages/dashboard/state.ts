import type { CountHistory, LiveDocument } from '../../src/formats/summary/live-document.ts';
import type { LiveGroup } from '../../src/formats/summary/live-group.ts';
import type { Failure } from '../../src/formats/summary/failure.ts';
import type { FailureFilter } from '../../src/formats/summary/failure-facts.ts';
import { type Firing, firingOf } from './firing.ts';
import { mergeHistory, type ReadHistory, readCounts, readValues } from './history.ts';
import { printable, numberIn } from './format.ts';
import { type Notice, noticesOf } from './notices.ts';
import type { Review } from './review.ts';
import { headlines } from '../../src/formats/summary/live-group.ts';

/** The choices of the person at the page. */
export interface Choices {
  /** Set of dimensions, window and group to look at; undefined leaves it to the service. */
  slice: string | undefined;
  window: string | undefined;
  focus: string | undefined;
  /** Failures of the group: of one rate from since to until, `<path>,<since>,<until>`; undefined shows the latest of any. */
  failed: string | undefined;
  /** Ends of the chosen time range, ms; undefined: the first point of the history, and now. */
  from: number | undefined;
  until: number | undefined;
  /** The failures that are looked for. */
  find: FailureFilter;
  /** Path of the chart that is shown; `all` shows every one, undefined leaves it to the page. */
  chart: string | undefined;
  filter: string;
  /**
   * Path of the column that sorts the groups, the worst first; with `-` before it the best first. `name` and `n` are columns too. Undefined
   * leaves it to the page.
   */
  sort: string | undefined;
  showAll: boolean;
  showFailures: boolean;
  /** The review of events is open. */
  showReview: boolean;
  paused: boolean;
  theme: 'auto' | 'light' | 'dark';
}

/** How it stands with the service. */
export interface Connection {
  readonly ok: boolean;
  /** Why there is no answer. */
  readonly problem: string;
}

/** The input of every part of the page. */
export interface Shown {
  readonly picture: Picture;
  readonly choices: Choices;
  readonly connection: Connection;
  /** Groups that the filter leaves, in the order shown. */
  readonly sorted: readonly LiveGroup[];
  /** Undefined while it is closed. */
  readonly review: Review | undefined;
}

/** The data that can be shown. */
export interface Picture {
  readonly document: LiveDocument;
  readonly isReport: boolean;
  /** The slice that is shown, which may lag behind the choices. */
  readonly slice: string;
  readonly window: string;
  readonly total: LiveGroup | undefined;
  /** Groups of the set, in the order of the summary. */
  readonly groups: readonly LiveGroup[];
  readonly focus: LiveGroup | undefined;
  readonly failures: readonly Failure[];
  readonly counts: CountHistory | undefined;
  readonly history: ReadHistory | undefined;
  /** The problems of the service, and the incidents that go on. */
  readonly notices: readonly Notice[];
  readonly firing: Firing;
}

/** The picture of a reading of the service, with the history that is known from those before. */
export function livePicture(document: LiveDocument, before: Picture | undefined): Picture {
  const shown = document.shown!;
  const fresh = document.history?.kind === 'counts' ? document.history : undefined;
  const held = before?.slice === shown.slice ? before.counts : undefined;
  const counts = fresh === undefined ? undefined : mergeHistory(held, fresh);
  const history = counts === before?.counts ? before?.history : counts && readCounts(counts, document.z);
  const [total, ...groups] = document.groups;
  return {
    document,
    isReport: false,
    slice: shown.slice,
    window: shown.window,
    total,
    groups,
    focus: document.groups.find(({ id }) => id === shown.focus) ?? total,
    failures: document.failures,
    counts,
    history,
    notices: noticesOf(document, counts),
    firing: firingOf(document.incidents, document.watches),
  };
}

/** The picture of a report, which holds every group: what is shown is what is chosen. */
export function reportPicture(document: LiveDocument, choices: Choices): Picture {
  const { sets, windows } = document;
  const slice = choices.slice !== undefined && sets.includes(choices.slice) ? choices.slice : (sets[0] ?? '');
  const window = choices.window !== undefined && windows.includes(choices.window) ? choices.window : 'all';
  const inWindow = document.groups.filter((group) => group.window === window);
  const total = inWindow.find((group) => setOf(group) === '');
  const groups = slice === '' ? [] : inWindow.filter((group) => setOf(group) === slice);
  return {
    document,
    isReport: true,
    slice,
    window,
    total,
    groups,
    focus: withAllTime(document, groups.find(({ id }) => id === choices.focus) ?? total),
    failures: document.failures,
    counts: undefined,
    history: document.history?.kind === 'values' ? readValues(document.history, window) : undefined,
    notices: [],
    firing: firingOf(document.incidents, document.watches),
  };
}

/** Adds the parts that exist for all time only, which lie with the group of window `all`. */
function withAllTime({ groups }: LiveDocument, focus: LiveGroup | undefined): LiveGroup | undefined {
  if (focus?.detail == null || focus.window === 'all') return focus;
  const all = groups.find(({ id, window }) => id === focus.id && window === 'all')?.detail;
  return {
    ...focus,
    detail: { ...focus.detail, stability: all?.stability ?? null, worst: all?.worst ?? null, wrong: all?.wrong ?? [] },
  };
}

/** Set of dimensions of a group, joined by comma. */
export function setOf({ slice }: LiveGroup): string {
  return Object.keys(slice).join();
}

/** A group's name for people; the total has none in the data. */
export function nameOf({ slice }: Pick<LiveGroup, 'slice'>): string {
  const values = Object.values(slice);
  return values.length === 0 ? 'all traffic' : values.map(printable).join(' · ');
}

/**
 * Groups whose name holds the filter, those that fire before the others, the worst first: by the end of the interval that speaks for the group,
 * so that a group of one bad prediction does not stand above one of a thousand. Those without a number come last. The best first, or by name,
 * none comes before the others because it fires.
 */
export function sortedGroups(picture: Picture, { filter, sort = firstColumn(picture) }: Sorting): LiveGroup[] {
  const wanted = filter.trim().toLowerCase();
  const isReversed = sort.startsWith('-');
  const path = isReversed ? sort.slice(1) : sort;
  const rank = rankBy(path, isReversed ? -1 : 1);
  const { paths } = picture.firing;
  const isWorstFirst = !isReversed && path !== 'name' && path !== 'n';
  const fires = ({ id }: LiveGroup): number => Number(isWorstFirst && paths.has(id));
  const ranks = new Map(picture.groups.map((group) => [group, rank(group)]));
  const byName = (a: LiveGroup, b: LiveGroup): number =>
    path === 'name' ? (isReversed ? -1 : 1) * nameOf(a).localeCompare(nameOf(b), 'en') : 0;
  return picture.groups
    .filter((group) => nameOf(group).toLowerCase().includes(wanted))
    .sort((a, b) => fires(b) - fires(a) || byName(a, b) || ranks.get(a)! - ranks.get(b)! || b.n - a.n || 0);
}

type Sorting = Pick<Choices, 'filter' | 'sort'>;

/** Path of the first column that has a number. */
export function firstColumn({ groups }: Pick<Picture, 'groups'>): string {
  return headlines.find(({ path }) => groups.some((group) => numberIn(group.headlines[path]) !== null))?.path ?? 'n';
}

/** The rank of a group by a column; of decisions the most come first. */
function rankBy(path: string, sign: number): (group: LiveGroup) => number {
  const better = headlines.find((headline) => headline.path === path)?.better ?? 'higher';
  const direction = better === 'higher' ? sign : -sign;
  return (group) => {
    if (path === 'n') return -sign * group.n;
    const reading = group.headlines[path];
    if (reading === undefined) return Number.MAX_VALUE;
    const isShare = typeof reading === 'object' && 'upper' in reading;
    const end = isShare ? (better === 'higher' ? reading.upper : reading.lower) : numberIn(reading);
    return end === null ? Number.MAX_VALUE : direction * end;
  };
}
