import { getOrPut } from '../../state/containers/get-or-put.ts';

/** An aggregate snapshot by its name: of which instance, and of which time. */
export interface SnapshotName {
  readonly timeMs: number;
  /** '' where it is of a replay. */
  readonly instance: string;
}

/** Snapshots that are added up. */
export interface Moment<Name extends SnapshotName> {
  readonly timeMs: number;
  readonly files: readonly Name[];
}

/** The partitions that a snapshot is of; undefined where it does not say: then nothing is added to it. */
export type PartitionsOf<Name> = (file: Name) => Promise<readonly string[] | undefined>;

/**
 * The course over time of the snapshots of several instances: at each of at most `most` times the newest snapshot of each partition, evenly thinned out, the last among
 * them. The newest counts: one that holds a partition of a newer one is left out, so that nothing is counted twice where a partition moved.
 * A time at which a partition is moving between instances is skipped, if there is another time.
 *
 * Example: A writes {0, 1} and B {2, 3} every minute, B dies at 12:00, A writes {0, 1, 2, 3} at 12:01. Times until 12:00 are of A's and B's
 * newest, from 12:01 on of A's alone.
 */
export async function momentsOf<Name extends SnapshotName>(
  files: readonly Name[],
  partitionsOf: PartitionsOf<Name>,
  most: number,
): Promise<Moment<Name>[]> {
  const sorted = [...files].sort((a, b) => a.timeMs - b.timeMs || (a.instance < b.instance ? -1 : 1));
  const byInstance = new Map<string, Name[]>();
  for (const file of sorted) getOrPut(byInstance, file.instance, () => []).push(file);
  const times = [...new Map(sorted.map((file) => [file.timeMs, file])).values()];
  const moments: Moment<Name>[] = [];
  for (const [first, last] of spans(times.length, most)) {
    let found: Found<Name> | undefined;
    for (let at = last; at >= first && !found?.isWhole; at--)
      found = await momentAt(byInstance, times[at]!, partitionsOf);
    if (found?.isWhole) moments.push(found.moment);
  }
  if (moments.length > 0 || times.length === 0) return moments;
  return [(await momentAt(byInstance, times.at(-1)!, partitionsOf)).moment];
}

interface Found<Name extends SnapshotName> {
  readonly moment: Moment<Name>;
  /** No partition is missing that is in a snapshot just before or after. */
  readonly isWhole: boolean;
}

/** An instance that goes on writes twice, and partitions that moved are in files of another instance meanwhile. */
const rounds = 2;

async function momentAt<Name extends SnapshotName>(
  byInstance: ReadonlyMap<string, readonly Name[]>,
  at: Name,
  partitionsOf: PartitionsOf<Name>,
): Promise<Found<Name>> {
  const own = byInstance.get(at.instance)!;
  const place = own.indexOf(at);
  const fromMs = own[place - rounds]?.timeMs ?? Number.NEGATIVE_INFINITY;
  const toMs = own[place + rounds]?.timeMs ?? Number.POSITIVE_INFINITY;
  const held = new Set<string>();
  const near: string[] = [];
  const taken: Name[] = [];
  for (const { file, partitions } of await newest(byInstance, at.timeMs, partitionsOf)) {
    const isFree = taken.length === 0 || (!held.has(anything) && partitions.every(isFreeIn(held)));
    if (isFree) {
      taken.push(file);
      for (const partition of partitions) held.add(partition);
    } else if (file.timeMs > fromMs) near.push(...partitions);
  }
  const around = [...byInstance.values()].flatMap((list) => neighbours(list, at.timeMs));
  const isNear = around.filter(({ timeMs }) => timeMs > fromMs && timeMs < toMs);
  for (const partitions of await Promise.all(isNear.map(partitionsOf))) near.push(...(partitions ?? []));
  const isWhole = held.has(anything) || near.every((partition) => partition === anything || held.has(partition));
  return { moment: { timeMs: at.timeMs, files: taken }, isWhole };
}

/** The snapshots of an instance just before its newest at a time, and just after. */
function neighbours<Name extends SnapshotName>(list: readonly Name[], timeMs: number): Name[] {
  const next = list.findIndex((file) => file.timeMs > timeMs);
  const after = next < 0 ? list.length : next;
  return [list[after - 2], list[after]].filter((file) => file !== undefined);
}

/** The subject of a snapshot that names none. */
const anything = '*';

function isFreeIn(held: ReadonlySet<string>): (partition: string) => boolean {
  return (partition) => partition !== anything && !held.has(partition);
}

interface Held<Name> {
  readonly file: Name;
  readonly partitions: readonly string[];
}

/** The newest of each instance at a time, the newest of all first; of one time those of most partitions. */
async function newest<Name extends SnapshotName>(
  byInstance: ReadonlyMap<string, readonly Name[]>,
  timeMs: number,
  partitionsOf: PartitionsOf<Name>,
): Promise<Held<Name>[]> {
  const files = [...byInstance.values()].map((list) => list.findLast((one) => one.timeMs <= timeMs));
  const found = await Promise.all(
    files
      .filter((file) => file !== undefined)
      .map(async (file): Promise<Held<Name>> => ({ file, partitions: (await partitionsOf(file)) ?? [anything] })),
  );
  return found.sort((a, b) => b.file.timeMs - a.file.timeMs || b.partitions.length - a.partitions.length);
}

/** The numbers below `length` in at most `most` spans; the last span has one number where there are others. */
function spans(length: number, most: number): (readonly [first: number, last: number])[] {
  const step = Math.max(1, (length - 1) / (most - 1));
  const lasts = Array.from({ length: Math.min(length, most) }, (_, at) => Math.round(at * step));
  return lasts.map((last, at) => [(lasts[at - 1] ?? -1) + 1, last]);
}
