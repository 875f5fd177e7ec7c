import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attribute, type JsonSpan } from '../../support/otlp.ts';
import { dialectSteps } from '../../support/step-cases.ts';
import { ids, readSpans, shared, spanWith, stepOf, traceId } from '../../support/step-reader.ts';

/* Spans as steps of runs: the part that each is of, in every dialect, and what it gives (docs/reference/inputs.md, "OpenTelemetry"). */

/** An agent of its own leaves the service none to share. */
export const sharedWith = (own: object): object => ('agent' in own ? {} : { shared });

for (const [dialect, { called, answered, tool: ran, context }] of Object.entries(dialectSteps))
  describe(dialect, () => {
    const rest = { offset: 0, element: -1, run: traceId, id: ids.spanId, parent: ids.parentSpanId, ends: false };
    const at = { start: 1_777_593_600_122, ts: 1_777_593_600_123 };

    for (const [what, [attributes, expected]] of [
      ['a call', called],
      ['an answer, and the results before it', answered],
    ] as const)
      test(what, () => {
        const all = { words: true, ...expected, ...sharedWith(expected) };
        assert.deepEqual(stepOf(readSpans([spanWith(attributes)])), { ...rest, ...at, part: 'model', given: all });
      });

    test('a call without messages is a step, and one that failed has its error', () => {
      const kind = Object.entries(called[0]).filter(([name]) => !/message|complet|output|response|events/i.test(name));
      const step = stepOf(readSpans([spanWith(Object.fromEntries(kind))]));
      assert.deepEqual([step.part, step.given['tool_calls'], step.given['output']], ['model', undefined, undefined]);
      const failed = spanWith(Object.fromEntries(kind), { status: { code: 2, message: 'overloaded' } });
      assert.equal(stepOf(readSpans([failed])).given['error'], 'overloaded');
    });

    test('a tool', () => {
      const [attributes, expected, name = 'execute'] = ran;
      const all = { returned: [expected], shared };
      assert.deepEqual(stepOf(readSpans([spanWith(attributes, { name })])), {
        ...rest,
        ...at,
        part: 'tool',
        given: all,
      });
    });

    test('a tool that failed', () => {
      const [attributes, expected, name = 'execute'] = ran;
      const span = spanWith(attributes, { name, status: { code: 2, message: 'no such city' } });
      assert.deepEqual(stepOf(readSpans([span])).given.returned, [{ ...expected, ok: false, error: 'no such city' }]);
    });

    test('an agent', () => {
      const [attributes, expected, name = 'x'] = context;
      const all = { ...expected, ...sharedWith(expected) };
      assert.deepEqual(stepOf(readSpans([spanWith(attributes, { name })])), {
        ...rest,
        ...at,
        part: 'context',
        given: all,
      });
    });
  });

describe('results of tools', () => {
  const run = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f', 'gen_ai.tool.call.id': 'c' };
  const returnedBy = (attributes: object, more: Partial<JsonSpan> = {}): unknown =>
    stepOf(readSpans([spanWith(attributes, more)])).given.returned;
  const result = (value: unknown, more: object = {}): object => ({ ...run, 'gen_ai.tool.call.result': value, ...more });

  for (const [what, attributes, more, expected] of [
    ['no result', run, {}, { ok: true }],
    ['a structure', result({ rain: 1 }), {}, { ok: true, output: { rain: 1 } }],
    ['error.type', result('x', { 'error.type': 'Timeout' }), {}, { ok: false, error: 'Timeout', output: 'x' }],
    ['the status alone', run, { status: { code: 2 } }, { ok: false, error: 'the span has status ERROR' }],
    [
      'an exception',
      run,
      { status: { code: 2 }, events: [{ name: 'exception', attributes: [attribute('exception.message', 'no city')] }] },
      { ok: false, error: 'no city' },
    ],
    ['no end: nothing came back', run, { endTimeUnixNano: '' }, {}],
    ['no end, but a result', result('x'), { endTimeUnixNano: '' }, { ok: true, output: 'x' }],
    [
      'isError of MCP',
      result('{"content":[],"isError":true}'),
      {},
      { ok: false, output: '{"content":[],"isError":true}' },
    ],
    [
      'a message of LangChain',
      {
        'openinference.span.kind': 'TOOL',
        'tool.name': 'f',
        'output.value': '{"type":"tool","content":"no","status":"error","tool_call_id":"c"}',
      },
      {},
      { ok: false, output: 'no' },
    ],
    [
      'a message within the output of OpenLLMetry',
      result('{"output":{"lc":1,"id":["a","ToolMessage"],"kwargs":{"content":"x","status":"error"}},"kwargs":{}}'),
      {},
      { ok: false, output: 'x' },
    ],
    [
      'the level of Langfuse',
      {
        'langfuse.observation.type': 'tool',
        'langfuse.observation.level': 'ERROR',
        'langfuse.observation.status_message': 'no',
        'gen_ai.tool.call.id': 'c',
      },
      { name: 'f' },
      { ok: false, error: 'no' },
    ],
  ] as const)
    test(what, () => {
      assert.deepEqual(returnedBy(attributes, more), [{ id: 'c', name: 'f', ...expected }]);
    });

  for (const [attributes, more] of [
    [{ ...run, 'gen_ai.tool.call.arguments': '{"a":1}' }],
    [{ ...run, 'gen_ai.tool.call.arguments': { a: 1 } }],
    [{ ...run, tool_arguments: '{"a":1}' }],
    [{ 'openinference.span.kind': 'TOOL', 'tool.name': 'f', 'tool.id': 'c', 'input.value': '{"a":1}' }],
    [{ 'traceloop.span.kind': 'tool', ...run, 'traceloop.entity.input': '{"args":[],"kwargs":{"a":1}}' }],
    [{ 'traceloop.span.kind': 'tool', ...run, 'traceloop.entity.input': '{"input_str":"","inputs":{"a":1}}' }],
    [{ 'langfuse.observation.type': 'tool', ...run, 'langfuse.observation.input': '{"a":1}' }],
    [{ 'mlflow.spanType': '"TOOL"', 'mlflow.spanInputs': '{"a":1}', 'gen_ai.tool.call.id': 'c' }, { name: 'f' }],
    [{ 'langsmith.span.kind': 'tool', ...run, 'gen_ai.prompt': '{"a":1}' }],
  ] as const)
    test(`arguments of ${Object.entries(attributes).flat().join(' ')}`, () => {
      assert.deepEqual(returnedBy(attributes, more), [{ id: 'c', name: 'f', arguments: { a: 1 }, ok: true }]);
    });

  test('of what a model was asked, the results after its last message alone', () => {
    const turn = (id: string): object[] => [
      { role: 'assistant', parts: [{ type: 'tool_call', id, name: 'f', arguments: {} }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id, response: `of ${id}` }] },
    ];
    const asked = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': [...turn('a'), ...turn('b')] };
    const last = [{ id: 'b', ok: true, output: 'of b' }];
    assert.deepEqual(returnedBy(asked), last);
    const events = [
      ...['gen_ai.assistant.message', 'gen_ai.tool.message', 'gen_ai.assistant.message'].map((name) => ({
        ...{ name, attributes: [attribute('id', 'a'), attribute('content', 'of a')] },
      })),
      { name: 'gen_ai.tool.message', attributes: [attribute('gen_ai.event.content', '{"id":"b","content":"of b"}')] },
    ];
    assert.deepEqual(returnedBy({ 'gen_ai.operation.name': 'chat' }, { events }), last);
    const without = [...turn('a').slice(1), ...turn('b').slice(1)];
    assert.deepEqual(returnedBy({ ...asked, 'gen_ai.input.messages': without }), [
      { id: 'a', ok: true, output: 'of a' },
      ...last,
    ]);
  });

  test('a client of MCP runs a tool; its server only surrounds one', () => {
    const mcp = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'f' };
    assert.deepEqual(returnedBy(mcp, { kind: 3 }), [{ name: 'f', ok: true }]);
    const served = { ...mcp, 'gen_ai.operation.name': 'execute_tool' };
    assert.equal(stepOf(readSpans([spanWith(served, { kind: 2 })])).part, 'context');
    assert.equal(stepOf(readSpans([spanWith({ 'mcp.method.name': 'tools/list' }, { kind: 3 })])).part, 'context');
  });
});
