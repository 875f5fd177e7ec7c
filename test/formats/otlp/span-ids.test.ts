import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { idOf } from '../../../src/formats/otlp/json.ts';
import { recordReading } from '../../../src/formats/otlp/reading.ts';
import { codesOf, eventReader, recordOf, rejectedOf } from '../../support/event-reader.ts';
import { documentOf } from '../../support/otlp.ts';
import { options } from '../../support/span-cases.ts';
import { runs } from '../../support/soak.ts';
import { called, folded, foldedLog, ran, type ShortSpan, spanOf } from '../../support/trace-runs.ts';
import { recordAt } from '../../support/folding.ts';

/* Ids of spans in either encoding of their bytes, and spans outside of a document. */

test('an id is the same as hexadecimal of either case, and as base64', () => {
  const bytes = fc.constantFrom(16, 8).chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
  fc.assert(
    fc.property(bytes, (id) => {
      const hex = Buffer.from(id).toString('hex');
      const forms = [hex, hex.toUpperCase(), Buffer.from(id).toString('base64')];
      const url = forms[2]!.replaceAll('+', '-').replaceAll('/', '_');
      const expected = id.every((byte) => byte === 0) ? '' : hex;
      assert.deepEqual([...forms, url].map(idOf), [expected, expected, expected, expected]);
    }),
    { numRuns: runs(200, 10_000), examples: [[new Uint8Array(8)], [new Uint8Array(16).fill(0xff)]] },
  );
  assert.deepEqual(['', 'Not An Id', '123='].map(idOf), ['', 'not an id', '123=']);
});

test('a trace with ids as base64 is the run of the same trace with hexadecimal ids', () => {
  const spans: readonly ShortSpan[] = [
    { id: 'a', in: 'root', at: [1, 2], has: called('f#1') },
    { id: 'b', in: 'root', at: [2, 3], has: ran('f#1') },
    { id: 'root', at: [0, 4], has: { 'assay.example_id': 'q' } },
  ];
  const base64 = (id: string | undefined): string => Buffer.from(id ?? '', 'hex').toString('base64');
  const encoded = spans.map(spanOf).map(({ traceId, spanId, parentSpanId, ...span }) => ({
    ...{ ...span, traceId: base64(traceId), spanId: base64(spanId) },
    parentSpanId: parentSpanId === undefined ? 'AAAAAAAAAAA=' : base64(parentSpanId),
  }));
  assert.deepEqual(foldedLog([recordAt(documentOf(encoded), 0)], {}), folded([spans]));
});

const console = {
  Python: {
    name: 'chat m',
    context: { trace_id: '0xabcdef1234567890abcdef1234567890', span_id: '0xabcdef1234567890', trace_state: '[]' },
    kind: 'SpanKind.CLIENT',
    parent_id: null,
    start_time: '2026-05-01T00:00:00.000000Z',
    attributes: { 'gen_ai.operation.name': 'chat' },
  },
  JavaScript: {
    ...{ resource: { attributes: {} }, instrumentationScope: { name: 'x' }, id: 'abcdef1234567890', kind: 2 },
    ...{ traceId: 'abcdef1234567890abcdef1234567890', name: 'chat', timestamp: 1, duration: 2, attributes: {} },
  },
};
const bare = spanOf({ id: 'a', has: called('f') });

for (const [what, value] of [
  ['one', bare],
  ['a list', [bare, bare]],
  ['a list under a key', { spans: [bare] }],
  ['the spans of a scope', { scopeSpans: [{ spans: [bare] }] }],
  ['of the console exporter of Python', console.Python],
  ['of the console exporter of JavaScript', [console.JavaScript]],
] as const)
  for (const format of ['otlp', 'auto'] as const)
    test(`${format}: spans without a document say what to send: ${what}`, () => {
      const { events } = eventReader(recordReading({ ...options, format })).read(recordOf(JSON.stringify(value)));
      assert.deepEqual(new Set(codesOf(events)), new Set(['schema']));
      assert.match(rejectedOf(events, 0).detail, /span by itself.*send what an OTLP exporter writes/);
    });

test('a native event with the ids of its span is an event', () => {
  const value = { example_id: 'e', label: 'direct', traceId: 't', spanId: 's', spans: [] };
  const { events } = eventReader(recordReading({ ...options, format: 'auto' })).read(recordOf(JSON.stringify(value)));
  assert.deepEqual(codesOf(events), ['']);
});
