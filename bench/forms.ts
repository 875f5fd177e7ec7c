import { readerOf } from '../src/config/settings.ts';
import { loadConfig } from '../src/config/load.ts';
import { createTraffic } from '../src/commands/demo/traffic.ts';
import { decodeUtf8 } from '../src/formats/bytes/utf8.ts';
import { truthFromRecords } from '../src/formats/truth/table.ts';
import type { LogRecord } from '../src/stream/event.ts';
import { activeTruth } from '../src/stream/truth-cache.ts';
import { documentOf, protobufOf, spanOf } from '../test/support/otlp.ts';
import { type NativeEvent, wrapped, writers } from '../test/support/provider-forms.ts';
import { benchEvent } from './events.ts';
import { folds } from './fold.ts';
import { type Case, interleaved, table } from './measure.ts';

/**
 * CPU of an event in each form of records, as a multiple of that of the native event with the same content, side by side in one process: of
 * JSON.parse, of decoding with all contents read, of all of decode + join + score, where contents repeat, and of the same by a reader that
 * has seen none of them before. Records hold the answer under `answer` and what else the native event says
 * beside it.
 */
const events = 10_000;
const rounds = 15;
/** Protobuf does not begin with it. */
const openingBrace = 0x7b;

const traffic = createTraffic({ seed: 3, examples: 2_000, runs: 5, duplicates: 0, malformed: 0 });
/**
 * Of 0.9 KB, with what every form can say: an answer without calls has no `tool_calls` (most forms know no empty list), and answers that are
 * JSON are text.
 */
const native = Array.from({ length: events }, (_, number): NativeEvent => {
  const { value } = traffic.next(1.75e12 + 10 * number, undefined)[0]!;
  const { tool_calls: calls, output, ...event } = JSON.parse(benchEvent(value, number)) as NativeEvent;
  return {
    ...event,
    ...(calls && calls.length > 0 && { tool_calls: calls }),
    output: typeof output === 'object' ? JSON.stringify(output) : output,
  };
});
const truth = truthFromRecords(traffic.examples.map(({ record }) => record));

/** Spans as exporters send them: several a record. */
const spansOfRecord = 8;
const documents = Array.from({ length: events / spansOfRecord }, (_, at) => {
  const first = at * spansOfRecord;
  const some = native.slice(first, first + spansOfRecord);
  return documentOf(some.map((event, index) => spanOf(event, first + index, false)));
});

const inputs: readonly (readonly [name: string, format: string, records: readonly LogRecord[]])[] = [
  ['assay', 'assay', recordsOf(native)],
  ...Object.entries(writers).flatMap(([name, write]) => {
    const records = recordsOf(native.map((event) => wrapped(event, write)));
    return [[name, name, records] as const, [`${name} as auto`, 'auto', records] as const];
  }),
  ['otlp, protobuf', 'otlp', bytesOf(documents.map(protobufOf))],
  ['otlp, JSON', 'otlp', recordsOf(documents)],
];

report('Forms: JSON.parse', (records) => () => {
  for (const { bytes, end } of records) if (bytes[0] === openingBrace) JSON.parse(decodeUtf8(bytes, 0, end)!);
});
report('Forms: decode', (records, format) => decoder(records, configOf(format)));
report('Forms: decode + join + score', (records, format) => folds(configOf(format), records, truth, activeTruth));
report('Forms: decode + join + score, begun anew', (records, format) => {
  const config = configOf(format);
  return () => folds(config, records, truth, activeTruth)();
});

type Config = ReturnType<typeof configOf>;

function report(title: string, runOf: (records: readonly LogRecord[], format: string) => () => void): void {
  const cases: Case[] = inputs.map(([name, format, records]) => ({ name, run: runOf(records, format) }));
  process.stdout.write(`${table(title, interleaved(cases, events, rounds), 'assay')}\n`);
}

function recordsOf(values: readonly object[]): LogRecord[] {
  return bytesOf(values.map((value) => Buffer.from(JSON.stringify(value))));
}

function bytesOf(values: readonly Uint8Array[]): LogRecord[] {
  return values.map((value, offset) => {
    const bytes = Buffer.from(value);
    return { bytes, start: 0, end: bytes.length, offset, timestamp: 1.75e12 + 10 * offset };
  });
}

function configOf(format: string) {
  const input = format === 'assay' ? { format } : { format, response: '/answer' };
  const flags = Object.entries(input).map(([key, value]) => ({ path: ['input', key], value, place: 'bench' }));
  return loadConfig({ flags }).config;
}

function decoder(records: readonly LogRecord[], config: Config): () => void {
  const reader = readerOf(config, true);
  return () => {
    for (const record of records) reader.read(record);
  };
}
