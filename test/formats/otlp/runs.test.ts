import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { traceKey } from '../../../src/state/open-runs.ts';
import type { RunStep } from '../../../src/stream/step-tree.ts';
import { codesOf, eventOf, recordOf, rejectedOf } from '../../support/event-reader.ts';
import { attribute, documentOf, skippedIn } from '../../support/otlp.ts';
import { openai } from '../../support/step-cases.ts';
import { ids, plain, readSpans, shared, spanWith, stepOf, stepReader, traceId } from '../../support/step-reader.ts';

/* Steps within their run: its key, its end, and the fields around it. */

describe('what surrounds a run', () => {
  const chat = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"x"}]}]',
  };
  const other = spanWith({ 'http.method': 'GET' });
  const root = { ...other, parentSpanId: '' };

  test('the example id at the root alone is of the root alone, and the root ends the run', () => {
    const { steps = [], ...rest } = readSpans([
      spanWith(chat),
      other,
      spanWith(
        { 'assay.example_id': 'q1', 'assay.success': true, 'gen_ai.conversation.id': 's' },
        { parentSpanId: '' },
      ),
    ]);
    assert.equal(skippedIn(rest, 'spans_ignored'), 1);
    assert.deepEqual(
      steps.map(({ element, part, ends, parent, given }) => ({ element, part, ends, parent, id: given['example_id'] })),
      [
        { element: 0, part: 'model', ends: false, parent: ids.parentSpanId, id: undefined },
        { element: 1, part: 'context', ends: true, parent: undefined, id: 'q1' },
      ],
    );
    const { given } = steps[1]!;
    assert.deepEqual(plain(given), { example_id: 'q1', success: true, tags: { conversation: 's' }, shared });
  });

  test('a root without any of our attributes is a step; another such span is not', () => {
    assert.deepEqual(stepOf(readSpans([root])).given, { shared });
    assert.deepEqual(readSpans([other]).steps, undefined);
  });

  test('a span of anything else that has a placed field is a step', () => {
    const fields = { 'tags.tenant': 'attribute:tenant', example_id: ['header:id', 'attribute:case'] };
    const step = stepOf(readSpans([spanWith({ 'http.method': 'GET', tenant: 't', case: 7 })], { fields }));
    assert.deepEqual([step.part, plain(step.given)], ['context', { example_id: '7', tags: { tenant: 't' }, shared }]);
  });

  test('what only the record or the resource has is shared', () => {
    const key = Buffer.from('the key');
    const fields = { 'tags.of': '=all', 'tags.tenant': 'attribute:tenant', run: 'attribute:run' };
    const spans = [spanWith({ ...chat, tenant: 't' })];
    const resource = [attribute('run', 3), attribute('tenant', 'of resource'), attribute('service.name', 's')];
    const record = recordOf(JSON.stringify(documentOf(spans, resource)), { key });
    const { tags, shared: all } = stepOf(stepReader({ fields }).read(record)).given;
    assert.deepEqual(
      { tags, all },
      {
        tags: { tenant: 't' },
        all: { example_id: 'the key', agent: 's', run: 3, tags: { of: 'all' } },
      },
    );
  });

  test('the trace id as the key of a record is no example, unless it is placed so', () => {
    const key = Buffer.from(traceId);
    assert.deepEqual(stepOf(readSpans([root], {}, { key })).given, { shared });
    const placed = stepOf(readSpans([root], { fields: { example_id: 'key' } }, { key }));
    assert.deepEqual(plain(placed.given.shared), { example_id: traceId, ...shared });
  });

  test('a placed field is read there alone, a time too', () => {
    const fields = { output: 'attribute:said', ts: 'attribute:at', model: 'attribute:model' };
    const step = stepOf(
      readSpans([spanWith({ ...chat, said: 'y', at: '2026-05-01T00:00:00Z', 'gen_ai.request.model': 'm' })], {
        fields,
      }),
    );
    assert.deepEqual([step.ts, step.given['output'], step.given['model']], [1_777_593_600_000, 'y', undefined]);
  });

  test('of several choices the first counts', () => {
    const messages = JSON.stringify([{ parts: [{ type: 'text', content: 'a' }] }, { parts: [] }, { parts: [] }]);
    const result = readSpans([spanWith({ ...chat, 'gen_ai.output.messages': messages })]);
    assert.deepEqual([stepOf(result).given['output'], skippedIn(result, 'choices_ignored')], ['a', 2]);
  });

  test('a span without a trace is the event of a call, or nothing', () => {
    const nowhere = { traceId: '' };
    const { events, steps } = readSpans([
      spanWith({ ...chat, 'assay.example_id': 'e' }, nowhere),
      { ...root, ...nowhere },
    ]);
    assert.deepEqual([codesOf(events), steps], [[''], undefined]);
  });

  test('messages that were cut have their run refused; what nests too deep is refused as a document of its own', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    const { events, steps } = readSpans([
      spanWith({ ...chat, 'gen_ai.output.messages': '[{"role":"assis' }),
      spanWith({
        ...chat,
        'gen_ai.output.messages': JSON.stringify([
          { parts: [{ type: 'tool_call', name: 'f', arguments: { a: deep(70) } }] },
        ]),
      }),
      spanWith({ ...chat, 'gen_ai.output.messages': '[7]' }),
    ]);
    assert.deepEqual(codesOf(events), ['too_deep']);
    const details = steps!.map(({ given }) => (given['unreadable'] as { detail: string }).detail);
    assert.match(details[0]!, /^span [0-9a-f]{16}: gen_ai\.output\.messages: /);
    assert.match(details[1]!, /: message 0 of the span is no object$/);
    assert.match(rejectedOf(events).text!, /^\{"resourceSpans":/);
  });

  test('a root of an unknown kind with a call in it counts as unread', () => {
    const { skipped } = readSpans([spanWith({ 'acme.output': JSON.stringify([openai]) }, { parentSpanId: '' })]);
    assert.deepEqual(
      skipped.map(({ kind }) => kind),
      ['unread_calls'],
    );
  });
});

describe('a run by the value at a place', () => {
  const runs = { at: 'attribute:gen_ai.conversation.id' };
  const said = (content: string): string => JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content }] }]);
  const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.conversation.id': 's1' };

  test('a span waits with its trace, and has the key that lies on it, or around its trace', () => {
    const called = '[{"parts":[{"type":"tool_call","id":"c","name":"f","arguments":{}}]}]';
    const { 'gen_ai.conversation.id': _, ...alone } = chat;
    const { steps = [] } = readSpans(
      [
        spanWith({ ...chat, 'gen_ai.output.messages': called }),
        spanWith({ 'gen_ai.operation.name': 'execute_tool' }),
        spanWith({ 'gen_ai.conversation.id': 's2' }),
        spanWith({ ...alone, 'gen_ai.output.messages': said('x') }, { parentSpanId: '' }),
      ],
      { runs: { at: [runs.at, '=all'] } },
    );
    assert.deepEqual(
      steps.map(({ part, run, id, ends, given }) => ({ part, run, id, ends, key: keysOf(given) })),
      [
        ['model', 's1', undefined],
        ['tool', undefined, 'all'],
        ['context', 's2', undefined],
        ['model', undefined, 'all'],
      ].map(([part, ...key], at) => ({ ...{ part, key, run: traceKey(traceId), id: ids.spanId, ends: at === 3 } })),
    );
  });

  test('without a trace a span is of the run at the place, which an answer without a call ends', () => {
    const nowhere = { traceId: '' };
    const called = '[{"parts":[{"type":"tool_call","id":"c","name":"f","arguments":{}}]}]';
    const { steps = [] } = readSpans(
      [
        spanWith({ ...chat, 'gen_ai.output.messages': called }, nowhere),
        spanWith({ ...chat, 'gen_ai.output.messages': said('x') }, nowhere),
      ],
      { runs },
    );
    assert.deepEqual(
      steps.map(({ run, ends }) => [run, ends]),
      [
        ['s1', false],
        ['s1', true],
      ],
    );
  });

  test('without the value and a trace a call of a model is an event, and all else is skipped', () => {
    const { 'gen_ai.conversation.id': _, ...alone } = chat;
    const nowhere = { traceId: '' };
    const span = spanWith({ ...alone, 'gen_ai.output.messages': said('x'), 'assay.example_id': 'e' }, nowhere);
    const result = readSpans([span, spanWith({ 'assay.example_id': 'e' }, { ...nowhere, parentSpanId: '' })], { runs });
    assert.deepEqual([codesOf(result.events), result.steps], [[''], undefined]);
    assert.equal(eventOf(result.events).exampleId, 'e');
    assert.equal(skippedIn(result, 'spans_ignored'), 1);
  });

  test('a place that held nothing is reported', () => {
    const one = stepReader({ runs });
    one.read(recordOf(JSON.stringify(documentOf([spanWith({ 'gen_ai.operation.name': 'chat' })]))));
    assert.match(one.notices().join(), /runs\.by: nothing at attribute:gen_ai\.conversation\.id/);
  });
});

/** The key of the run on a span, and around it. */
function keysOf({ run_key: own, shared: around }: RunStep['given']): unknown {
  return [own, around?.['run_key']];
}
