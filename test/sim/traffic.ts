import { jsonText } from '../../src/formats/json/json-text.ts';
import type { JsonObject } from '../../src/scoring/json.ts';
import { labels } from '../../src/scoring/label.ts';
import type { RejectCode } from '../../src/state/reject.ts';
import { callForms, type EventSpec, eventJson, judgementJson, outputForms, toolForms } from './event.ts';
import type { Random } from './prng.ts';
import { exampleCount, exampleId } from './truth.ts';

/** A record as it was made, with what it is known to hold: what the checkers compare with. */
export interface MadeRecord {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly timestamp: number;
  readonly events: readonly MadeEvent[];
}

export type MadeEvent = AcceptedEvent | RefusedEvent;

export interface AcceptedEvent {
  readonly reject: undefined;
  /** Index in its array, -1 where the record is one object. */
  readonly element: number;
  readonly spec: EventSpec;
  /** Event time as it counts, ms. */
  readonly tsMs: number;
}

export interface RefusedEvent {
  readonly reject: RejectCode;
  readonly element: number;
  /** The element as JSON; undefined where the whole record is refused. */
  readonly text: string | undefined;
}

/** What the traffic is like; each seed draws its own. */
export interface TrafficOptions {
  readonly models: number;
  readonly duplicates: number;
  /** Share of the duplicates that say something else. */
  readonly conflicts: number;
  readonly malformed: number;
  readonly arrays: number;
  readonly late: number;
  readonly future: number;
  readonly identified: number;
  /** Share of the events that go on with the run of the one before. */
  readonly continued?: number;
  /** Event times are multiples of this: where they are coarse, many fall together, and on the edges of horizons. */
  readonly stepMs: number;
}

/** Limits of the configuration that the malformed records of `malformedRecord` go beyond. */
export const recordLimits = { record_bytes: 20_000, depth: 12, elements: 6, calls: 60, values: 1_000 } as const;

/** Records for one partition after the other; its time moves on with each. */
export interface Traffic {
  nowMs: number;
  next(partition: number): MadeRecord;
}

interface Maker {
  readonly random: Random;
  readonly options: TrafficOptions;
  readonly partitions: number;
  /** Of judgements, not of predictions. */
  readonly judgements: boolean;
  readonly past: EventSpec[][];
  readonly last: (EventSpec | undefined)[];
  ids: number;
}

export function createTraffic(
  random: Random,
  options: TrafficOptions,
  partitions: number,
  judgements = false,
): Traffic {
  const maker: Maker = {
    random,
    options,
    partitions,
    judgements,
    past: Array.from({ length: partitions }, () => []),
    last: [],
    ids: 0,
  };
  const traffic: Traffic = {
    nowMs: Date.UTC(2026, 2, 1),
    next(partition) {
      traffic.nowMs += random.chance(0.02) ? random.int(60_000) : random.int(3_000);
      const recordMs = Math.floor(traffic.nowMs / options.stepMs) * options.stepMs;
      return random.chance(options.malformed)
        ? malformedRecord(maker, partition, recordMs)
        : goodRecord(maker, partition, recordMs);
    },
  };
  return traffic;
}

function goodRecord(maker: Maker, partition: number, nowMs: number): MadeRecord {
  const { random, options } = maker;
  if (random.chance(options.arrays)) return arrayRecord(maker, partition, nowMs);
  const spec = drawSpec(maker, partition, nowMs);
  const keyed = random.chance(0.3);
  const value = encode(jsonText(jsonOf(maker, spec, !keyed)));
  return { key: keyed ? keyOf(spec) : null, value, timestamp: nowMs, events: [accepted(spec, -1, nowMs)] };
}

function arrayRecord(maker: Maker, partition: number, nowMs: number): MadeRecord {
  const { random, options } = maker;
  const texts: string[] = [];
  const events: MadeEvent[] = [];
  const count = random.between(1, recordLimits.elements);
  for (let element = 0; element < count; element++) {
    if (random.chance(options.malformed)) {
      const [reject, text] = malformedEvent(maker, partition, nowMs);
      texts.push(text);
      events.push({ reject, element, text });
    } else {
      const spec = drawSpec(maker, partition, nowMs);
      texts.push(jsonText(jsonOf(maker, spec, true)));
      events.push(accepted(spec, element, nowMs));
    }
  }
  const gap = random.pick(['', ' ', '\n  ']);
  return { key: null, value: encode(`[${gap}${texts.join(`,${gap}`)}]`), timestamp: nowMs, events };
}

function malformedRecord(maker: Maker, partition: number, nowMs: number): MadeRecord {
  const { random } = maker;
  const made = (reject: RejectCode, value: Uint8Array | null, key: Uint8Array | null = null): MadeRecord => ({
    key,
    value,
    timestamp: nowMs,
    events: [{ reject, element: -1, text: undefined }],
  });
  const event = jsonText(jsonOf(maker, drawSpec(maker, partition, nowMs), true));
  switch (random.int(9)) {
    case 0:
      return made('not_json', null, encode('a key without a value'));
    case 1:
      return made('not_utf8', Uint8Array.of(0x7b, 0xff, 0x7d));
    case 2:
      return made('not_json', encode(event.slice(0, -1)), Uint8Array.of(0xff));
    case 3:
      return made('schema', encode(random.pick(['[]', '17', '"text"', 'null'])));
    case 4:
      return made('too_large', encode(event + ' '.repeat(recordLimits.record_bytes)));
    case 5:
      return made('too_many_elements', encode(`[${new Array(recordLimits.elements + 1).fill(event).join()}]`));
    default: {
      const [reject, text] = malformedEvent(maker, partition, nowMs);
      return made(reject, encode(text));
    }
  }
}

function jsonOf({ judgements }: Maker, spec: EventSpec, withExampleId: boolean): JsonObject {
  return judgements ? judgementJson(spec, withExampleId) : eventJson(spec, withExampleId);
}

function schemaBreaks({ judgements }: Maker): readonly object[] {
  return judgements ? [{ score: 'six' }, { by: 5 }, { probability: 0 }] : [{ run: -1 }, { label: 5 }, { tools: {} }];
}

function malformedEvent(maker: Maker, partition: number, nowMs: number): readonly [RejectCode, string] {
  const { random } = maker;
  const event = jsonOf(maker, drawSpec(maker, partition, nowMs), true);
  const text = (changes: object): string => JSON.stringify({ ...event, ...changes });
  switch (random.int(9)) {
    case 0:
      return ['schema', random.pick(['42', '"x"', 'null', ...schemaBreaks(maker).map(text)])];
    case 1:
      return ['too_deep', `{"example_id":"x","output":${'['.repeat(40)}${']'.repeat(40)}}`];
    case 2:
      if (maker.judgements) return ['schema', text({ score: 1, failed: 'error' })];
      return ['too_many_calls', text({ tool_calls: new Array(recordLimits.calls + 1).fill({ name: 'a' }) })];
    case 3:
      return ['bad_timestamp', text({ ts: random.pick(['yesterday', '1999-12-31T23:59:59Z', 1]) })];
    case 4:
      return ['future_timestamp', text({ ts: nowMs + 300_001 + random.int(1e9) })];
    case 5:
      return ['too_large', text({ output: new Array(recordLimits.values + 1).fill(0) })];
    case 6:
      return ['schema', text({ model: '__other__' })];
    case 7:
      if (maker.judgements) return ['schema', text({ score: 1, failed: 'error' })];
      return ['no_decision', random.pick(['{}', '{"example_id":"x","payload":{"after":{}}}'])];
    default:
      return ['no_example_id', text({ example_id: null })];
  }
}

function accepted(spec: EventSpec, element: number, nowMs: number): AcceptedEvent {
  return { reject: undefined, element, spec, tsMs: spec.tsForm === 'absent' ? nowMs : spec.tsMs };
}

/** An event, or a further step of the run of the event before. */
function drawSpec(maker: Maker, partition: number, nowMs: number): EventSpec {
  const { continued = 0 } = maker.options;
  const before = maker.last[partition];
  const past = maker.past[partition]!;
  const known = past.length;
  const drawn = drawAny(maker, partition, nowMs);
  const isAgain = past.indexOf(drawn) >= 0 && past.length === known;
  if (isAgain || before === undefined || continued === 0 || !maker.random.chance(continued)) {
    maker.last[partition] = drawn;
    return drawn;
  }
  const { example, model, agent, env } = before;
  const step: EventSpec = { ...drawn, example, model, agent, env, run: undefined };
  if (past.length > known) past.splice(-1, 1, step);
  return (maker.last[partition] = step);
}

/** A new event of an example of the partition, or one that was there before. */
function drawAny(maker: Maker, partition: number, nowMs: number): EventSpec {
  const { random, options, partitions } = maker;
  const past = maker.past[partition]!;
  if (past.length > 0 && random.chance(options.duplicates)) {
    const recent = random.chance(0.8) ? Math.max(0, past.length - 10) : 0;
    const again = past[random.between(recent, past.length - 1)]!;
    return random.chance(options.conflicts) ? { ...again, error: !again.error } : again;
  }
  const example = random.int(Math.ceil((exampleCount - partition) / partitions)) * partitions + partition;
  // Servers repeat ids: one of another example says nothing.
  const other = random.chance(0.1) ? past.at(-1) : undefined;
  const id = other === undefined || other.example === example ? `event-${maker.ids++}` : other.eventId;
  const spec: EventSpec = {
    example,
    eventId: random.chance(options.identified) ? id : undefined,
    tsMs: drawTs(maker, nowMs),
    tsForm: random.pick(['text', 'text', 'number', 'absent']),
    model: random.chance(0.1) ? undefined : `model-${random.int(options.models)}`,
    agent: random.chance(0.3) ? undefined : random.pick(['planner', 'coder']),
    env: random.chance(0.3) ? undefined : random.pick(['prod', 'test', '__proto__']),
    run: random.chance(0.2) ? undefined : random.int(4),
    label: random.chance(0.2) ? undefined : random.chance(0.1) ? 'nonsense' : random.pick(labels),
    calls: random.pick(callForms),
    output: random.pick(outputForms),
    tools: random.pick(toolForms),
    error: random.chance(0.05),
    success: random.chance(0.7) ? undefined : random.chance(0.5),
  };
  if (spec.eventId !== undefined) past.push(spec);
  return spec;
}

function drawTs({ random, options }: Maker, nowMs: number): number {
  const { late, future, stepMs } = options;
  const away = random.chance(late)
    ? -random.int(random.pick([8_000, 40_000, 400_000]))
    : random.chance(future)
      ? random.int(random.pick([4_000, 300_001]))
      : -random.int(2_000);
  return Math.floor((nowMs + away) / stepMs) * stepMs;
}

function keyOf(spec: EventSpec): Uint8Array {
  return encode(exampleId(spec.example));
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
