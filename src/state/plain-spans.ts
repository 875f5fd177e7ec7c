import { appendText, type PendingLog, removeText } from './containers/pending-log.ts';
import type { LimitHits } from './limit-hits.ts';
import type { RunPlan } from './settings.ts';

/** Spans of a trace that are no steps: steps may lie in them, and they in other steps. */
export interface PlainSpans {
  /** Key of the run that their trace is. */
  readonly run: string;
  /** The last of their ends in ms; NaN where none has one. */
  readonly ts: number;
  /** The id of each, followed by that of the span around it. */
  readonly ids: readonly string[];
}

/** Plain spans by runs: those that came first come first. */
export type PlainSpansByRun = Map<string, Kept>;

interface Kept {
  /** Numbers of their texts: `l` and JSON. */
  readonly numbers: number[];
  latest: number;
  spans: number;
}

/** Parts of open runs that hold plain spans. */
interface Holder {
  readonly log: PendingLog;
  readonly plain: { readonly byRun: PlainSpansByRun; count: number };
  readonly plan: Pick<RunPlan, 'runsMax'>;
  readonly limitHits: LimitHits;
}

/** Keeps plain spans. Beyond their limit those of the oldest runs are forgotten. */
export function addPlainSpans(holder: Holder, { run, ts, ids }: PlainSpans): void {
  const { log, plain, plan, limitHits } = holder;
  // Indexed from its text: a name that is a slice of a record would keep all of it in memory.
  filePlainSpans(holder, appendText(log, `l${JSON.stringify([run, Number.isNaN(ts) ? null : ts, ...ids])}`));
  const most = plainPerOpen * plan.runsMax;
  if (plain.count <= most) return;
  // A tenth at once: a map finds its first key slowly where many before it were deleted.
  for (const oldest of plain.byRun.keys()) {
    if (plain.count <= 0.9 * most) return;
    limitHits.plain_spans++;
    removePlainSpans(holder, oldest);
  }
}

/** The id of the span around each plain span of a run. */
export function plainSpansOf({ log, plain }: Holder, run: string): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const number of plain.byRun.get(run)?.numbers ?? []) {
    const { ids } = readText(log, number);
    for (let at = 0; at < ids.length; at += 2) parents.set(ids[at]!, ids[at + 1]!);
  }
  return parents;
}

/** Forgets the plain spans of a run. */
export function removePlainSpans({ log, plain }: Holder, run: string): void {
  const kept = plain.byRun.get(run);
  if (kept === undefined) return;
  for (const number of kept.numbers) removeText(log, number);
  plain.count -= kept.spans;
  plain.byRun.delete(run);
}

/** Forgets the plain spans of runs of which none came since an hour before a time: nearly always their trace has no step. */
export function evictPlainSpans(holder: Holder, evictionMs: number): void {
  for (const [run, { latest }] of holder.plain.byRun) {
    if (latest >= evictionMs - keptMs) return;
    removePlainSpans(holder, run);
  }
}

/** Indexes a text of the log. Without any time its spans are kept until their run ends. */
export function filePlainSpans({ log, plain }: Holder, number: number): void {
  const { run, ts, ids } = readText(log, number);
  const spans = ids.length / 2;
  const kept = plain.byRun.get(run);
  plain.count += spans;
  // An array that begins with its element has no room for others: most traces have one text.
  if (kept === undefined) return void plain.byRun.set(run, { numbers: [number], latest: ts, spans });
  kept.numbers.push(number);
  kept.latest = Math.max(kept.latest, ts);
  kept.spans += spans;
}

function readText({ texts }: PendingLog, number: number): PlainSpans {
  const [run, ts, ...ids] = JSON.parse(texts.get(number)!.slice(1)) as [string, number | null, ...string[]];
  return { run, ts: ts ?? Number.POSITIVE_INFINITY, ids };
}

const keptMs = 3_600_000;
/** Plain spans at most, for each run that may be open. */
export const plainPerOpen = 5;
