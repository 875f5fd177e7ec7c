import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { IntakeError } from '../../../../src/ports.ts';
import { readerOf } from '../../../../src/config/settings.ts';
import { isRejected } from '../../../../src/stream/event.ts';
import { configOf } from '../../../support/configuration.ts';
import { anyForm, jsonOf, withDoor } from '../../../support/door.ts';
import { recordOf } from '../../../support/event-reader.ts';

const event = (id: string) => ({
  example_id: id,
  model: 'm',
  tool_calls: [{ name: 'get_weather', arguments: { city: id } }],
});
const line = (id: string) => JSON.stringify(event(id));

test('a body of any shape gives its records as they came, by their example', async (context) => {
  const [a, b] = [line('a'), line('b')];
  const bodies: readonly (readonly [why: string, body: string, values: readonly string[]])[] = [
    ['one object', a, [a]],
    ['NDJSON', `${a}\n${b}\n`, [a, b]],
    ['NDJSON of Windows, with empty lines', `${a}\r\n\r\n${b}`, [a, b]],
    ['an array', `[${a}, ${b}]`, [a, b]],
    ['an array over several lines', `[\n${a},\n${b}\n]\n`, [a, b]],
    [
      'an object over several lines',
      JSON.stringify(event('a'), undefined, 2),
      [JSON.stringify(event('a'), undefined, 2)],
    ],
    ['lines joined, as curl -d joins those of a file', a + b, [a, b]],
  ];
  await withDoor(context, async ({ intake, post }) => {
    for (const [why, body, values] of bodies) {
      intake.appended.length = 0;
      const answer = await post('/v1/events', body);
      assert.deepEqual([answer.status, jsonOf(answer)], [200, { accepted: values.length, rejected: [] }], why);
      assert.deepEqual(
        intake.appended.map(({ kind, key, value }) => [kind, key, value]),
        values.map((value) => ['events', (JSON.parse(value) as { example_id: string }).example_id, value]),
        why,
      );
    }
  });
});

test('a record that cannot be read is named, and not appended', async (context) => {
  await withDoor(context, async ({ intake, post }) => {
    const answer = await post(
      '/v1/events',
      `${line('a')}\n{"example_id": 7, "tool_calls": []}\n{"example_id"\n${line('b')}`,
    );
    const { accepted, rejected } = jsonOf(answer) as { accepted: number; rejected: Record<string, unknown>[] };
    assert.deepEqual([answer.status, accepted], [200, 2]);
    assert.deepEqual(
      rejected.map(({ index, code }) => [index, code]),
      [
        [1, 'schema'],
        [2, 'not_json'],
      ],
    );
    assert.ok(rejected.every(({ detail }) => String(detail).length > 10));
    assert.deepEqual(
      intake.appended.map(({ key }) => key),
      ['a', 'b'],
    );
  });
});

test('without truth, an event need not name an example: its own id chooses the partition, and is no key', async (context) => {
  const answer = { id: 'r1', object: 'chat.completion', choices: [{ message: { content: 'x' } }] };
  const body = [JSON.stringify(answer), '{"tool_calls": []}', line('a')].join('\n');
  await withDoor(context, async ({ intake, post }) => {
    assert.deepEqual(jsonOf(await post('/v1/events', body)), { accepted: 3, rejected: [] });
    assert.deepEqual(
      intake.appended.map(({ key, partition }) => [key, partition]),
      [
        [undefined, 'r1'],
        [undefined, undefined],
        ['a', undefined],
      ],
    );
  });
  const told = { yaml: 'truth: {paths: [truth.ndjson]}' };
  await withDoor(
    context,
    async ({ post }) => {
      const refused = jsonOf(await post('/v1/events', '{"tool_calls": []}'));
      assert.match(JSON.stringify(refused), /"code":"no_example_id"/);
    },
    told,
  );
});

const yaml = 'limits: {record_bytes: 1000}';
const large = JSON.stringify({ ...event('a'), output: 'x'.repeat(2_000) });
const cases: readonly (readonly [why: string, body: string | Buffer, status: number, text: RegExp])[] = [
  ['nothing', '', 400, /"the body is empty","remedy":"send NDJSON/],
  ['white space', ' \n', 400, /"the body is empty","remedy":"send NDJSON/],
  ['an empty array', '[]', 400, /"the body holds no record","remedy":"send NDJSON/],
  [
    'what Python prints',
    "{'example_id': 'a', 'tool_calls': None}",
    400,
    /Python prints a dict.*"remedy":"send json.dumps/,
  ],
  ['a list of it', "[{'example_id': 'a', 'say': 'x\"y'}]", 400, /Python prints a dict.*"remedy":"send json.dumps/],
  ['lines of it', "{'example_id': 'a'}\n{'example_id': 'b'}", 400, /"the body is text as Python prints/],
  [
    'a line of it',
    `${line('b')}\n{'example_id': 'a'}`,
    200,
    /"code":"not_json","detail":"the record is text as Python prints .*json.dumps/,
  ],
  [
    'a stream',
    'data: {"choices": []}',
    400,
    /stream of server-sent events, which is not read","remedy":"log the whole/,
  ],
  [
    'a stream of several lines',
    'data: {"choices": []}\n\ndata: [DONE]\n',
    400,
    /"code":"schema","detail":"the record is a stream of server-sent/,
  ],
  [
    'seconds',
    '{"example_id": "a", "tool_calls": [], "ts": 1780000000}',
    400,
    /ts: 1780000000 looks like seconds, and is read as milliseconds; multiply it by 1000, or set input.fields.ts/,
  ],
  [
    'microseconds',
    '{"example_id": "a", "tool_calls": [], "ts": 1780000000000000}',
    400,
    /looks like microseconds.*divide it by 1000,/,
  ],
  [
    'nanoseconds',
    '{"example_id": "a", "tool_calls": [], "ts": 1780000000000000123}',
    400,
    /looks like nanoseconds.*divide it by 1000000/,
  ],
  ['only what cannot be read', '{"tool_calls": [7]}', 400, /"accepted":0,"rejected":\[\{"index":0,"code":"schema"/],
  ['no JSON', 'hello', 400, /the body is/],
  ['cut short', `[${line('a')}`, 400, /the JSON ends within element/],
  ['gzip without a header', gzipSync(line('a')), 400, /compressed with gzip.*content-encoding: gzip/],
  ['a record above limits.record_bytes', large, 413, /"code":"too_large"/],
  [
    'one of several above it',
    `${line('b')}\n${large}`,
    200,
    /"accepted":1,"rejected":\[\{"index":1,"code":"too_large"/,
  ],
];

test('status by body', async (context) => {
  await withDoor(
    context,
    async ({ post }) => {
      for (const [why, body, status, text] of cases) {
        const answer = await post('/v1/events', body);
        assert.equal(answer.status, status, `${why}: ${answer.bytes}`);
        assert.match(answer.bytes.toString(), text, why);
      }
    },
    { yaml },
  );
});

test('what the intake refuses, and a stop, are answered with a time to come again', async (context) => {
  await withDoor(context, async ({ intake, post, stopping }) => {
    intake.failure = new IntakeError({ status: 503, reason: 'the disk is full; make room', retryAfter: 30 });
    const full = await post('/v1/events', line('a'));
    assert.deepEqual(
      [full.status, full.headers['retry-after'], jsonOf(full)],
      [503, '30', { error: 'the disk is full', remedy: 'make room' }],
    );
    intake.refused = { status: 429, reason: '300 MiB wait to be scored', retryAfter: 2 };
    const late = await post('/v1/events', line('a'));
    assert.deepEqual([late.status, late.headers['retry-after']], [429, '2']);
    stopping.abort();
    const stopped = await post('/v1/events', line('a'));
    assert.deepEqual([stopped.status, stopped.headers['retry-after']], [503, '5']);
    assert.deepEqual(intake.appended, []);
  });
});

test('a trace of Langfuse, posted as one JSON document, is the run of its observations, whatever its own output is', async (context) => {
  const call = { id: 'c0', type: 'function', function: { name: 'get_weather', arguments: '{"city": "Oslo"}' } };
  const observations = [
    { id: 's', type: 'SPAN', name: 'agent', input: null, output: null },
    { id: 'g1', type: 'GENERATION', model: 'm', output: { role: 'assistant', content: null, tool_calls: [call] } },
    { id: 'g2', type: 'GENERATION', model: 'm', output: 'It is sunny.' },
  ];
  const trace = { id: 't', timestamp: '2026-04-30T12:00:00Z', metadata: { example_id: 'e' }, input: 'How is it?' };
  for (const output of ['It is sunny.', { answer: 'It is sunny.' }, null])
    for (const wrapped of [false, true])
      await withDoor(context, async ({ intake, post }) => {
        const whole = { ...trace, output, observations };
        const body = JSON.stringify(wrapped ? { trace: whole, example_id: 'e' } : whole, undefined, 2);
        assert.deepEqual(jsonOf(await post('/v1/events', body)), { accepted: 1, rejected: [] });
        const { events } = readerOf(anyForm(configOf(context, {})), true).read(recordOf(intake.appended[0]!.value!));
        const [event] = events;
        assert.ok(event !== undefined && !isRejected(event));
        const { exampleId, model, prediction, given } = event;
        assert.deepEqual([exampleId, model, given['output']], ['e', 'm', 'It is sunny.']);
        assert.deepEqual(
          prediction.calls?.map(({ name }) => name),
          ['get_weather'],
        );
      });
});

test('an event of CloudEvents in structured mode, alone and in a batch, is read from its data', async (context) => {
  const envelope = (id: string) => ({
    specversion: '1.0',
    id: `ce-${id}`,
    source: '/agents',
    type: 'agent.decision',
    data: event(id),
  });
  await withDoor(context, async ({ intake, post }) => {
    for (const [type, body, ids] of [
      ['application/cloudevents+json', envelope('a'), ['a']],
      ['application/cloudevents-batch+json; charset=utf-8', [envelope('a'), envelope('b')], ['a', 'b']],
    ] as const) {
      intake.appended.length = 0;
      const answer = await post('/v1/events', JSON.stringify(body), { 'content-type': type });
      assert.deepEqual(jsonOf(answer), { accepted: ids.length, rejected: [] });
      assert.deepEqual(
        intake.appended.map(({ key }) => key),
        ids,
      );
    }
  });
});
