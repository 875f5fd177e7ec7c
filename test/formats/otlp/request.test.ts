import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { decodeProtobuf } from '../../../src/formats/otlp/protobuf.ts';
import { itemsOf } from '../../../src/formats/otlp/request-items.ts';
import { type Item, packed, requestOf } from '../../../src/formats/otlp/request.ts';
import { attribute, type JsonDocument, protobufOf } from '../../support/otlp.ts';
import { runs } from '../../support/soak.ts';
import { spanWith } from '../../support/step-reader.ts';

const traceIds = ['a', 'b', 'c'].map((digit) => digit.repeat(32));
const span = fc
  .record({ traceId: fc.constantFrom(...traceIds), name: fc.string(), text: fc.string() })
  .map(({ traceId, name, text }) => spanWith({ text }, { traceId, name }));
const document: fc.Arbitrary<JsonDocument> = fc
  .array(
    fc.record({
      resource: fc.string().map((name) => ({ attributes: [attribute('service.name', name)] })),
      scopeSpans: fc.array(fc.record({ spans: fc.array(span, { maxLength: 4 }) }), { maxLength: 3 }),
    }),
    { maxLength: 3 },
  )
  .map((resourceSpans) => ({ resourceSpans }));

/** Each span with its resource, which no cut may change. */
function spansOf({ resourceSpans = [] }: Partial<JsonDocument>): object[] {
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ spans = [] }) => spans.map((each) => ({ resource, each }))),
  );
}

const decode = {
  json: (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as JsonDocument,
  protobuf: (bytes: Uint8Array) => {
    const decoded = decodeProtobuf(bytes);
    assert.ok('document' in decoded);
    return decoded.document as unknown as JsonDocument;
  },
};

const encode = { json: (given: JsonDocument) => Buffer.from(JSON.stringify(given)), protobuf: protobufOf };

const itemsIn = (bytes: Uint8Array, encoding: 'json' | 'protobuf'): readonly Item[] => {
  const found = itemsOf(bytes, encoding, 'traces');
  assert.ok('items' in found, JSON.stringify(found));
  return found.items;
};

for (const encoding of ['json', 'protobuf'] as const) {
  test(`${encoding}: a request is the sum of its parts, however it is cut`, () => {
    fc.assert(
      fc.property(
        document,
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 9 }),
        (given, bytes, items) => {
          const whole = encode[encoding](given);
          const found = itemsIn(whole, encoding);
          assert.deepEqual(
            found.map(({ traceId }) => traceId),
            spansOf(given).map((one) => (one as { each: { traceId: string } }).each.traceId),
          );
          const groups = packed(found, bytes, items);
          const requests = groups.map((group) => requestOf(group, encoding, 'traces'));
          for (const [at, request] of requests.entries()) {
            const { length } = groups[at]!;
            assert.ok(length <= items && (length === 1 || request.length <= bytes));
          }
          assert.deepEqual(
            requests.flatMap((request) => spansOf(decode[encoding](request))),
            spansOf(decode[encoding](whole)),
          );
        },
      ),
      { numRuns: runs(200) },
    );
  });
}

test('bytes of any kind give spans or a problem', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.tuple(document, fc.nat(), fc.nat(255)).map(([given, at, byte]) => {
      const whole = Uint8Array.from(protobufOf(given));
      if (whole.length > 0) whole[at % whole.length] = byte;
      return whole;
    }),
  );
  fc.assert(
    fc.property(
      bytes,
      fc.constantFrom('json', 'protobuf'),
      fc.constantFrom('traces', 'logs'),
      (given, encoding, signal) => {
        const found = itemsOf(given, encoding, signal);
        assert.ok('problem' in found || Array.isArray(found.items));
      },
    ),
    { numRuns: runs(500) },
  );
});

test('fields that this program does not know stay with their spans', () => {
  const unknown = (number: number, text: string) =>
    protobuf.Writer.create()
      .uint32((number << 3) | 2)
      .string(text)
      .finish();
  const within = (number: number, ...parts: readonly Uint8Array[]) =>
    protobuf.Writer.create()
      .uint32((number << 3) | 2)
      .bytes(Buffer.concat(parts))
      .finish();
  const one = within(2, unknown(1, 'x'.repeat(16)), unknown(99, 'of the span'));
  const whole = within(
    1,
    unknown(3, 'schema of the resource'),
    within(2, one, one, unknown(98, 'of the scope')),
    unknown(97, 'of the resource'),
  );
  const cut = requestOf(itemsIn(whole, 'protobuf').slice(1), 'protobuf', 'traces');
  const again = itemsIn(cut, 'protobuf');
  assert.equal(again.length, 1);
  for (const text of ['of the span', 'of the scope', 'of the resource', 'schema of the resource'])
    assert.ok(Buffer.from(cut).includes(text), text);
  const text = '{"resourceSpans":[{"x":1,"scopeSpans":[{"y":2,"spans":[{"traceId":"AA","z":12345678901234567890}]}]}]}';
  assert.equal(Buffer.from(requestOf(itemsIn(Buffer.from(text), 'json'), 'json', 'traces')).toString(), text);
});
