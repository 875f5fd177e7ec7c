import type { Found } from '../../../src/formats/inputs/found.ts';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { spansOf } from '../../../src/formats/otlp/json.ts';
import { decodeProtobuf } from '../../../src/formats/otlp/protobuf.ts';
import { recordReading, type RecordOptions } from '../../../src/formats/otlp/reading.ts';
import { numberIn } from '../../../src/scoring/long-number.ts';
import type { ReadRecord } from '../../../src/stream/event.ts';
import { chat, id, messages, options, outputs, said, span, spanId, table, traceId } from '../../support/span-cases.ts';
import { codesOf, eventOf, eventReader, recordOf, rejectedOf } from '../../support/event-reader.ts';
import { attribute, documentOf, type JsonDocument, skippedIn, protobufOf } from '../../support/otlp.ts';

/* What a span says as a native event, from JSON and from protobuf alike (docs/reference/inputs.md, "OpenTelemetry"). */

const integers = ['0', '127', '128', '-1', '9007199254740991', '-9007199254740991'];
const beyond = ['9007199254740993', '9223372036854775807', '-9223372036854775808'];

const encodings: readonly (readonly [string, (document: JsonDocument) => string | Uint8Array])[] = [
  ['JSON', (document) => JSON.stringify(document)],
  ['protobuf', protobufOf],
];

for (const [encoding, encode] of encodings)
  describe(encoding, () => {
    const read = (document: JsonDocument, more: Partial<RecordOptions> = {}): ReadRecord =>
      eventReader({ maxFutureMs: undefined, ...recordReading({ ...options, ...more }) }).read(
        recordOf(encode(document)),
      );

    for (const [what, one, expected] of table)
      for (const format of ['otlp', 'auto'] as const)
        test(`${format}: ${what}`, () => {
          const reading = recordReading({ ...options, format });
          const value = encode(documentOf([one]));
          const record = recordOf(value);
          const { found } =
            typeof value === 'string' ? reading.input!(JSON.parse(value), record) : reading.bytes!(record)!;
          assert.deepEqual(eventsIn(found), [
            { event: { example_id: 'e', agent: 'a service', words: true, ...expected } },
          ]);
          assert.deepEqual(codesOf(read(documentOf([one]), { format }).events), ['']);
        });

    test('a span keeps its ids, name, kind, times, status, attributes and those of its resource', () => {
      const value = encode(
        documentOf([
          {
            traceId: traceId.toUpperCase(),
            spanId,
            parentSpanId: 'EEE19B7EC3C1B175',
            name: 'chat',
            kind: 3,
            startTimeUnixNano: '1777593600122999999',
            endTimeUnixNano: '1777593600123999999',
            status: { code: 2, message: 'broke' },
            attributes: [chat],
            events: [{ name: 'x', attributes: [id] }],
          },
        ]),
      );
      const decoded = typeof value === 'string' ? { document: JSON.parse(value) } : decodeProtobuf(value);
      const { source: _, ...read } = spansOf('document' in decoded ? decoded.document : assert.fail())[0]!;
      assert.deepEqual(read, {
        traceId,
        spanId,
        parentId: 'eee19b7ec3c1b175',
        name: 'chat',
        kind: 3,
        startMs: 1_777_593_600_122,
        endMs: 1_777_593_600_123,
        status: { isError: true, message: 'broke' },
        attributes: new Map([['gen_ai.operation.name', 'chat']]),
        resource: new Map([['service.name', 'a service']]),
        events: [{ name: 'x', attributes: new Map([['assay.example_id', 'e']]) }],
      });
    });

    test('spans that are no call of a model are passed over and counted', () => {
      const others = [
        {},
        { attributes: [chat] },
        { attributes: [attribute('gen_ai.operation.name', 'execute_tool'), ...span(outputs).attributes!.slice(1)] },
        span({ 'gen_ai.output.messages': '[]' }),
        span({ 'gen_ai.output.messages': [{ role: 'assistant', parts: [], finish_reason: 'tool_call' }] }),
      ];
      const some = read(documentOf([...others, span(outputs), ...others, span(outputs)]));
      assert.deepEqual([codesOf(some.events), skippedIn(some, 'spans_ignored')], [['', ''], 10]);
      assert.deepEqual(
        some.events.map(({ element }) => element),
        [0, 1],
      );
      const none = read(documentOf(others));
      assert.deepEqual([none.events.length, skippedIn(none, 'spans_ignored')], [0, 5]);
      assert.equal(read({ resourceSpans: [] }).events.length, encoding === 'JSON' ? 0 : 1);
    });

    test('messages are events, their index is their run and part of their identity', () => {
      const two = span({ 'gen_ai.output.messages': [...messages, ...messages] }, { traceId, spanId });
      const { events } = read(documentOf([two]));
      const [first, second] = [eventOf(events, 0), eventOf(events, 1)];
      assert.deepEqual([first.run, second.run], [0, 1]);
      assert.deepEqual([first.eventId, second.eventId], [`${traceId}-${spanId}#0`, `${traceId}-${spanId}#1`]);
      const given = read(documentOf([{ ...two, attributes: [...two.attributes!, attribute('assay.run', 7)] }]));
      assert.deepEqual(
        [given.events.length, eventOf(given.events).run, skippedIn(given, 'choices_ignored')],
        [1, 7, 1],
      );
    });

    test('attributes are places, of the span before its resource', () => {
      const fields = {
        example_id: ['attribute:nowhere', 'attribute:id'],
        'tags.tenant': 'attribute:tenant',
        tags: 'attribute:more',
        run: 'attribute:attempt',
        agent: 'attribute:tenant',
      };
      const resource = [attribute('tenant', 'resource'), attribute('id', 'r')];
      const one = span({ ...outputs, id: 5, more: { other: 'x' }, attempt: '2' });
      const reading = recordReading({ ...options, fields });
      const value = encode(documentOf([one], resource));
      const record = recordOf(value);
      const { found } = typeof value === 'string' ? reading.input!(JSON.parse(value), record) : reading.bytes!(record)!;
      const tags = { other: 'x', tenant: 'resource' };
      assert.deepEqual(eventsIn(found), [
        { event: { ...said, words: true, example_id: '5', agent: 'resource', run: 2, tags } },
      ]);
    });

    test('integers are numbers, with all their digits', () => {
      const reading = recordReading({ ...options, fields: { 'tags.number': 'attribute:number' } });
      for (const text of [...integers, ...beyond]) {
        const one = span(outputs);
        const value = encode(
          documentOf([{ attributes: [...one.attributes!, { key: 'number', value: { intValue: text } }] }]),
        );
        const record = recordOf(value);
        const { found } =
          typeof value === 'string' ? reading.input!(JSON.parse(value), record) : reading.bytes!(record)!;
        const { event } = found[0] as { readonly event: { readonly tags: object } };
        assert.deepEqual(event.tags, { number: numberIn(text) });
      }
    });

    test('what is refused says why, and comes back as a document of its own', () => {
      const cut = span({ 'gen_ai.output.messages': '[{"role":"assis' });
      const nameless = { attributes: [chat, ...span(outputs).attributes!.slice(2), attribute('other', 1)], traceId };
      const { events } = read(documentOf([cut, nameless, span(outputs)]));
      assert.deepEqual(codesOf(events), ['schema', 'no_example_id', '']);
      assert.match(
        rejectedOf(events, 0).detail,
        /is no list of messages, nor its JSON text; where it was cut, raise OTEL_/,
      );
      assert.match(rejectedOf(events, 1).detail, /at none of attribute:assay\.example_id, .*set the attribute/);
      const traceless = read(documentOf([{ ...span(outputs), attributes: nameless.attributes, traceId: '' }])).events;
      assert.deepEqual(codesOf(traceless), ['no_example_id']);
      assert.match(rejectedOf(traceless).detail, /^the span has no traceId, .* send the id of the trace/);
      const again = JSON.parse(rejectedOf(events, 1).text!) as JsonDocument;
      const [only] = again.resourceSpans[0]!.scopeSpans[0]!.spans;
      assert.deepEqual(only!.attributes, nameless.attributes);
      assert.equal(only!.traceId, traceId);
      assert.deepEqual(again.resourceSpans[0]!.resource, { attributes: [attribute('service.name', 'a service')] });
    });

    test('the limit of elements holds for the events of a record', () => {
      const { events } = read(documentOf(Array.from({ length: 1_001 }, () => span(outputs))));
      assert.deepEqual(codesOf(events), ['too_many_elements']);
      assert.match(rejectedOf(events).detail, /1001 elements, more than 1000/);
    });

    test('the limit of depth holds for what lies in texts and structures', () => {
      const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
      const parts = [{ type: 'tool_call', name: 'f', arguments: { a: deep(70) } }];
      const text = span({ 'gen_ai.output.messages': JSON.stringify([{ parts }]) });
      assert.deepEqual(codesOf(read(documentOf([text])).events), ['too_deep']);
      const structured = span({ 'gen_ai.output.messages': [{ parts }] });
      assert.deepEqual(codesOf(read(documentOf([structured])).events), ['too_deep']);
    });
  });

test('otlp refuses what is neither', () => {
  for (const [value, detail] of [
    ['{"example_id":"e"}', /has no resourceSpans/],
    [new Uint8Array([0xff, 0xfe]), /is no ExportTraceServiceRequest as protobuf/],
    ['hello', /is no ExportTraceServiceRequest as protobuf/],
    [protobufOf(documentOf([span(outputs)])).subarray(0, 100), /are cut/],
  ] as const) {
    const { events } = eventReader(recordReading(options)).read(recordOf(value));
    assert.deepEqual(codesOf(events), ['schema']);
    assert.match(rejectedOf(events).detail, detail);
  }
});

test('a message that nests too deep to be decoded is too_deep', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  const message = protobufOf(documentOf([span({ ...outputs, other: deep(200) })]));
  for (const format of ['otlp', 'auto'] as const) {
    const { events } = eventReader(recordReading({ ...options, format })).read(recordOf(message));
    assert.deepEqual(codesOf(events), ['too_deep']);
    assert.match(rejectedOf(events).detail, /deeper than 100 at byte \d+; send .* its JSON text/);
  }
});

test('auto takes JSON behind a line feed for JSON, whatever its length', () => {
  for (let pad = 0; pad < 200; pad++) {
    const text = `\n{"example_id":"e","output":"${' '.repeat(pad)}"}`;
    const { events } = eventReader(recordReading({ ...options, format: 'auto' })).read(recordOf(text));
    assert.deepEqual(codesOf(events), ['']);
  }
});

/** Found events as plain JSON. */
function eventsIn(found: readonly Found[]): unknown {
  return JSON.parse(JSON.stringify(found.map((one) => ('event' in one ? { event: one.event } : one))));
}
