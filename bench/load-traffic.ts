import { createTraffic } from '../src/commands/demo/traffic.ts';
import type { DemoExample } from '../src/commands/demo/truth.ts';
import { benchEvent } from './events.ts';

/** What the load is made of: 10,000 examples, by 10 models, for 10 agents each, or by others. */
export interface LoadTraffic {
  /** Groups of runs. */
  readonly groups: number;
  readonly truth: readonly DemoExample['record'][];
  /** A prediction of a group of runs: example, model and agent by its number; beyond the groups, one whose truth never comes. */
  event(group: number, run: number, tsMs: number): { readonly key: string; readonly value: string };
}

const examples = 10_000;
const templates = 5_000;

/** The same at each call. */
export function loadTraffic(models = 10, agents = 10): LoadTraffic {
  const groups = examples * models * agents;
  const traffic = createTraffic({ seed: 5, examples: templates, runs: 1, duplicates: 0, malformed: 0 });
  const known = new Map<string, string>();
  while (known.size < templates) {
    const { value } = traffic.next(0, undefined)[0]!;
    const { event_id, example_id, ts, model, agent, run, ...rest } = JSON.parse(value) as Record<string, unknown>;
    known.set(example_id as string, benchEvent(JSON.stringify(rest), known.size).slice(1));
  }
  const tails = [...known.values()];
  const truth = [...known.keys()].map((id) => traffic.examples.find(({ record }) => record.example_id === id)!.record);
  let count = 0;
  return {
    groups,
    truth: Array.from({ length: examples }, (_, index) => ({ ...truth[index % templates]!, example_id: idOf(index) })),
    event(group, run, tsMs) {
      const key = group < groups ? idOf(group % examples) : pendingId(group - groups);
      const by = Math.floor(group / examples);
      const who = `"model":"model-${by % models}","agent":"agent-${Math.floor(by / models) % agents}","run":${run}`;
      const head = `{"event_id":"load-${count++}","example_id":"${key}","ts":${tsMs},${who},`;
      return { key, value: head + tails[group % templates]! };
    },
  };
}

/** Example of a prediction whose truth is not there at first. */
export function pendingId(index: number): string {
  return `unknown-${index}`;
}

function idOf(index: number): string {
  return `example-${index}`;
}
