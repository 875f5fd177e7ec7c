import assert from 'node:assert/strict';
import { test } from 'node:test';
import protobuf from 'protobufjs';
import { decodeProtobuf } from '../../../../src/formats/otlp/protobuf.ts';
import { IntakeError } from '../../../../src/ports.ts';
import { jsonOf, withDoor } from '../../../support/door.ts';
import { attribute, documentOf, type JsonSpan, logDocumentOf, protobufOf } from '../../../support/otlp.ts';
import { outputs } from '../../../support/span-cases.ts';
import { spanWith } from '../../../support/step-reader.ts';

const [one, two] = ['5b8efff798038103d269b633813fc60c', 'f1c86b6ac90d4a02b1c8a2f9b1f00002'];
const chat = (traceId: string, spanId: string, more: object = {}, fields: Partial<JsonSpan> = {}): JsonSpan =>
  spanWith(
    { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'assay.example_id': 'e', ...outputs, ...more },
    { traceId, spanId, ...fields },
  );
const asProtobuf = { 'content-type': 'application/x-protobuf' };
const asJson = { 'content-type': 'application/json; charset=utf-8' };

/** Answers of OTLP, by an encoding that is not ours. */
const { root } = protobuf.parse(`syntax = "proto3";
  message Partial { int64 rejected = 1; string error_message = 2; }
  message Response { Partial partial_success = 1; }
  message Status { int32 code = 1; string message = 2; }`);
const read = (name: string, bytes: Uint8Array): object => {
  const type = root.lookupType(name);
  return type.toObject(type.decode(bytes), { longs: Number });
};

const spansIn = (bytes: Uint8Array): string[] => {
  const decoded = decodeProtobuf(bytes);
  assert.ok('document' in decoded);
  const { resourceSpans } = decoded.document as unknown as {
    resourceSpans: { scopeSpans: { spans: { spanId: string }[] }[] }[];
  };
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map(({ spanId }) => spanId)),
  );
};

test('protobuf: a record for each trace, in order, with its resource', async (context) => {
  const spans = ['a1', 'b1', 'a2'].map((id) => chat(id.startsWith('a') ? one : two, `eee19b7ec3c1b1${id}`));
  await withDoor(context, async ({ intake, post }) => {
    const answer = await post('/v1/traces', Buffer.from(protobufOf(documentOf(spans))), asProtobuf);
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'application/x-protobuf']);
    assert.deepEqual(read('Response', answer.bytes), {});
    assert.deepEqual(
      intake.appended.map(({ kind, key }) => [kind, key]),
      [
        ['events', one],
        ['events', two],
      ],
    );
    assert.deepEqual(
      intake.appended.map(({ bytes }) => spansIn(bytes)),
      [['eee19b7ec3c1b1a1', 'eee19b7ec3c1b1a2'], ['eee19b7ec3c1b1b1']],
    );
    assert.ok(intake.appended.every(({ value }) => value!.includes('a service')));
  });
});

test('JSON: a record for each trace', async (context) => {
  const spans = [chat(one, 'eee19b7ec3c1b1a1'), chat(two, 'eee19b7ec3c1b1b1'), chat(one, 'eee19b7ec3c1b1a2')];
  const { resourceSpans } = documentOf(spans);
  await withDoor(context, async ({ intake, post }) => {
    const answer = await post('/v1/traces', JSON.stringify({ resourceSpans }), asJson);
    assert.deepEqual([answer.status, jsonOf(answer)], [200, {}]);
    assert.deepEqual(
      intake.appended.map(({ key, value }) => [key, JSON.parse(value!)]),
      [
        [one, documentOf([spans[0]!, spans[2]!])],
        [two, documentOf([spans[1]!])],
      ],
    );
  });
});

test('log records, and an empty request', async (context) => {
  const logs = [one, two].map((traceId) => ({
    ...{ traceId, spanId: 'eee19b7ec3c1b1a1', timeUnixNano: '1777593600123000000' },
    attributes: [attribute('event.name', 'gen_ai.choice')],
  }));
  await withDoor(context, async ({ intake, post }) => {
    for (const [body, headers] of [
      [Buffer.from(protobufOf(logDocumentOf(logs))), asProtobuf],
      [JSON.stringify(logDocumentOf(logs)), asJson],
    ] as const) {
      intake.appended.length = 0;
      assert.equal((await post('/v1/logs', body, headers)).status, 200);
      assert.deepEqual(
        intake.appended.map(({ key }) => key),
        [one, two],
      );
    }
    assert.equal((await post('/v1/traces', '', asProtobuf)).status, 200);
    assert.equal((await post('/v1/traces', '{}', asJson)).status, 200);
  });
});

const foreign: readonly (readonly [
  why: string,
  signal: string,
  body: string | Buffer,
  status: number,
  text: RegExp,
])[] = [
  ['an empty request', 'traces', '{"resourceSpans": []}', 200, /^\{\}$/],
  ['a resource without scopes', 'traces', '{"resourceSpans": [{"resource": {}, "schemaUrl": ""}]}', 200, /^\{\}$/],
  ['a scope without spans', 'traces', '{"resourceSpans": [{"scopeSpans": [{"scope": {}}]}]}', 200, /^\{\}$/],
  [
    'an event',
    'traces',
    '{"example_id": "a", "tool_calls": []}',
    400,
    /at \/example_id .*resourceSpans.*to \/v1\/events/,
  ],
  [
    'logs',
    'traces',
    '{"resourceLogs": [{"scopeLogs": [{"logRecords": [{}]}]}]}',
    400,
    /holds no spans.*\/resourceLogs/,
  ],
  [
    'spans',
    'logs',
    '{"resourceSpans": [{"scopeSpans": [{"spans": [{}]}]}]}',
    400,
    /holds no logRecords.*\/resourceSpans/,
  ],
  ['names in snake case', 'traces', '{"resource_spans": []}', 400, /at \/resource_spans /],
  ['spans a level too high', 'traces', '{"resourceSpans": [{"spans": [{}]}]}', 400, /at \/resourceSpans\/0\/spans /],
  [
    'spans that are none',
    'traces',
    '{"resourceSpans": [{"scopeSpans": [{"spans": [7]}]}]}',
    400,
    /\/scopeSpans\/0\/spans\/0 /,
  ],
  ['a list', 'traces', '[]', 400, /it is an array of 0/],
  [
    'bytes of another message',
    'traces',
    Buffer.from([0x18, 0x01]),
    400,
    /no protobuf message of traces; send what an exporter/,
  ],
];

for (const [why, signal, body, status, text] of foreign)
  test(`a body without spans or log records, sent to /v1/${signal}: ${why}`, (context) =>
    withDoor(context, async ({ intake, post }) => {
      const answer = await post(`/v1/${signal}`, body, typeof body === 'string' ? asJson : asProtobuf);
      assert.equal(answer.status, status, answer.bytes.toString());
      assert.match(answer.bytes.toString(), text);
      assert.deepEqual(intake.appended, []);
    }));

test('a span that cannot be read is left out, and the exporter hears why', async (context) => {
  const spans = [chat(one, 'eee19b7ec3c1b1a1'), chat(one, 'eee19b7ec3c1b1a2', { large: 'x'.repeat(9_000) })];
  await withDoor(
    context,
    async ({ intake, post }) => {
      const answer = await post('/v1/traces', Buffer.from(protobufOf(documentOf(spans))), asProtobuf);
      assert.equal(answer.status, 200);
      const { partialSuccess } = read('Response', answer.bytes) as { partialSuccess: Record<string, unknown> };
      assert.equal(partialSuccess['rejected'], 1);
      assert.match(String(partialSuccess['errorMessage']), /^1 refused; the first: too_large: .*limits.record_bytes/);
      assert.deepEqual(
        intake.appended.map(({ bytes }) => spansIn(bytes)),
        [['eee19b7ec3c1b1a1']],
      );
      const inJson = jsonOf(await post('/v1/traces', JSON.stringify(documentOf(spans)), asJson));
      assert.equal((inJson['partialSuccess'] as Record<string, unknown>)['rejectedSpans'], '1');
    },
    { yaml: 'limits: {record_bytes: 8000}' },
  );
});

test('a long trace is cut into records that the log takes', async (context) => {
  const spans = Array.from({ length: 40 }, (_, at) => chat(one, `eee19b7ec3c1b${100 + at}`, { text: 'x'.repeat(500) }));
  await withDoor(
    context,
    async ({ intake, post }) => {
      await post('/v1/traces', Buffer.from(protobufOf(documentOf(spans))), asProtobuf);
      assert.ok(intake.appended.length > 3);
      assert.ok(intake.appended.every(({ key, bytes }) => key === one && bytes.length <= 8_000));
      assert.deepEqual(
        intake.appended.flatMap(({ bytes }) => spansIn(bytes)),
        spans.map(({ spanId }) => spanId),
      );
    },
    { yaml: 'limits: {record_bytes: 8000}' },
  );
});

test('traces that runs.by parts lie in one partition: any of them may be of the same run', async (context) => {
  const inRun = (run: string) => ({ 'session.id': run });
  const spans = [
    chat(one, 'eee19b7ec3c1b1a1', inRun('r')),
    chat(two, 'eee19b7ec3c1b1b1', inRun('r')),
    chat(one, 'eee19b7ec3c1b1a2', inRun('s')),
  ];
  await withDoor(
    context,
    async ({ intake, post }) => {
      assert.equal((await post('/v1/traces', JSON.stringify(documentOf(spans)), asJson)).status, 200);
      assert.deepEqual(
        intake.appended.map(({ key, partition }) => [key, partition]),
        [
          [undefined, 0],
          [undefined, 0],
        ],
      );
      intake.appended.length = 0;
      // What the Collector's file exporter writes.
      const lines = `${JSON.stringify(documentOf(spans))}\n`;
      assert.deepEqual(jsonOf(await post('/v1/events', lines)), { accepted: 2, rejected: [] });
      assert.deepEqual(
        intake.appended.map(({ key, partition }) => [key, partition]),
        [
          [undefined, 0],
          [undefined, 0],
        ],
      );
    },
    { yaml: 'runs: {by: "attribute:session.id"}' },
  );
});

test('failures are a google.rpc.Status in the encoding of the request', async (context) => {
  await withDoor(context, async ({ intake, post }) => {
    const damaged = await post('/v1/traces', Buffer.from([0x0a, 0xff, 0x01]), asProtobuf);
    assert.deepEqual([damaged.status, damaged.headers['content-type']], [400, 'application/x-protobuf']);
    assert.match(
      JSON.stringify(read('Status', damaged.bytes)),
      /^\{"code":3,"message":"the body is no protobuf message of traces/,
    );
    const noSpans = await post('/v1/traces', '[]', asJson);
    assert.deepEqual([noSpans.status, jsonOf(noSpans)['code']], [400, 3]);
    assert.equal((await post('/v1/traces', 'x', { 'content-type': 'text/plain' })).status, 415);
    intake.failure = new IntakeError({ status: 429, reason: 'too much waits; come again', retryAfter: 2 });
    const late = await post('/v1/traces', JSON.stringify(documentOf([chat(one, 'eee19b7ec3c1b1a1')])), asJson);
    assert.deepEqual(
      [late.status, late.headers['retry-after'], jsonOf(late)],
      [429, '2', { code: 8, message: 'too much waits; come again', error: 'too much waits', remedy: 'come again' }],
    );
  });
  await withDoor(
    context,
    async ({ post }) => {
      const answer = await post('/v1/traces', '{}', asJson);
      assert.deepEqual([answer.status, jsonOf(answer)['code']], [404, 5]);
      assert.match(String(jsonOf(answer)['message']), /as input.format is assay; set input.format: auto/);
    },
    { yaml: 'input: {format: assay}' },
  );
});
