import type { Config } from '../../src/config/config.ts';
import { readerOf, settingsOf } from '../../src/config/settings.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import type { JsonObject } from '../../src/scoring/json.ts';
import { inputKinds } from '../../src/state/input.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import type { LogRecord, Reader } from '../../src/stream/event.ts';
import { encodeSnapshot, restored } from './encoded.ts';
import { configWith, foldingOf, recordAt } from './folding.ts';
import { attribute, documentOf, type JsonSpan } from './otlp.ts';

/* Traces in short, and the runs that they make when they go the whole way of a file. */

/** A span in short: its id, its parent's, its times in seconds, and its attributes; a time that is undefined is not written. */
export interface ShortSpan {
  readonly id: string;
  readonly in?: string;
  readonly trace?: string;
  readonly at?: readonly [start: number, end?: number];
  readonly name?: string;
  readonly kind?: number;
  readonly failed?: string;
  readonly has?: object;
}

const startS = Date.UTC(2026, 4, 1) / 1_000;

/** A span of OTLP/JSON; spans begin one after the other unless they say when. */
export function spanOf({ id, in: parent, trace = 't', name = id, kind, failed, has = {}, at }: ShortSpan): JsonSpan {
  const [start, end] = at ?? [0, 1];
  return {
    ...{ traceId: hex(trace, 32), spanId: hex(id, 16), name },
    ...(parent !== undefined && { parentSpanId: hex(parent, 16) }),
    ...(kind !== undefined && { kind }),
    startTimeUnixNano: nanoseconds(start),
    ...(end !== undefined && { endTimeUnixNano: nanoseconds(end) }),
    ...(failed !== undefined && { status: { code: 2, message: failed } }),
    attributes: Object.entries(has).map(([key, value]) => attribute(key, value)),
  };
}

/** The events of runs, and what the input report says. */
export interface Folded {
  readonly runs: readonly JsonObject[];
  /** Codes of what was refused. */
  readonly refused: readonly string[];
  readonly notes: Readonly<Record<string, number>>;
  readonly steps: number;
}

/**
 * Folds records of spans, a document each, to the end of their file; the process is killed after so many, and goes on from its checkpoint. Throws
 * where a record is not accounted for.
 */
export function folded(
  records: readonly (readonly ShortSpan[])[],
  values: Readonly<Record<string, unknown>> = {},
  killedAfter = 0,
): Folded {
  const log = records.map((spans, offset) => recordAt(documentOf(spans.map(spanOf)), offset));
  return foldedLog(log, values, killedAfter);
}

export function foldedLog(
  log: readonly LogRecord[],
  values: Readonly<Record<string, unknown>>,
  killedAfter = 0,
): Folded {
  const config = configWith({ 'input.format': 'otlp', ...values });
  const all = readerOf(config, false);
  const runs: JsonObject[] = [];
  const reader: Reader = {
    ...all,
    readRun(given, offset, element) {
      runs.push(given);
      return all.readRun(given, offset, element);
    },
  };
  const truth = truthFromRecords([]);
  const before = foldingOf(config, truth, { reader });
  before.apply(log.slice(0, killedAfter));
  const state = killedAfter === 0 ? before.state : restartedOf(config, before.state);
  const after = foldingOf(config, truth, { reader, state });
  after.apply(log.slice(killedAfter));
  after.end();
  const { input, numbers } = after.state;
  storeOf(after.state, {});
  const counts = inputKinds.map((kind) => [kind, input[kind]] as const).filter(([, number]) => number > 0);
  const refused = [...before.fold.out.rejects, ...after.fold.out.rejects].map(({ code }) => code);
  return { runs, refused, notes: Object.fromEntries(counts), steps: numbers.steps };
}

/** A state as a process has it that starts from the checkpoint of another. */
function restartedOf(config: Config, state: PartitionState): PartitionState {
  const key = { id: 'a', nextOffset: state.numbers.nextOffset, group: 'g', topic: 't', partition: 0 };
  const { store } = restored([encodeSnapshot(storeOf(state, {}), key)]);
  return finish(restoredPartition(settingsOf(config, undefined), store));
}

/** Texts of attributes of spans of the conventions. */
export const said = (text: string): object => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: text }] }]),
});

/** A call of a model that calls tools; `f#1` has the id 1. */
export const called = (...names: readonly string[]): object => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.output.messages': JSON.stringify([
    {
      role: 'assistant',
      parts: names.map((each) => {
        const [name, id] = each.split('#');
        return { type: 'tool_call', name, arguments: {}, ...(id !== undefined && { id }) };
      }),
    },
  ]),
});

/** The run of a tool. */
export const ran = (each: string, more: object = {}): object => {
  const [name, id] = each.split('#');
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    ...(id !== undefined && { 'gen_ai.tool.call.id': id }),
    ...more,
  };
};

function hex(id: string, length: number): string {
  return Buffer.from(id).toString('hex').padStart(length, '0');
}

function nanoseconds(seconds: number): string {
  return `${Math.round((startS + seconds) * 1_000)}000000`;
}
