import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceKey } from '../../../src/state/open-runs.ts';
import { codesOf, recordOf, rejectedOf } from '../../support/event-reader.ts';
import { anyValue, attribute, type JsonLog, logDocumentOf, protobufOf, skippedIn } from '../../support/otlp.ts';
import { ids, plain, type ReadSteps, shared, stepReader, traceId } from '../../support/step-reader.ts';
import type { RecordOptions } from '../../../src/formats/otlp/reading.ts';
import type { RunStep } from '../../../src/stream/step-tree.ts';

/* Log records that hold the messages of a span: steps within that span, from JSON and from protobuf alike. */

const { spanId } = ids;
const time = '1777593600123999999';
const ms = 1_777_593_600_123;
const calls = [{ id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }];
const parts = [{ type: 'tool_call', id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } }];

function read(logs: readonly JsonLog[], more: Partial<RecordOptions> = {}): ReadSteps {
  const document = logDocumentOf(logs);
  const result = stepReader(more).read(recordOf(JSON.stringify(document)));
  const decoded = stepReader(more).read(recordOf(protobufOf(document)));
  assert.deepEqual([decoded.steps, decoded.skipped], [result.steps, result.skipped]);
  return result;
}

function log(eventName: string, body: unknown, attributes: object = {}, more: JsonLog = {}): JsonLog {
  const listed = Object.entries(attributes).map(([name, value]) => attribute(name, value));
  return { traceId, spanId, timeUnixNano: time, eventName, body: anyValue(body), attributes: listed, ...more };
}

function stepsOf({ events, steps = [] }: ReadSteps): readonly RunStep[] {
  assert.deepEqual(codesOf(events), []);
  return plain(steps);
}

const rest = { offset: 0, run: traceId, parent: spanId, ts: ms, start: ms, ends: false };
const choice = { index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', tool_calls: calls } };
const call = { id: 'c1', name: 'get_weather', arguments: '{"city":"Oslo"}' };

for (const [what, one] of [
  ['the name of its event', log('gen_ai.choice', choice)],
  ['the attribute event.name', log('', choice, { 'event.name': 'gen_ai.choice' })],
  ['a body of JSON text', log('gen_ai.choice', JSON.stringify(choice))],
  [
    'the time at which it was observed',
    log('gen_ai.choice', choice, {}, { timeUnixNano: '', observedTimeUnixNano: time }),
  ],
] as const)
  test(`gen_ai.choice by ${what} is a call of the model`, () => {
    const [step, ...others] = stepsOf(read([one]));
    const id = `${spanId}/gen_ai.choice/${time}/0`;
    const given = { tool_calls: [call], words: true, shared };
    assert.deepEqual([step, others], [{ ...rest, element: -1, part: 'model', id, given }, []]);
  });

test('the details of an operation are a call of the model, with its tools and what it was asked', () => {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.response.model': 'm',
    'gen_ai.tool.definitions': [{ type: 'function', name: 'get_weather' }],
    'gen_ai.input.messages': [{ role: 'tool', parts: [{ type: 'tool_call_response', id: 'c0', response: 'rain' }] }],
    'gen_ai.output.messages': [{ role: 'assistant', parts }],
    'assay.example_id': 'q1',
  };
  const [step] = stepsOf(read([log('gen_ai.client.inference.operation.details', undefined, attributes)]));
  assert.deepEqual([step!.part, step!.parent], ['model', spanId]);
  assert.deepEqual(step!.given, {
    tool_calls: [{ ...call, arguments: { city: 'Oslo' } }],
    words: true,
    model: 'm',
    tools: [{ type: 'function', name: 'get_weather' }],
    returned: [{ id: 'c0', ok: true, output: 'rain' }],
    example_id: 'q1',
    shared,
  });
});

test('the message of a tool is its result, and several of one time have ids of their own', () => {
  const result = (id: string): JsonLog => log('gen_ai.tool.message', { id, content: `of ${id}` });
  const steps = stepsOf(read([result('c1'), result('c2')]));
  assert.deepEqual(
    steps,
    ['c1', 'c2'].map((id, element) => ({
      ...{ ...rest, element, part: 'tool', id: `${spanId}/gen_ai.tool.message/${time}/${id}` },
      given: { returned: [{ id, ok: true, output: `of ${id}` }], shared },
    })),
  );
});

test('later choices, other events and records of no span are counted', () => {
  const result = read([
    log('gen_ai.choice', { ...choice, index: 1 }),
    log('gen_ai.user.message', { content: 'w?' }),
    log('', { content: 'x' }),
    log('gen_ai.choice', choice, {}, { spanId: '' }),
    log('gen_ai.choice', choice, {}, { traceId: '' }),
  ]);
  assert.deepEqual(stepsOf(result), []);
  assert.deepEqual([skippedIn(result, 'choices_ignored'), skippedIn(result, 'spans_ignored')], [1, 4]);
});

test('by the value at a place a log record waits with the trace of its span, and ends no run', () => {
  const runs = { at: 'attribute:gen_ai.conversation.id' };
  const answer = { index: 0, message: { role: 'assistant', content: 'x' } };
  const result = read([log('gen_ai.choice', answer, { 'gen_ai.conversation.id': 's' }), log('gen_ai.choice', answer)], {
    runs,
  });
  assert.deepEqual(
    stepsOf(result).map(({ run, parent, ends }) => ({ run, parent, ends })),
    [1, 2].map(() => ({ run: traceKey(traceId), parent: spanId, ends: false })),
  );
});

test('messages that were cut make a step that cannot be read', () => {
  const cut = log('gen_ai.client.inference.operation.details', undefined, { 'gen_ai.output.messages': '[{"role"' });
  const { events, steps } = read([cut, log('gen_ai.choice', choice)]);
  assert.deepEqual(codesOf(events), []);
  assert.deepEqual(
    steps!.map(({ given }) => 'unreadable' in given),
    [true, false],
  );
});

test('what is refused comes back as a document of its own', () => {
  const deep = `[{"role":"assistant","parts":[{"type":"tool_call","name":"f","arguments":{"a":${'['.repeat(70)}${']'.repeat(70)}}}]}]`;
  const nested = log('gen_ai.client.inference.operation.details', undefined, { 'gen_ai.output.messages': deep });
  const { events, steps } = read([nested, log('gen_ai.choice', choice)]);
  assert.deepEqual([codesOf(events), steps?.length], [['too_deep'], 1]);
  const again = stepReader().read(recordOf(rejectedOf(events).text!));
  assert.deepEqual(codesOf(again.events), ['too_deep']);
});

test('by span no log record is read', () => {
  const document = logDocumentOf([log('gen_ai.choice', choice)]);
  for (const value of [JSON.stringify(document), protobufOf(document)])
    assert.deepEqual(codesOf(stepReader({ runs: 'span' }).read(recordOf(value)).events), ['schema']);
});
