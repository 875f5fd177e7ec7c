import type { Json } from '../../scoring/json.ts';
import type { Label } from '../../scoring/label.ts';
import { type DemoModel, demoModels, inventedTools } from './catalogue.ts';
import { type DemoCall, workOf } from './work.ts';
import { pick, type Random, seeded } from '../../statistics/random.ts';
import { type DemoExample, demoCall, demoExamples } from './truth.ts';

export interface TrafficOptions {
  /** The models, in turn; those of the demonstration by default. */
  readonly models?: readonly DemoModel[];
  readonly seed: number;
  readonly examples: number;
  /** Runs of each example by each model. */
  readonly runs: number;
  /** Shares of records that are sent twice, and that are malformed. */
  readonly duplicates: number;
  readonly malformed: number;
}

/** One record on its way into the log. */
export interface TrafficRecord {
  readonly key: string;
  readonly value: string;
}

/** Endless traffic of agents at work. Equal options and calls give equal records. */
export interface Traffic {
  readonly examples: readonly DemoExample[];
  /**
   * The next prediction with this event time, as one or two records (a duplicate). `spike`: the named model has gone wrong: it calls
   * tools whatever it is asked, and makes most of them up.
   */
  next(tsMs: number, spike: string | undefined): TrafficRecord[];
}

/** Examples between models that behave alike. */
const apart = 37;

/** Makes traffic: examples first, then predictions of them, run by run. */
export function createTraffic(options: TrafficOptions): Traffic {
  const random = seeded(options.seed);
  const { models = demoModels } = options;
  const examples = demoExamples(random, options.examples);
  let count = 0;
  return {
    examples,
    next(tsMs, spike) {
      const number = count++;
      const model = models[number % models.length]!;
      const turn = Math.floor(number / models.length);
      const run = turn % options.runs;
      const round = Math.floor(turn / options.runs);
      // Of many models not all do the same at the same time.
      const at = round + apart * Math.floor((number % models.length) / demoModels.length);
      const example = examples[at % examples.length]!;
      const lap = Math.floor(round / examples.length);
      const record = predictionOf(random, {
        model,
        example,
        run: run + lap * options.runs,
        tsMs,
        number,
        spiking: model.name === spike,
      });
      if (random() < options.malformed) return [{ key: record.key, value: spoil(random, record.value) }];
      return random() < options.duplicates ? [record, record] : [record];
    },
  };
}

interface Turn {
  readonly model: DemoModel;
  readonly example: DemoExample;
  readonly run: number;
  readonly tsMs: number;
  readonly number: number;
  readonly spiking: boolean;
}

function predictionOf(random: Random, turn: Turn): TrafficRecord {
  const { model, example, run, tsMs, number, spiking } = turn;
  const label = decide(random, turn);
  const calls = label === 'tool_call' ? callsOf(random, turn) : [];
  const work = label === 'tool_call' ? workOf(calls, number) : {};
  const value: Record<string, Json> = {
    event_id: `demo-event-${number}`,
    example_id: example.record.example_id,
    ts: new Date(tsMs).toISOString(),
    model: model.name,
    agent: example.agent.name,
    run,
    label,
    tool_calls: calls,
    tools: example.offered ? example.agent.tools.map(({ name }) => name) : [],
    output: outputOf(random, example, label, spiking),
    ...work,
  };
  return { key: example.record.example_id, value: JSON.stringify(value) };
}

/** A model that has gone wrong: shares of calls where none is due, of made-up tools, and of wrong arguments. */
const wrong = { calls: 0.75, invents: 0.6, slips: 0.4 };

/** A model decides an example alike in most of its runs: the same example is hard each time. */
function decide(random: Random, { model, example, spiking }: Turn): Label {
  if (spiking && random() < wrong.calls) return 'tool_call';
  const settled = seeded(hashOf(`${model.name}/${example.record.example_id}`))();
  const draw = random() < model.wavers ? random() : settled;
  if (draw < model.decides) return example.label;
  return pick(random, random() < model.guesses ? guesses[example.label] : retreats[example.label]);
}

/** Wrong decisions: a guess acts where the agent should not have, a retreat does not act where it could have. */
const guesses: Readonly<Record<Label, readonly Label[]>> = {
  direct: ['tool_call'],
  tool_call: ['direct'],
  request_for_info: ['tool_call', 'tool_call', 'direct'],
  cannot_answer: ['tool_call', 'tool_call', 'direct'],
};
const retreats: Readonly<Record<Label, readonly Label[]>> = {
  direct: ['request_for_info', 'cannot_answer'],
  tool_call: ['request_for_info', 'request_for_info', 'cannot_answer'],
  request_for_info: ['cannot_answer'],
  cannot_answer: ['request_for_info'],
};

function callsOf(random: Random, { model, example, spiking }: Turn): DemoCall[] {
  const expected = example.record.expected_tool_calls ?? [];
  const calls = expected.length > 0 ? expected : [demoCall(random, pick(random, example.agent.tools))];
  return calls.map(({ name, arguments: args }) => {
    const invented = random() < (spiking ? wrong.invents : model.invents);
    const given = args as Record<string, Json>;
    return {
      name: invented ? pick(random, inventedTools) : name,
      arguments: slip(random, given, spiking ? wrong.slips : model.slips),
    };
  });
}

function slip(random: Random, args: Record<string, Json>, share: number): Record<string, Json> {
  if (random() >= share) return args;
  const keys = Object.keys(args);
  const key = pick(random, keys);
  const { [key]: value, ...rest } = args;
  if (random() < 0.3) return rest;
  return { ...args, [key]: typeof value === 'number' ? value + 1 : `${value ?? ''} (approx.)` };
}

function outputOf(random: Random, example: DemoExample, label: Label, spiking: boolean): Json {
  const { reference } = example.record;
  if (label !== 'direct') return label === 'request_for_info' ? 'Which account do you mean?' : null;
  if (reference === null || reference === undefined) return 'Here is what I found.';
  return random() < (spiking ? 0.5 : 0.9) ? reference : { ...(reference as Record<string, Json>), answer: 'maybe' };
}

/** Damages a text on its way: cut short, no JSON at all, a field of the wrong type, no example. */
function spoil(random: Random, value: string): string {
  const forms = [
    () => value.slice(0, Math.floor(value.length / 2)),
    () => 'I am sorry, I cannot produce JSON.',
    () => value.replace(/"run":\d+/, '"run":"first"'),
    () => value.replace(/"ts":"[^"]*"/, '"ts":"yesterday"'),
  ];
  return pick(random, forms)();
}

function hashOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}
