import type { Reading } from '../../../src/formats/inputs/found.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { spansOf } from '../../../src/formats/otlp/json.ts';
import { decodeProtobuf } from '../../../src/formats/otlp/protobuf.ts';
import { type RecordOptions, recordReading } from '../../../src/formats/otlp/reading.ts';
import type { Span } from '../../../src/formats/otlp/span.ts';
import { prng } from '../../sim/prng.ts';
import { recordOf } from '../../support/event-reader.ts';
import { logDocument, spanDocument } from '../../support/mutated-spans.ts';
import { anyValue, attribute, documentOf, type JsonSpan, logDocumentOf, protobufOf } from '../../support/otlp.ts';
import { seed } from '../../support/seed.ts';

/*
 * Spans and log records say the same in both encodings, and a damaged message ends as events or steps, refusals or skipped spans. `MUTATIONS=1000000` for the soak;
 * `SEED` repeats a run.
 */

const numRuns = Number(process.env['MUTATIONS'] ?? 20_000);

const placed = {
  example_id: ['attribute:nowhere', 'attribute:assay.example_id', 'key'],
  agent: ['attribute:team', '=constant'],
  ts: 'attribute:at',
  event_id: 'attribute:assay.example_id',
  'tags.team': 'attribute:team',
};

for (const [name, options] of [
  ['as they are', optionsOf('otlp')],
  ['of any form', optionsOf('auto')],
  ['with places', optionsOf('otlp', placed)],
  ['within a narrow depth', optionsOf('otlp', {}, 6)],
  ['by trace', optionsOf('otlp', {}, 64, 'trace')],
  ['by trace, with places', optionsOf('auto', placed, 8, 'trace')],
  ['by a place', optionsOf('otlp', placed, 8, { at: ['attribute:gen_ai.conversation.id', 'attribute:assay.run'] })],
] as const)
  test(`both encodings give the same spans and events, ${name}: seed ${seed}`, () => {
    const random = prng(seed);
    const { input, bytes } = recordReading(options);
    const seen = { events: 0, refused: 0, ignored: 0 };
    for (let left = numRuns / 10; left > 0; left--) {
      const document = spanDocument(random);
      const [text, message] = [JSON.stringify(document), protobufOf(document)];
      const decoded = decodeProtobuf(message);
      assert.ok('document' in decoded);
      assert.deepEqual(
        spansOf(decoded.document).map(withoutSource),
        spansOf(JSON.parse(text)).map(withoutSource),
        text,
      );
      const expected = said(input!(JSON.parse(text), recordOf(text)));
      assert.deepEqual(said(bytes!(recordOf(message))!), expected, text);
      count(expected, seen);
    }
    const enough = numRuns / 1_000;
    assert.ok(seen.events > enough && seen.refused > enough && seen.ignored > enough, JSON.stringify(seen));
  });

for (const [name, runs] of [
  ['by trace', 'trace'],
  ['by a place', { at: ['attribute:gen_ai.conversation.id', 'attribute:assay.run'] }],
] as const)
  test(`both encodings give the same steps of log records, ${name}: seed ${seed}`, () => {
    const random = prng(seed);
    const { input, bytes } = recordReading(optionsOf('otlp', placed, 8, runs));
    const seen = { events: 0, refused: 0, ignored: 0 };
    for (let left = numRuns / 10; left > 0; left--) {
      const document = logDocument(random);
      const [text, message] = [JSON.stringify(document), protobufOf(document)];
      const expected = said(input!(JSON.parse(text), recordOf(text)));
      assert.deepEqual(said(bytes!(recordOf(message))!), expected, text);
      count(expected, seen);
    }
    assert.ok(seen.events > numRuns / 1_000 && seen.ignored > numRuns / 1_000, JSON.stringify(seen));
  });

const parts = [
  { type: 'text', content: 'hé' },
  { type: 'tool_call', name: 'f', arguments: { a: [1, null, { b: true }] } },
];
const messages = [{ role: 'assistant', parts, finish_reason: 'stop' }];

const spans: readonly JsonSpan[] = [
  { 'gen_ai.output.messages': messages },
  { 'gen_ai.output.messages': JSON.stringify(messages), 'assay.run': 3, 'error.type': 'x' },
  { 'gen_ai.completion.0.content': 'x', 'gen_ai.completion.0.tool_calls.0.name': 'f' },
].map((attributes, index) => ({
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: `eee19b7ec3c1b17${index}`,
  endTimeUnixNano: '1777593600123000000',
  attributes: Object.entries({ 'gen_ai.operation.name': 'chat', 'assay.example_id': 'e', ...attributes }).map(
    ([key, value]) => attribute(key, value),
  ),
  events: [{ name: 'gen_ai.choice', attributes: [attribute('message', { content: 'x' })] }],
  status: { code: 2, message: 'broke' },
}));
const other: JsonSpan = { name: 'GET', attributes: [attribute('http.method', 'GET')] };
const logs = ['gen_ai.choice', 'gen_ai.tool.message', 'other'].map((eventName) => ({
  ...{ traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b175', timeUnixNano: '1777593600123000000' },
  ...{
    eventName,
    body: anyValue({ id: 'c', content: 'x', message: { content: 'x' } }),
    attributes: spans[0]!.attributes!,
  },
}));
const messagesOfSpans = [
  ...[...spans.map((span) => [span]), [other], [...spans, other]].map((some) => documentOf(some)),
  ...[...logs.map((log) => [log]), logs].map((some) => logDocumentOf(some)),
].map((document) => Buffer.from(protobufOf(document)));

/** Lengths without end, numbers that are too long, groups, fields of number 0 and of other types. */
const hostile = fc.constantFrom(
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  new Array<number>(20).fill(0x80),
  new Array<number>(300).fill(0x0b),
  [0x0b, 0x0c],
  [0x0c],
  [0x00],
  [0x07],
  [0x0d, 1, 2],
);
const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'insert', 'remove', 'cut', 'double'),
  bytes: fc.oneof(hostile, fc.array(fc.nat(255), { maxLength: 4 })),
});

test(`damaged messages never throw, and end as event, refusal or skipped span: seed ${seed}`, () => {
  const seen = { events: 0, refused: 0, ignored: 0 };
  const readings = (['span', 'trace'] as const).flatMap((runs) =>
    (['otlp', 'auto'] as const).map((format) => recordReading(optionsOf(format, {}, 64, runs)).bytes!),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...messagesOfSpans),
      fc.array(change, { maxLength: 3 }),
      fc.nat(3),
      (bytes, changes, at) => {
        const reading = readings[at]!(recordOf(changes.reduce(changed, bytes)));
        if (reading === undefined) return;
        count(said(reading), seen);
        for (const one of reading.found) if ('code' in one && one.code !== 'too_deep') assert.notEqual(one.detail, '');
      },
    ),
    { numRuns, seed },
  );
  for (const number of Object.values(seen)) assert.ok(number > numRuns / 20, JSON.stringify(seen));
});

function optionsOf(
  format: 'otlp' | 'auto',
  fields: RecordOptions['fields'] = {},
  depth = 64,
  runs: RecordOptions['runs'] = 'span',
): RecordOptions {
  return { format, response: undefined, request: undefined, fields, depth, runs };
}

function withoutSource({ source: _, ...span }: Span): object {
  return span;
}

/** A reading without the documents of what was refused: zeros and empty values are absent in those of protobuf. */
function said(reading: Reading): Reading {
  const found = reading.found.map((one) => ('code' in one ? { code: one.code, detail: one.detail } : one));
  return { ...reading, found };
}

function count({ found, skipped }: Reading, seen: { events: number; refused: number; ignored: number }): void {
  const isRefused = (one: Reading['found'][number]): boolean =>
    'code' in one || ('step' in one && 'unreadable' in one.step.given);
  for (const one of found) seen[isRefused(one) ? 'refused' : 'events']++;
  for (const { kind, number } of skipped) if (kind === 'spans_ignored') seen.ignored += number;
}

function changed(bytes: Buffer, { at, how, bytes: given }: { at: number; how: string; bytes: number[] }): Buffer {
  const place = at % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  if (how === 'cut') return before;
  if (how === 'double') return Buffer.concat([before, after, after]);
  const skipped = how === 'insert' ? 0 : Math.max(1, given.length);
  return Buffer.concat([before, how === 'remove' ? Buffer.alloc(0) : Buffer.from(given), after.subarray(skipped)]);
}
