import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { recordReading } from '../../../src/formats/otlp/reading.ts';
import { codesOf, eventReader, recordOf } from '../../support/event-reader.ts';
import { attribute, documentOf, type JsonSpan, passedOverIn, protobufOf } from '../../support/otlp.ts';

/* Whatever happens to the bytes of a message, its record ends as events, rejects or spans that are passed over. `MUTATIONS=1000000` for the soak. */

const numRuns = Number(process.env['MUTATIONS'] ?? 20_000);

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
const messagesOfSpans = [...spans.map((span) => [span]), [other], [...spans, other]].map((some) =>
  Buffer.from(protobufOf(documentOf(some))),
);

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

test('mutated bytes never throw, and end as event, reject or span that is passed over', () => {
  const seen = { accepted: 0, refused: 0, ignored: 0 };
  const readers = (['otlp', 'auto'] as const).map((format) =>
    eventReader({
      maxFutureMs: undefined,
      ...recordReading({ format, response: undefined, request: undefined, fields: {}, depth: 64 }),
    }),
  );
  const bytesOf = fc.constantFrom(...messagesOfSpans);
  fc.assert(
    fc.property(bytesOf, fc.array(change, { maxLength: 3 }), fc.nat(1), (bytes, changes, format) => {
      const mutated = changes.reduce(changed, bytes);
      const batch = readers[format]!.read([recordOf(mutated)], 0, 1);
      if (mutated.length === 0) assert.deepEqual(codesOf(batch), ['not_json']);
      for (let row = 0; row < batch.count; row++) {
        if (batch.reject[row]! > 0) {
          seen.refused++;
          assert.notEqual(batch.rejectDetail(row), '');
          batch.elementText(row);
        } else {
          seen.accepted++;
          batch.prediction(row);
          batch.pendingText(row, 1_777_593_600_000);
        }
      }
      seen.ignored += passedOverIn(batch, 'spans_ignored');
    }),
    { numRuns },
  );
  for (const count of Object.values(seen)) assert.ok(count > numRuns / 20, JSON.stringify(seen));
});

function changed(bytes: Buffer, { at, how, bytes: given }: { at: number; how: string; bytes: number[] }): Buffer {
  const place = at % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  if (how === 'cut') return before;
  if (how === 'double') return Buffer.concat([before, after, after]);
  const skipped = how === 'insert' ? 0 : Math.max(1, given.length);
  return Buffer.concat([before, how === 'remove' ? Buffer.alloc(0) : Buffer.from(given), after.subarray(skipped)]);
}
