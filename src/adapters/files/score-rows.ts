import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { scoreRow } from '../../formats/snapshot/score-row.ts';
import { type ScoreFile, scoreFile } from '../../formats/snapshot/scores.ts';
import type { Layout } from '../../state/row-layout.ts';
import { partitionName, type RowPosition, type ScoreRows, type TopicPartition } from '../../ports.ts';
import { type NewFile, newFile } from './new-file.ts';
import { isPast, parseScoreFileName, scoreFileName } from './score-names.ts';

export interface ScoreRowsOptions {
  readonly folder: string;
  readonly layout: Layout;
  /** Rows of failures only, or of all scored predictions. */
  readonly which: 'failures' | 'all';
  /** Rows held in memory, over all partitions; beyond, they are to be spilled. */
  readonly rowsMax: number;
}

/** Score rows as files, and the newest of them. */
export interface ScoreRowFiles extends ScoreRows {
  /** Name of the file that was finished last. */
  newest(): string | undefined;
}

/**
 * Score rows as Arrow files, one for the rows between two checkpoints of a partition. What was spilled lies in the file before that has its
 * name: a process that dies leaves nothing that a reader would see.
 */
export function scoreRowFiles({ folder, layout, which, rowsMax }: ScoreRowsOptions): ScoreRowFiles {
  const open = new Map<string, OpenRows>();
  const beginning = new Map<string, Promise<void>>();
  const files: { newest: string | undefined } = { newest: undefined };
  const drop = async (partition: TopicPartition): Promise<void> => {
    const rows = open.get(partitionName(partition));
    open.delete(partitionName(partition));
    await rows?.writing.catch(() => undefined);
    await rows?.file?.abandon();
  };
  return {
    newest: () => files.newest,
    add(partition, scored) {
      if (which === 'failures' && !scored.failed) return;
      const source = { ...partition, offset: scored.accepted.offset };
      open.get(partitionName(partition))!.scores.add(scoreRow(scored, layout, source));
    },
    isFull: () => heldRows(open) >= rowsMax,
    async spill() {
      for (const rows of open.values()) if (rows.scores.held > 0) await write(rows, folder);
    },
    endFile(partition, next) {
      const rows = open.get(partitionName(partition))!;
      open.set(partitionName(partition), emptyRows(partition, next));
      if (rows.scores.rows === 0) return undefined;
      let last: Uint8Array[] | undefined;
      return async () => {
        last ??= rows.scores.finish();
        await write(rows, folder, last);
        await rows.file!.finish(join(folder, rows.name));
        files.newest = rows.name;
      };
    },
    begin(partition, at) {
      const name = partitionName(partition);
      // An assignment that was given up may still be at it: what it removes must be gone before the next one writes.
      const begun = after(beginning.get(name), async () => {
        await drop(partition);
        await removePast(folder, partition, at);
        open.set(name, emptyRows(partition, at));
      });
      beginning.set(name, begun);
      return begun;
    },
    drop,
  };
}

/** Rows of a partition since its last checkpoint. */
interface OpenRows {
  readonly name: string;
  readonly scores: ScoreFile;
  /** Bytes that were taken and are not yet written. */
  pieces: readonly Uint8Array[];
  file: NewFile | undefined;
  /** Writes to the file come one after the other. */
  writing: Promise<void>;
}

function emptyRows(partition: TopicPartition, at: RowPosition): OpenRows {
  const name = scoreFileName(partition, at);
  return { name, scores: scoreFile(), pieces: [], file: undefined, writing: Promise.resolve() };
}

function heldRows(open: ReadonlyMap<string, OpenRows>): number {
  let rows = 0;
  for (const { scores } of open.values()) rows += scores.held;
  return rows;
}

/** Does the work when what went before is over, whether or not that went well. */
async function after(before: Promise<void> | undefined, work: () => Promise<void>): Promise<void> {
  await before?.catch(() => undefined);
  await work();
}

/** Writes the rows so far, and the last bytes of the file where they are given. What failed is tried again with the next call. */
function write(rows: OpenRows, folder: string, last: Uint8Array[] = []): Promise<void> {
  const append = async (): Promise<void> => {
    if (rows.pieces.length === 0) return;
    rows.file ??= await newFile(folder, rows.name);
    await rows.file.write(rows.pieces);
    rows.pieces = [];
  };
  rows.writing = after(rows.writing, async () => {
    await append();
    rows.pieces = last.length > 0 ? last.splice(0) : rows.scores.takeAll();
    await append();
  });
  return rows.writing;
}

/** Removes the files whose rows the state at a place has not scored: it will score them again. */
async function removePast(folder: string, partition: TopicPartition, at: RowPosition): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    const file = parseScoreFileName(name);
    if (file === undefined || file.topic !== partition.topic || file.partition !== partition.partition) continue;
    if (isPast(file, at)) await rm(join(folder, name), { force: true });
  }
}
