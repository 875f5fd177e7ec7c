import type { Config } from '../../src/config/config.ts';
import { join } from '../../src/scoring/join.ts';
import { labels } from '../../src/scoring/label.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { callForms, type EventSpec, eventJson, outputForms, toolForms } from '../sim/event.ts';
import { prng } from '../sim/prng.ts';
import { exampleCount, exampleId, truthOf } from '../sim/truth.ts';
import { eventOf, readOne } from './event-reader.ts';
import type { ViewedEvent } from './naive-view.ts';
import { configWith, recordAt, foldingOf } from './folding.ts';

export const startMs: number = Date.UTC(2026, 5, 1);
export const minuteMs = 60_000;
const runs = 2;

/** Windows of one tier, which hold all but the very late, unless others are given; slices by several dimensions. */
export function viewConfig(windows: readonly string[] = ['1m', '10m', '1h']): Config {
  const values = {
    'join.truth_wait': '30d',
    'dedupe.window': '30d',
    'time.windows': windows,
    slices: [['model'], ['agent', 'tags.env'], ['tags.env', 'model']],
    'metrics.stability.k': runs,
    'metrics.stability.form': 'closed',
  };
  return configWith(values);
}

/** Half an hour of two partitions, in disorder, and what came hours late: their states, and each of their events. */
export function viewedTraffic(config: Config): {
  readonly states: readonly PartitionState[];
  readonly events: readonly ViewedEvent[];
} {
  const table = truthOf(
    Array.from({ length: exampleCount }, (_, example) => example),
    0,
    false,
  );
  const specs = drawnSpecs();
  const events: ViewedEvent[] = [];
  const states = [0, 1].map((partition) => {
    const { state, apply } = foldingOf(config, table);
    specs
      .filter(({ example }) => example % 2 === partition)
      .forEach((spec, offset) => {
        apply([recordAt(eventJson(spec, true), offset, startMs + 60 * minuteMs)]);
        const late = spec.tsMs < state.numbers.greatestTs - state.settings.windows.longestMs;
        events.push(viewed(spec, late, table));
      });
    return state;
  });
  return { states, events };
}

function viewed(spec: EventSpec, late: boolean, table: ReturnType<typeof truthOf>): ViewedEvent {
  const { prediction } = eventOf(
    readOne(JSON.stringify(eventJson(spec, true)), { timestamp: startMs + 60 * minuteMs }),
  );
  const { example, model = 'unknown', agent = 'unknown', env = '', tsMs } = spec;
  const joined = join(prediction, table.read(table.find(exampleId(example))));
  return { values: { model, agent, 'tags.env': env }, tsMs, late, joined, runsOf: `${example} ${model} ${agent}` };
}

/** Every model, agent and example, run by run; the runs of one group are in one environment. */
function drawnSpecs(): EventSpec[] {
  const random = prng(26);
  const specs: EventSpec[] = [];
  for (let run = 0; run < runs; run++)
    for (let example = 0; example < exampleCount; example++)
      for (const [at, model] of models.entries())
        for (const agent of agents)
          if (random.chance(shares[at]!)) {
            const hours = model === 'of yesterday' ? -24 : 0;
            const ms = random.chance(0.3) ? 30 * minuteMs : example * minuteMs;
            specs.push({
              example,
              model,
              agent,
              run,
              env: environments[(example + at) % environments.length],
              eventId: undefined,
              tsMs: startMs + hours * 60 * minuteMs + ms + random.int(minuteMs),
              tsForm: 'number',
              label: random.pick([...labels, ...labels, 'nonsense', undefined]),
              calls: random.pick(callForms),
              output: random.pick(outputForms),
              tools: random.pick(toolForms),
              error: random.chance(0.1),
              success: random.pick([true, false, undefined]),
            });
          }
  // What is hours late comes when there is something that it is later than.
  return specs.toSorted((a, b) => Number(a.tsMs < startMs) - Number(b.tsMs < startMs));
}

const models = ['m2', '__proto__', 'm1', 'm3', 'of yesterday', undefined];
const agents = ['b', 'a', undefined];
const environments = ['prod', 'dev', undefined];
const shares = [0.7, 0.3, 0.5, 0.2, 0.2, 0.3];
