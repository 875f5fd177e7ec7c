import {
  type EndedFile,
  parseSegmentName,
  type RowFile,
  type RowPlace,
  type RowsKey,
  type RowsNote,
  rowFileName,
  segmentName,
} from '../../formats/snapshot/row-files.ts';
import { scoreRow } from '../../formats/snapshot/score-row.ts';
import { type ScoreFile, scoreFile } from '../../formats/snapshot/scores.ts';
import { partitionName, type RowsCheckpoint, type ScoreRows, type TopicPartition } from '../../ports.ts';
import type { Layout } from '../../state/row-layout.ts';
import type { RowFormat } from './row-file-worker.ts';
import {
  after,
  filesBefore,
  forgetFiles,
  type RowStores,
  restoredFiles,
  type RowWriting,
  rowsFolder,
  type WrittenRows,
  writeFile,
} from './written-rows.ts';

export interface ScoreRowsOptions extends RowStores {
  readonly layout: Layout;
  readonly format: RowFormat;
  /** Rows that are written: of failures only, or of all scored predictions. */
  readonly which: 'failures' | 'all';
  readonly truthVersion: () => string | undefined;
  /** Names of the tags that rows carry. */
  readonly tags: readonly string[];
  /** Most rows held in memory, over all partitions; at this number they are spilled. */
  readonly rowsMax: number;
  /** Time after which a file is ended. */
  readonly everyMs: number;
  /** Makes a unique name; the other function returns when it was made. */
  readonly newId: () => string;
  readonly idTimeMs: (id: string) => number;
}

/** Score rows as files. */
export interface ScoreRowFiles extends ScoreRows {
  /** Name of the file that was written last. */
  newest(): string | undefined;
  /** From now on, every checkpoint ends a file: the last rows come into one. */
  endAll(): void;
}

/** Size of its segments at which a file is ended. */
const fileBytes: number = 64 * 2 ** 20;

/** Age at which segments of other processes that no checkpoint names are removed: a process suspended for so long does not come back. */
const leftOverMs = 86_400_000;

/**
 * Score rows as Arrow files. The rows between two checkpoints are a segment beside the checkpoints, whose name the second one has; behind the
 * checkpoint that ends a file, its segments become one: its name and its rows are the same for every writer.
 */
export function scoreRowFiles(options: ScoreRowsOptions): ScoreRowFiles {
  const { layout, which, rowsMax, group, tags } = options;
  const open = new Map<string, OpenRows>();
  const beginning = new Map<string, Promise<void>>();
  const all = { newest: undefined as string | undefined, ending: false };
  const isOld = (sinceMs: number): boolean => all.ending || options.nowMs() - sinceMs >= options.everyMs;
  const made: RowWriting['made'] = { last: undefined };
  // On busy processors, files that always yield would pile up.
  const writing = { ...options, isUrgent: ({ endedMs }: RowFile): boolean => isOld(endedMs), made };
  const rowsOf = (partition: TopicPartition): OpenRows => open.get(partitionName(partition))!;
  const isOver = (rows: OpenRows): boolean => rows.bytes >= fileBytes || isOld(rows.sinceMs);
  return {
    of: which,
    newest: () => all.newest,
    endAll: () => void (all.ending = true),
    add(partition, scored) {
      const rows = rowsOf(partition);
      if (!hasRows(rows)) rows.sinceMs = options.nowMs();
      const { topic, partition: number } = partition;
      rows.scores.add(scoreRow(scored, layout, { topic, partition: number, offset: scored.event.offset }, tags));
    },
    isFull: () => heldRows(open) >= rowsMax,
    spill: () => spill(options, open),
    isDue: (partition) => hasRows(rowsOf(partition)) && isOver(rowsOf(partition)),
    endSegment(partition, { id, nextOffset, scored }) {
      const rows = rowsOf(partition);
      rows.nextOffset = nextOffset;
      seal(rows, nextOffset, id);
      if (rows.rows > 0 && isOver(rows)) endFile(options, rows, { id, nextOffset, scored });
      rows.leaving.push(...rows.released.splice(0));
      return { note: noteOf(rows), write: () => writeSegments(options, rows) };
    },
    accepted: (partition) => accept(open.get(partitionName(partition))),
    publish(partition) {
      const rows = open.get(partitionName(partition));
      return rows && publish(writing, rows, (name) => void (all.newest = name));
    },
    begin(partition, at) {
      const name = partitionName(partition);
      // An earlier assignment of the partition may still be restoring.
      const begun = after(beginning.get(name), async () => {
        open.set(name, await restoredRows(options, { group, ...partition }, at));
      });
      beginning.set(name, begun);
      return begun;
    },
    drop: (partition) => void open.delete(partitionName(partition)),
  };
}

/** The score rows of a partition that are in no file yet. */
interface OpenRows {
  readonly written: WrittenRows;
  /** Rows since the last segment. */
  scores: ScoreFile;
  /** Segments that are not durable yet, in order. */
  readonly unwritten: { readonly name: string; readonly scores: ScoreFile; bytes: Uint8Array | undefined }[];
  /** The last write: writes run one after the other. */
  writing: Promise<void>;
  /** The open file: its first place, the time of its first row, and its segments. */
  from: RowPlace;
  sinceMs: number;
  rows: number;
  bytes: number;
  segments: string[];
  /**
   * Segments of an earlier owner. They outlive their file: that owner may only be suspended, and later save a checkpoint beyond ours that names them.
   */
  readonly inherited: ReadonlySet<string>;
  /** Ended files that are not written yet, and the number of them that belong to accepted checkpoints. */
  readonly ended: EndedFile[];
  accepted: number;
  /** Segments of written files: left out of the next checkpoint, left out of the last one, and ready to be removed. */
  readonly released: string[];
  readonly leaving: string[];
  readonly gone: string[];
  /** Next offset of the last checkpoint. */
  nextOffset: number;
}

function openRows(
  written: WrittenRows,
  at: RowPlace,
  ended: readonly EndedFile[] = [],
  segments: readonly string[] = [],
): OpenRows {
  const inherited = new Set([...ended.flatMap((file) => file.segments), ...segments]);
  return {
    ...{ written, inherited, scores: scoreFile(), unwritten: [], writing: Promise.resolve() },
    ...{ from: { nextOffset: at.nextOffset, scored: at.scored }, nextOffset: at.nextOffset },
    ...{ sinceMs: 0, rows: 0, bytes: 0, segments: [...segments] },
    ...{ ended: [...ended], accepted: 0, released: [], leaving: [], gone: [] },
  };
}

function noteOf({ written, ended, from, rows, segments }: OpenRows): RowsNote {
  return { last: written.files.at(-1)?.name, ended: [...ended], from, rows, segments: [...segments] };
}

/** Returns whether the open file has rows. */
function hasRows({ rows, scores }: OpenRows): boolean {
  return rows > 0 || scores.rows > 0;
}

function heldRows(open: ReadonlyMap<string, OpenRows>): number {
  let rows = 0;
  for (const { scores, unwritten } of open.values())
    rows += scores.rows + unwritten.reduce((sum, segment) => sum + segment.scores.rows, 0);
  return rows;
}

/** Makes a segment of the rows since the last one. */
function seal(rows: OpenRows, nextOffset: number, id: string): void {
  if (rows.scores.rows === 0) return;
  const name = segmentName(nextOffset, id);
  rows.unwritten.push({ name, scores: rows.scores, bytes: undefined });
  rows.segments.push(name);
  rows.rows += rows.scores.rows;
  rows.scores = scoreFile();
}

function endFile(
  { format, nowMs, truthVersion }: ScoreRowsOptions,
  rows: OpenRows,
  { id, nextOffset, scored }: RowPlace & { readonly id: string },
): void {
  const endedMs = nowMs();
  const name = rowFileName(rows.written.key, rows.from, { id, endedMs, format });
  const firstOffset = rows.from.nextOffset;
  const { rows: number, segments } = rows;
  const truth = truthVersion();
  rows.ended.push({ name, rows: number, firstOffset, nextOffset, scored, endedMs, id, segments, truth });
  Object.assign(rows, { from: { nextOffset, scored }, rows: 0, bytes: 0, segments: [] });
}

async function spill(options: ScoreRowsOptions, open: ReadonlyMap<string, OpenRows>): Promise<void> {
  for (const rows of open.values()) {
    seal(rows, rows.nextOffset, options.newId());
    await writeSegments(options, rows);
  }
}

/** Writes the segments that are not durable yet; the next call tries again where one fails. */
function writeSegments({ state }: RowStores, rows: OpenRows): Promise<void> {
  rows.writing = after(rows.writing, async () => {
    for (let next = rows.unwritten[0]; next !== undefined; next = rows.unwritten[0]) {
      next.bytes ??= Buffer.concat(next.scores.finish());
      await state.write(`${rowsFolder(rows.written)}/${next.name}`, next.bytes);
      rows.bytes += next.bytes.length;
      rows.unwritten.shift();
    }
  });
  return rows.writing;
}

/** Notes that the group accepted the last checkpoint: its ended files may be written, and segments that it left out removed. */
function accept(rows: OpenRows | undefined): void {
  if (rows === undefined) return;
  rows.accepted = rows.ended.length;
  rows.gone.push(...rows.leaving.splice(0));
}

async function publish(options: RowWriting, rows: OpenRows, onFile: (name: string) => void): Promise<void> {
  while (rows.accepted > 0) {
    const ended = rows.ended[0]!;
    const files = await writeFile(options, rows.written, ended);
    // No await between these lines: a checkpoint sees the file either as written or as ended.
    rows.written.files = files;
    rows.ended.shift();
    rows.accepted--;
    rows.released.push(...ended.segments.filter((name) => !rows.inherited.has(name)));
    onFile(ended.name);
  }
  for (let name = rows.gone[0]; name !== undefined; name = rows.gone[0]) {
    await options.state.remove(`${rowsFolder(rows.written)}/${name}`);
    rows.gone.shift();
  }
}

/** Restores the rows that a checkpoint notes. A file that was open is ended: rows of two processes are in two files. */
async function restoredRows(options: ScoreRowsOptions, key: RowsKey, at: RowsCheckpoint): Promise<OpenRows> {
  const { id, nextOffset } = at;
  if (id === undefined) {
    await forgetFiles(options, key);
    return openRows({ key, files: [] }, at);
  }
  const note = at.note as RowsNote | undefined;
  if (note === undefined) return openRows({ key, files: await filesBefore(options, key, nextOffset) }, at);
  const { files, ended } = await restoredFiles(options, key, note);
  const rows = openRows({ key, files }, note.from, ended, note.segments);
  Object.assign(rows, { rows: note.rows, nextOffset });
  if (note.rows > 0) endFile(options, rows, { ...at, id });
  else rows.from = { nextOffset, scored: at.scored };
  void removeLeftOvers(options, rows).catch(() => undefined);
  return rows;
}

/** Removes old segments that our checkpoint does not name: their file is written, or their process died before it saved a checkpoint. */
async function removeLeftOvers({ state, idTimeMs, nowMs }: ScoreRowsOptions, rows: OpenRows): Promise<void> {
  const folder = rowsFolder(rows.written);
  const { inherited, nextOffset } = rows;
  for (const name of await state.files(folder)) {
    const segment = parseSegmentName(name);
    if (segment === undefined || inherited.has(name) || segment.nextOffset >= nextOffset) continue;
    if (idTimeMs(segment.id) < nowMs() - leftOverMs) await state.remove(`${folder}/${name}`);
  }
}
