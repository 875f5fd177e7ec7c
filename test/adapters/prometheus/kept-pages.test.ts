import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pagePlan } from '../../../src/adapters/prometheus/page-plan.ts';
import {
  createPageMemory,
  groupChooser,
  type PageMemory,
  type PageOptions,
  renderMetrics,
} from '../../../src/adapters/prometheus/page.ts';
import type { PageFormat } from '../../../src/adapters/prometheus/text.ts';
import { contextOf } from '../../../src/documents/context.ts';
import { rateOf, settingsOf } from '../../../src/config/settings.ts';
import { watcherOf } from '../../../src/service/watches.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { createTraffic } from '../../../src/commands/demo/traffic.ts';
import { summaryDocument } from '../../../src/formats/summary/summary-document.ts';
import { truthFromRecords } from '../../../src/formats/truth/table.ts';
import type { PartitionState } from '../../../src/state/partition.ts';
import { finish } from '../../../src/state/steps.ts';
import { windowCounts } from '../../../src/state/window-counts.ts';
import { createTelemetry, modelCounters, type Telemetry } from '../../../src/telemetry.ts';
import { createGroupCache } from '../../../src/view/group-reader.ts';
import { plannedSettings } from '../../../src/view/planned.ts';
import { viewOf } from '../../../src/view/view.ts';
import { runs } from '../../support/soak.ts';
import { foldingOf } from '../../support/folding.ts';

/** What is kept from page to page only saves work: each page is, to the byte, what it is without. */

const { config } = loadConfig({});
const settings = settingsOf(config, undefined);
const ofPage = plannedSettings(settings, pagePlan(config.http.metrics));
const options: PageOptions = { series: 3_000, groups: 3, plan: pagePlan(config.http.metrics) };
const viewed = { sets: config.slices, rate: rateOf(config), withWindows: true, groupsMax: undefined };
const startMs = Date.UTC(2026, 5, 1);
const traffic = createTraffic({ seed: 5, examples: 30, runs: 5, duplicates: 0, malformed: 0 });
const table = truthFromRecords(traffic.examples.map(({ record }) => record));
const models = ['a', 'b', 'c', 'd', 'e "f"', '__proto__'];

/** Events of two partitions, then a page. */
const pieces = fc.array(
  fc.record({
    onMs: fc.oneof(fc.nat(15_000), fc.nat(1_000_000), fc.nat(20_000_000)),
    events: fc.array(
      fc.record({
        partition: fc.nat(1),
        model: fc.constantFrom(...models),
        backMs: fc.oneof(fc.constant(0), fc.nat(5_000_000)),
      }),
      { maxLength: 12 },
    ),
    held: fc.constantFrom('both', 'both', 'first'),
    format: fc.constantFrom<PageFormat[]>('text', 'openmetrics'),
  }),
  { minLength: 2, maxLength: 12 },
);

function partition(): { readonly state: PartitionState; add(model: string, tsMs: number): void } {
  const { state, add } = foldingOf(config, table);
  return {
    state,
    add(model, tsMs) {
      const { value } = traffic.next(tsMs, undefined)[0]!;
      add([{ ...JSON.parse(value), event_id: undefined, model }], tsMs);
    },
  };
}

/** One reading: which partitions are held, when, and in which format the page is. */
interface Reading {
  readonly telemetry: Telemetry;
  readonly states: readonly PartitionState[];
  readonly nowMs: number;
  readonly format: PageFormat;
}

type More = Partial<Parameters<typeof viewOf>[3]>;

function pageOf({ telemetry, states, nowMs, format }: Reading, memory: PageMemory, more: More): string {
  const choose = groupChooser(telemetry, memory, options);
  const view = viewOf(states, ofPage, nowMs, { ...viewed, withBreakdowns: false, choose, ...more });
  const exported = { view, windows: windowCounts(states, settings, nowMs) };
  return finish(renderMetrics(telemetry, exported, memory, options, { format, nowMs }));
}

function summaryOf({ states, nowMs }: Reading, more: More): string {
  const view = viewOf(states, settings, nowMs, { ...viewed, withBreakdowns: true, ...more });
  return JSON.stringify(summaryDocument(view, contextOf(config, null, [])));
}

/** What earlier pages have shown, without what is kept of them. */
function bare({ shown, models: counted, groups, dropped }: PageMemory): PageMemory {
  return { ...createPageMemory(), ...structuredClone({ shown, models: counted, groups, dropped }) };
}

test('pages and summaries are the same with what is kept and without', () => {
  fc.assert(
    fc.property(pieces, (all) => {
      const telemetry = createTelemetry({
        build: { version: 'test', revision: 'test', node: 'test' },
        ...{
          configHash: 'test',
          topics: ['t'],
          limits: [],
          checkpointIntervalMs: 5_000,
          snapshotIntervalMs: undefined,
        },
      });
      const parts = [partition(), partition()];
      const memory = createPageMemory();
      const kept = { page: createGroupCache(), summary: createGroupCache() };
      const watcher = watcherOf(config, settings)!;
      let nowMs = startMs;
      for (const { onMs, events, held, format } of all) {
        nowMs += onMs;
        for (const { partition: of, model, backMs } of events) {
          parts[of]!.add(model, nowMs - backMs);
          modelCounters(telemetry, model).cells[0]! += 1;
        }
        const states = (held === 'both' ? parts : parts.slice(0, 1)).map(({ state }) => state);
        const reading = { telemetry, states, nowMs, format };
        const anew = pageOf(reading, bare(memory), { watcher: watcherOf(config, settings) });
        assert.equal(pageOf(reading, memory, { watcher, kept: kept.page }), anew);
        assert.equal(summaryOf(reading, { kept: kept.summary }), summaryOf(reading, {}));
      }
    }),
    { numRuns: runs(12, 200) },
  );
});
