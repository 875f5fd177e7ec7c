import type { ObjectStore } from '../../adapters/object-store/object-store.ts';
import { parseAggregatesName, snapshotPaths } from '../../adapters/object-store/snapshots.ts';
import { durationOf } from '../../config/duration.ts';
import { UsageError } from '../../errors.ts';
import { addedGroups } from '../../formats/snapshot/added-groups.ts';
import { type AggregateGroups, type OpenAggregates, openAggregates } from '../../formats/snapshot/aggregate-groups.ts';
import { type Moment, momentsOf, type SnapshotName } from '../../formats/snapshot/moments.ts';
import type { ReportInput } from '../../formats/summary/report-document.ts';
import { storeAt } from '../../service/state-store.ts';

/** An aggregate snapshot that can be read. */
export interface SnapshotFile extends SnapshotName {
  /** How messages name it. */
  readonly path: string;
  read(): Promise<Uint8Array>;
}

/** Points of a history: a chart is not wider. */
const pointsMax = 200;

/** The aggregate snapshots in a folder or bucket. */
export async function snapshotsIn(location: string): Promise<SnapshotFile[]> {
  const store = await storeAt(location);
  const paths = await snapshotPaths(store);
  if (paths.length === 0)
    throw new UsageError(`report: ${location} holds no aggregates-*.arrow or .parquet; name a folder of snapshots`);
  return paths.map(({ path, ...name }) => ({ ...name, ...inStore(store, location, path) }));
}

function inStore(store: ObjectStore, location: string, path: string): Pick<SnapshotFile, 'path' | 'read'> {
  const whole = `${location}${location.endsWith('/') ? '' : '/'}${path}`;
  return {
    path: whole,
    async read() {
      const bytes = await store.read(path).catch((error: Error) => {
        throw new UsageError(`report: ${whole} cannot be read: ${error.message}`);
      });
      if (bytes === undefined) throw new UsageError(`report: ${whole} is gone; the files may be too old: try again`);
      return bytes;
    },
  };
}

/** The instance and time of a file, by its name or by its content. */
export async function snapshotName(path: string, opened: OpenAggregates): Promise<SnapshotName> {
  const named = parseAggregatesName(path.slice(path.lastIndexOf('/') + 1));
  if (named !== undefined) return named;
  const { asOfMs } = await opened.read();
  return { timeMs: asOfMs, instance: path };
}

/** The snapshots of several instances over time: those of one time are added up, at no more times than a chart shows. */
export async function snapshotHistory(files: readonly SnapshotFile[], signal: AbortSignal): Promise<ReportInput[]> {
  const open = opener(signal);
  const partitions = new Map<SnapshotFile, readonly string[] | undefined>();
  const moments = await momentsOf(
    files,
    async (file) => {
      if (!partitions.has(file)) partitions.set(file, (await open(file)).partitions);
      return partitions.get(file);
    },
    pointsMax,
  );
  const inputs: ReportInput[] = [];
  for (const moment of moments) inputs.push(await inputOf(moment, async (file) => await (await open(file)).read()));
  return inputs;
}

/** Windows end where their snapshot does: what was the last of one before the window of the moment begins is none of it. */
async function inputOf(
  { timeMs, files }: Moment<SnapshotFile>,
  read: (file: SnapshotFile) => Promise<AggregateGroups>,
): Promise<ReportInput> {
  const parts: AggregateGroups[] = [];
  for (const file of files) {
    const { asOfMs, groups } = await read(file);
    const isIn = (window: string): boolean => window === 'all' || file.timeMs > timeMs - durationOf(window).ms;
    parts.push({ asOfMs, groups: groups.filter(({ window }) => isIn(window)) });
  }
  const known = parts.map(({ asOfMs }) => asOfMs).filter((ms) => !Number.isNaN(ms));
  return {
    asOfMs: known.length === 0 ? undefined : Math.max(...known),
    groups: addedGroups(parts.map(({ groups }) => groups)),
    about: undefined,
  };
}

/** Files that are opened and held: those of neighbouring times are the same. */
const openMax = 64;

function opener(signal: AbortSignal): (file: SnapshotFile) => Promise<OpenAggregates> {
  const held = new Map<SnapshotFile, OpenAggregates>();
  return async (file) => {
    signal.throwIfAborted();
    const known = held.get(file);
    const opened = known ?? openAggregates(await file.read());
    if (opened === undefined)
      throw new UsageError(`report: ${file.path} is no aggregate snapshot, or damaged: remove it`);
    held.delete(file);
    held.set(file, known ?? { partitions: opened.partitions, read: once(opened.read) });
    if (held.size > openMax) held.delete(held.keys().next().value!);
    return held.get(file)!;
  };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}
