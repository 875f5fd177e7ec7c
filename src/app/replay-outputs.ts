import { join } from 'node:path';
import { scoresName, snapshotFolder } from '../adapters/files/snapshot-folder.ts';
import { scoreRow } from '../formats/snapshot/score-row.ts';
import { aggregateSnapshot } from '../formats/snapshot/aggregates.ts';
import { finish } from '../state/steps.ts';
import type { Config } from '../config/config.ts';
import type { Layout } from '../state/row-layout.ts';
import type { Scored } from '../stream/score.ts';
import type { View } from '../view/summary.ts';
import { arrowSink, type RowSink, rowSink } from './replay-rows.ts';

/** Score rows and snapshots of a replay. */
export interface ReplayOutputs {
  /** What hears of the scored events of a file; undefined where nobody wants their rows. */
  listener(file: string): ((scored: Scored) => void) | undefined;
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
  return {
    listener(file) {
      if (all === undefined && shown?.rows === undefined) return undefined;
      return (scored) => {
        const wanted = shown?.rows !== undefined && (which === 'all' || scored.failed);
        if (all === undefined && !wanted) return;
        const row = scoreRow(scored, layout, { file, line: scored.accepted.offset });
        all?.add(row);
        if (wanted) shown.rows.add(row);
      };
    },
    async flush() {
      await all?.flush();
      await shown?.rows?.flush();
    },
    async finish(view) {
      await all?.finish();
      await shown?.finish(view());
    },
    async abandon() {
      await all?.abandon();
      await shown?.rows?.abandon();
    },
  };
}

interface ReplaySnapshots {
  /** Undefined where no score rows are wanted. */
  readonly rows: RowSink | undefined;
  finish(view: View): Promise<void>;
}

async function replaySnapshots(path: string, config: Config): Promise<ReplaySnapshots> {
  const folder = snapshotFolder(path);
  const end: { asOfMs: number | undefined } = { asOfMs: undefined };
  const rows =
    config.snapshots.scores === 'none'
      ? undefined
      : arrowSink(await folder.beginScores(), () => join(path, scoresName(end.asOfMs!)));
  return {
    rows,
    async finish(view) {
      const { asOfMs } = view;
      if (asOfMs === undefined) return folder.writeLatest({ as_of: null, aggregates: null, scores: null });
      end.asOfMs = asOfMs;
      await rows?.finish();
      const aggregates = await folder.writeAggregates(asOfMs, finish(aggregateSnapshot(view, asOfMs, config.slices)));
      const scores = rows === undefined ? null : scoresName(asOfMs);
      await folder.writeLatest({ as_of: new Date(asOfMs).toISOString(), aggregates, scores });
    },
  };
}
