import { join } from 'node:path';
import { lineFile } from '../../adapters/files/line-file.ts';
import { type Output, output } from '../../adapters/files/output.ts';
import { newFile } from '../../adapters/files/new-file.ts';
import { folderStore, processToken } from '../../adapters/object-store/folder-store.ts';
import { isBucket } from '../../adapters/object-store/object-store.ts';
import { aggregatesName, scoresName, snapshotStore } from '../../adapters/object-store/snapshots.ts';
import { UsageError } from '../../errors.ts';
import { rowText, type ScoreRow, scoreRow } from '../../formats/snapshot/score-row.ts';
import { aggregateSnapshot } from '../../formats/snapshot/aggregates.ts';
import { scoreFile } from '../../formats/snapshot/scores.ts';
import type { Config } from '../../config/config.ts';
import type { Layout } from '../../state/row-layout.ts';
import type { ScoredSink } from '../../stream/output.ts';
import type { View } from '../../view/summary.ts';
import type { FileLog } from '../../service/file-log.ts';
import { rowTags } from '../../service/score-rows.ts';
import { assertWritable } from '../../service/writable-folder.ts';

/** Score rows and snapshots of a replay. */
export interface ReplayOutputs {
  /** The receiver of the scored events of files; undefined where no rows are written. */
  sink(log: FileLog): ScoredSink | undefined;
  /** Writes the rows so far; resolves when there is room for more. */
  flush(): Promise<void>;
  /** Ends the files. `view` is what snapshots show of the end, its groups folded as for every snapshot. */
  finish(view: () => View): Promise<void>;
  /** Leaves no part of a file behind, where `finish` was not reached. */
  abandon(): Promise<void>;
}

export interface ReplayOutputOptions {
  readonly config: Config;
  readonly layout: Layout;
  /** `--scores` and `--snapshots`. */
  readonly scores: string | undefined;
  readonly snapshots: string | undefined;
}

/** Opens what a replay was asked for. */
export async function replayOutputs(options: ReplayOutputOptions): Promise<ReplayOutputs> {
  const { config, layout } = options;
  const all = options.scores === undefined ? undefined : await rowSink(options.scores);
  const shown = options.snapshots === undefined ? undefined : await replaySnapshots(options.snapshots, config);
  const which = config.snapshots.scores;
  const tags = rowTags(config);
  const sinks = [all, shown?.rows].filter((sink) => sink !== undefined);
  return {
    sink(log) {
      if (sinks.length === 0) return undefined;
      return {
        of: all !== undefined || which === 'all' ? 'all' : 'failures',
        add(scored) {
          const row = scoreRow(scored, layout, log.placeOf(scored.event.offset), tags);
          all?.add(row);
          if (which === 'all' || scored.failed) shown?.rows?.add(row);
        },
      };
    },
    async flush() {
      for (const sink of sinks) await sink.flush();
    },
    async finish(view) {
      await all?.finish();
      await shown?.finish(view());
    },
    async abandon() {
      for (const sink of sinks) await sink.abandon();
    },
  };
}

/** Where score rows go. */
interface RowSink {
  add(row: ScoreRow): void;
  flush(): Promise<void>;
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

/** Score rows as NDJSON or, by its name, as an Arrow file. */
async function rowSink(path: string): Promise<RowSink> {
  if (!path.endsWith('.arrow')) return lineSink(path);
  return arrowSink(await output(path));
}

/** Score rows as an Arrow file, in memory a batch at most. */
function arrowSink(file: Output): RowSink {
  const scores = scoreFile();
  return {
    add: (row) => scores.add(row),
    flush: () => file.write(scores.take()),
    async finish() {
      await file.write(scores.finish());
      await file.finish();
    },
    abandon: () => file.abandon(),
  };
}

async function lineSink(path: string): Promise<RowSink> {
  const file = await lineFile(path);
  const lines: string[] = [];
  return {
    add: (row) => void lines.push(rowText(row)),
    async flush() {
      for (const line of lines.splice(0)) await file.write(line);
    },
    finish: () => file.close(),
    abandon: () => file.abandon(),
  };
}

interface ReplaySnapshots {
  /** Undefined where no score rows are wanted. */
  readonly rows: RowSink | undefined;
  finish(view: View): Promise<void>;
}

async function replaySnapshots(path: string, config: Config): Promise<ReplaySnapshots> {
  if (isBucket(path)) throw new UsageError(`--snapshots ${path}: a replay writes to a folder; name one`);
  await assertWritable('--snapshots', path);
  const folder = snapshotStore(folderStore(path, processToken), 'latest.json');
  const end: { asOfMs: number | undefined } = { asOfMs: undefined };
  const rows =
    config.snapshots.scores === 'none'
      ? undefined
      : arrowSink(await scoresOf(path, () => join(path, scoresName(end.asOfMs!))));
  return {
    rows,
    async finish(view) {
      const { asOfMs } = view;
      if (asOfMs === undefined) return folder.writeLatest({ as_of: null, aggregates: null, scores: null });
      end.asOfMs = asOfMs;
      await rows?.finish();
      const aggregates = aggregatesName(asOfMs);
      await folder.writeAggregates(aggregates, Buffer.concat(aggregateSnapshot(view, asOfMs, config.slices)));
      const scores = rows === undefined ? null : scoresName(asOfMs);
      await folder.writeLatest({ as_of: new Date(asOfMs).toISOString(), aggregates, scores });
    },
  };
}

/** Score rows that have their name when the time of their end is known. */
async function scoresOf(folder: string, path: () => string): Promise<Output> {
  const file = await newFile(folder, 'scores');
  return { ...file, finish: () => file.finish(path()) };
}
