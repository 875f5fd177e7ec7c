import { getOrPut } from '../../src/state/containers/get-or-put.ts';
import { sliceId } from '../../src/formats/summary/live-group.ts';
import type { Incident, PlainWatch } from '../../src/formats/summary/watch-document.ts';

type Slice = PlainWatch['slice'];

/** A group whose watches fire. */
export interface FiringGroup {
  readonly id: string;
  readonly slice: Slice;
  /** The greatest change first. */
  readonly watches: readonly PlainWatch[];
}

/** The watches that fire. */
export interface Firing {
  /** Groups that fire, the greatest change first, and those that only do because of them. */
  readonly groups: readonly FiringGroup[];
  readonly explained: readonly FiringGroup[];
  /** Paths of the rates that fire, by id of the group. */
  readonly paths: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Share of its change that another group must carry to explain a group. */
const explainedFrom = 0.5;
/** Panes of the last day may be some minutes long. */
const sameTimeMs = 300_000;

/** The watches that fire, by group. */
export function firingOf(watches: readonly PlainWatch[]): Firing {
  const firing = watches.filter((watch) => watch.firing).sort((a, b) => changeOf(b) - changeOf(a));
  const byId = new Map<string, PlainWatch[]>();
  for (const watch of firing) getOrPut(byId, sliceId(watch.slice), () => []).push(watch);
  const groups = [...byId].map(([id, own]): FiringGroup => ({ id, slice: own[0]!.slice, watches: own }));
  const paths = new Map(groups.map(({ id, watches: own }) => [id, new Set(own.map(({ watch }) => watch))]));
  const attributed = new Map(groups.map((group) => [group, attributedBy(group, groups, paths)]));
  const everAttributed = new Set([...attributed.values()].flatMap((others) => [...others]));
  // In the order of the greatest change: a group that changed less explains another only if none explains it in turn, so that one is always named.
  const isExplained = (group: FiringGroup): boolean => {
    const before = groups.slice(0, groups.indexOf(group));
    if ([...attributed.get(group)!].some((other) => before.includes(other) || attributed.get(other)!.size === 0))
      return true;
    const [first] = group.watches;
    return (
      !everAttributed.has(group) && firing.slice(0, firing.indexOf(first!)).some((other) => goesWith(other, first!))
    );
  };
  const explained = groups.filter(isExplained);
  return { groups: groups.filter((group) => !explained.includes(group)), explained, paths };
}

function changeOf({ rate, baseline }: Pick<PlainWatch, 'rate' | 'baseline'>): number {
  return (rate?.value ?? 0) - (baseline ?? 0);
}

/** The groups that are among the causes of a group's watches, where they fire for the same rate, and for the one that has changed most in the group. */
function attributedBy(
  { watches }: FiringGroup,
  groups: readonly FiringGroup[],
  paths: Firing['paths'],
): Set<FiringGroup> {
  const found = watches.flatMap(({ watch, causes }) =>
    causes.flatMap(({ share, slice }) => {
      const id = share >= explainedFrom && slice !== null ? sliceId(slice) : '';
      return [watch, watches[0]!.watch].every((path) => paths.get(id)?.has(path)) ? [id] : [];
    }),
  );
  return new Set(groups.filter(({ id }) => found.includes(id)));
}

/**
 * Returns whether the same rate of another group, which changed more, may be why one fires: of the total it always is, else where nothing
 * is attributed and both went up at the same time.
 */
function goesWith(other: PlainWatch, { watch, slice, causes, since }: PlainWatch): boolean {
  if (other.watch !== watch) return false;
  if (setOf({ slice }) === '') return true;
  if (setOf(other) === setOf({ slice }) || causes.some((cause) => cause.slice !== null)) return false;
  return Math.abs(Date.parse(other.since!) - Date.parse(since!)) <= sameTimeMs;
}

/** Alarms that overlap in time. */
export interface Episode {
  readonly key: string;
  readonly sinceMs: number;
  /** Undefined while one of them fires. */
  readonly untilMs: number | undefined;
  /** The alarms of groups of one set of dimensions, one a group, the greatest change first. */
  readonly leading: readonly Incident[];
  /** All of them, by time. */
  readonly incidents: readonly Incident[];
}

/** Incidents that are alarms of the same time, the newest first. */
export function episodesOf(incidents: readonly Incident[]): readonly Episode[] {
  const clusters: Incident[][] = [];
  let endMs = Number.NEGATIVE_INFINITY;
  for (const incident of [...incidents].sort((a, b) => a.since.localeCompare(b.since))) {
    if (Date.parse(incident.since) > endMs) clusters.push([]);
    clusters.at(-1)!.push(incident);
    endMs = Math.max(endMs, endOf(incident) ?? Number.POSITIVE_INFINITY);
  }
  return clusters.map(episodeOf).reverse();
}

function endOf({ end, until }: Incident): number | undefined {
  return end === null ? undefined : Date.parse(until);
}

function episodeOf(incidents: readonly Incident[]): Episode {
  const byChange = [...incidents].sort((a, b) => changeOf(b) - changeOf(a));
  const set = setOf(byChange[0]!);
  const first = new Map([...byChange].reverse().map((incident) => [sliceId(incident.slice), incident]));
  const leading = byChange.filter(
    (incident) => setOf(incident) === set && first.get(sliceId(incident.slice)) === incident,
  );
  const ends = incidents.map(endOf);
  const isOver = ends.every((end) => end !== undefined);
  const sinceMs = Date.parse(leading[0]!.since);
  return {
    key: `${incidents[0]!.since} ${sliceId(leading[0]!.slice)}`,
    sinceMs,
    untilMs: isOver ? Math.max(...leading.map((incident) => endOf(incident)!)) : undefined,
    leading,
    incidents,
  };
}

function setOf({ slice }: { readonly slice: Slice }): string {
  return Object.keys(slice).join();
}
