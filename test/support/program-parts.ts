import { tableFromIPC } from 'apache-arrow';
import { generatedFiles } from '../../packages/monitoring/generated.ts';
import {
  createPageMemory,
  type PageOptions,
  type Rendering,
  renderMetrics,
} from '../../src/adapters/prometheus/page.ts';
import { pagePlan } from '../../src/adapters/prometheus/page-plan.ts';
import { settingsOf } from '../../src/config/settings.ts';
import { summaryTable } from '../../src/terminal/summary-table.ts';
import { openAggregates } from '../../src/formats/snapshot/aggregate-groups.ts';
import { aggregateSnapshot } from '../../src/formats/snapshot/aggregates.ts';
import { rowText, type ScoreRow, scoreRow } from '../../src/formats/snapshot/score-row.ts';
import { scoreFile } from '../../src/formats/snapshot/scores.ts';
import { cellsOf, historyMetrics, historyValue } from '../../src/formats/summary/history.ts';
import { liveDocument, totalId } from '../../src/formats/summary/live-document.ts';
import { type SummaryDocument, summaryDocument } from '../../src/formats/summary/summary-document.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { createPublisher } from '../../src/pipeline/publisher.ts';
import { scoreRowSchema } from '../../packages/monitoring/schemas/score-row.ts';
import { summarySchema } from '../../packages/monitoring/schemas/summary.ts';
import { declarations } from '../../src/scoring/families.ts';
import type { AnyFamily } from '../../src/scoring/family.ts';
import { type Rate, z95 } from '../../src/scoring/reading.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import { layoutOf } from '../../src/state/row-layout.ts';
import { createTelemetry } from '../../src/telemetry.ts';
import { compareSides } from '../../src/view/compare.ts';
import { evaluateGate, type Gate, parseGate } from '../../src/view/gate.ts';
import type { View } from '../../src/view/summary.ts';
import type { SummaryGroups } from '../../src/view/summary-lookup.ts';
import { configWith, foldingOf, viewWith } from './folding.ts';

export { headlines } from '../../src/formats/summary/live-group.ts';

const recordTimeMs = Date.UTC(2026, 4, 1);
const none = { tools: null, expected_tool_calls: null, reference: null };
const truthRecord = { example_id: 'a', label: 'direct', ...none } as const;

/** Some events through the whole program, with one more family. What it says is read from what the program writes. */
export function scoredWith(family: AnyFamily, events: readonly object[]) {
  const config = configWith();
  const usual = settingsOf(config, undefined);
  const settings = { ...usual, layout: layoutOf([...usual.layout.families, family], true) };
  const state = emptyPartition(settings);
  const publisher = createPublisher(state);
  const { fold, add } = foldingOf(config, truthFromRecords([truthRecord]), { state });
  const rows: ScoreRow[] = [];
  fold.out.onScored = (scored) => {
    const source = { topic: 't', partition: 0, offset: scored.event.offset };
    rows.push(JSON.parse(rowText(scoreRow(scored, settings.layout, source))) as ScoreRow);
  };
  add(
    events.map((event, at) => ({ ts: recordTimeMs + at, ...event })),
    recordTimeMs,
  );
  const view = viewWith(config, [state], recordTimeMs);
  publisher.collect();
  return { rows, view, settings, publisher, state, sets: config.slices };
}

type World = ReturnType<typeof scoredWith>;

/** The summary as the program writes it. */
export function summaryOf({ view }: World): SummaryDocument {
  const context = { version: '1', configHash: 'c', mode: 'spec', truth: null, partitions: ['t/0'], firsts: new Map() };
  return JSON.parse(JSON.stringify(summaryDocument(view, context)));
}

/** What the schema of summaries has against one. */
export function summaryProblems(summary: object): unknown[] {
  return summarySchema(declarations).safeParse(summary).error?.issues ?? [];
}

/** What the schema of score rows has against some. */
export function rowProblems(rows: readonly ScoreRow[]): unknown[] {
  const schema = scoreRowSchema(declarations);
  return rows.flatMap((row) => schema.safeParse(row).error?.issues ?? []);
}

/** Score rows, written to an Arrow file and read again. */
export function arrowRows(rows: readonly ScoreRow[]) {
  const file = scoreFile();
  for (const row of rows) file.add({ ...row, ts: Date.parse(String(row.ts)) });
  return tableFromIPC(file.finish()).toArray();
}

/** Groups that an aggregate snapshot gives back. */
export async function aggregatesOf({ view, sets }: World) {
  const bytes = Buffer.concat(aggregateSnapshot(view, recordTimeMs, sets));
  return (await openAggregates(bytes)!.read()).groups;
}

/** The second page of metrics: counters with their counts. */
export function metricsOf({ view, publisher }: World): string {
  const telemetry = createTelemetry({
    build: { version: '1', revision: 'r', node: 'n' },
    configHash: 'c',
    topics: ['t'],
    limits: [],
    checkpointIntervalMs: 5000,
    snapshotIntervalMs: undefined,
  });
  publisher.publish(telemetry, 't');
  const memory = createPageMemory();
  const options: PageOptions = { series: 20_000, groups: 9, plan: pagePlan('all') };
  const rendering: Rendering = { format: 'text', nowMs: 0 };
  const page = () => renderMetrics(telemetry, { view, windows: [] }, memory, options, rendering);
  page();
  return page();
}

/** A generated file of the monitoring kit, or the reference of metrics. */
export function generated(name: string): string {
  return generatedFiles({ page: 'http://p', grafana: 'http://g', runbooks: 'http://r' }).find(({ path }) =>
    path.endsWith(name),
  )!.text;
}

/** The live page's document. */
export function liveOf({ view }: World) {
  const frame = { version: '1', mode: 'spec', config_hash: 'c', z: z95, sets: ['model'], windows: ['all'] };
  const at = new Date(recordTimeMs).toISOString();
  const service = {
    truth: null,
    windows_counts: [],
    service: null,
    history: null,
    failures: () => [],
    keptFailures: () => [],
    ofArguments: () => [],
    suspects: [],
  };
  return liveDocument({ frame, view, at, slice: 'model', window: 'all', focus: totalId, input: [], ...service });
}

/** The table of a terminal. */
export function tableOf(world: World): string {
  return summaryTable(summaryOf(world), { all: true, width: 80 });
}

/** A metric of the total, from what its history remembers. */
export function historyOf({ view, settings }: World, path: string): number | null {
  const metric = historyMetrics.find((one) => one.path === path)!;
  return historyValue(metric, cellsOf(totalOf(view).row, settings.layout), z95).value;
}

/** Whether a gate holds, or what is wrong with it. */
export function gate(world: World, text: string): boolean | string {
  const result = evaluateGate(parseGate(text) as Gate, summaryOf(world) as unknown as SummaryGroups);
  return 'problem' in result ? result.problem : result.holds;
}

/** Verdict on a candidate whose metric is so much higher than the reference's. */
export function verdictOfHigher(family: string, metric: string, reading: (value: number) => Rate): unknown {
  const side = (value: number) => ({
    name: 'made',
    kind: 'summary' as const,
    group: { slice: {}, window: 'all', [family]: { [metric]: reading(value) } },
  });
  const path = `${family}.${metric}`;
  const compared = compareSides(side(0.1), side(0.9), [path], new Set([path]));
  return 'problem' in compared ? compared : compared.changes[0]!.verdict;
}

function totalOf(view: View): View['groups'][number] {
  return view.groups[0]!;
}
