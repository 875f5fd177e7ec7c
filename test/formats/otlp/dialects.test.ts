import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordReading } from '../../../src/formats/otlp/reading.ts';
import { toolName } from '../../../src/scoring/tool.ts';
import { codesOf, eventOf, eventReader, recordOf } from '../../support/event-reader.ts';
import { attribute, documentOf, type JsonSpan } from '../../support/otlp.ts';

/* Calls of models as instrumentations without the semantic conventions write them: each is one call of get_weather, or the words beside it. */

const given = '{"city":"Oslo"}';
const openai = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'get_weather', arguments: given } }],
};
const tool = { type: 'function', function: { name: 'get_weather', parameters: {} } };

const dialects: readonly (readonly [name: string, called: object, words: object])[] = [
  [
    'OpenInference',
    {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-4o',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'get_weather',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': given,
      'llm.tools.0.tool.json_schema': JSON.stringify(tool),
    },
    {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-4o',
      'llm.output_messages.0.message.content': 'Sunny.',
    },
  ],
  [
    'Vercel AI SDK',
    {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.model.id': 'gpt-4o',
      'ai.response.toolCalls': JSON.stringify([{ toolCallId: 'c', toolName: 'get_weather', input: { city: 'Oslo' } }]),
      'ai.prompt.tools': [JSON.stringify({ type: 'function', name: 'get_weather', inputSchema: {} })],
    },
    { 'ai.operationId': 'ai.streamText.doStream', 'ai.model.id': 'gpt-4o', 'ai.response.text': 'Sunny.' },
  ],
  [
    'Vercel AI SDK 4',
    {
      'ai.operationId': 'ai.generateText.doGenerate',
      'gen_ai.response.model': 'gpt-4o',
      'ai.response.toolCalls': JSON.stringify([{ toolCallId: 'c', toolName: 'get_weather', args: given }]),
    },
    { 'ai.operationId': 'ai.generateText.doGenerate', 'ai.model.id': 'gpt-4o', 'ai.response.text': 'Sunny.' },
  ],
  [
    'pydantic-ai, a list of events',
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      events: JSON.stringify([
        { role: 'user', content: 'w?', 'event.name': 'gen_ai.user.message' },
        { index: 0, message: openai, 'event.name': 'gen_ai.choice' },
      ]),
    },
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      events: JSON.stringify([{ index: 0, message: { content: 'Sunny.' }, 'event.name': 'gen_ai.choice' }]),
    },
  ],
  [
    'OpenLLMetry without operations',
    {
      'llm.request.type': 'chat',
      'gen_ai.request.model': '',
      'gen_ai.response.model': 'gpt-4o',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.tool_calls.0.name': 'get_weather',
      'gen_ai.completion.0.tool_calls.0.arguments': given,
    },
    { 'gen_ai.response.model': '', 'gen_ai.request.model': 'gpt-4o', 'gen_ai.completion.0.content': 'Sunny.' },
  ],
  [
    'Langfuse',
    {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'gpt-4o',
      'langfuse.observation.output': JSON.stringify(openai),
    },
    {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'gpt-4o',
      'langfuse.observation.output': 'Sunny.',
    },
  ],
  [
    'MLflow',
    {
      'mlflow.spanType': 'CHAT_MODEL',
      'gen_ai.request.model': 'gpt-4o',
      'mlflow.spanOutputs': JSON.stringify({ choices: [{ message: openai }] }),
    },
    {
      'mlflow.spanType': 'LLM',
      'gen_ai.request.model': 'gpt-4o',
      'mlflow.spanOutputs': JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Sunny.' } }] }),
    },
  ],
  [
    'LangSmith',
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.completion': JSON.stringify({ messages: [openai] }),
    },
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.completion': JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Sunny.' } }] }),
    },
  ],
];

const reading = recordReading({
  format: 'otlp',
  response: undefined,
  request: undefined,
  fields: {},
  depth: 64,
  runs: 'span',
});

function read(attributes: object, more: Partial<JsonSpan> = {}) {
  const all = { 'assay.example_id': 'e', ...attributes };
  const span = { attributes: Object.entries(all).map(([name, value]) => attribute(name, value)), ...more };
  return eventReader({ maxFutureMs: undefined, ...reading }).read(recordOf(JSON.stringify(documentOf([span]))));
}

for (const [name, called, words] of dialects)
  describe(name, () => {
    test('a call', () => {
      const { events } = read(called);
      assert.deepEqual(codesOf(events), ['']);
      const { model, prediction } = eventOf(events);
      assert.equal(model, 'gpt-4o');
      assert.deepEqual(prediction.calls, [{ name: 'get_weather', arguments: { city: 'Oslo' } }]);
      if (prediction.tools !== undefined) assert.deepEqual(prediction.tools.map(toolName), ['get_weather']);
    });

    test('words', () => {
      const { model, prediction } = eventOf(read(words).events);
      assert.equal(model, 'gpt-4o');
      assert.deepEqual(prediction.output, { kind: 'text', text: 'Sunny.' });
      assert.equal(prediction.labelStatus, 'inferred');
    });

    test('a failure without messages', () => {
      const kind = Object.fromEntries(
        Object.entries(called).filter(([key]) => /kind|operation|type|spanType|model/i.test(key)),
      );
      const { prediction } = eventOf(read(kind, { status: { code: 2, message: 'overloaded' } }).events);
      assert.equal(prediction.error, 'overloaded');
    });
  });

test('a call in an attribute that nothing reads is counted, but for inputs and spans that repeat or run calls', () => {
  const skipped = (attributes: object) => read(attributes).skipped.map(({ kind }) => kind);
  const output = JSON.stringify([openai]);
  assert.deepEqual(skipped({ 'acme.output': output }), ['unread_calls', 'spans_ignored']);
  assert.deepEqual(skipped({ 'acme.input': output }), ['spans_ignored']);
  assert.deepEqual(skipped({ 'ai.operationId': 'ai.generateText', 'ai.response.toolCalls': output }), [
    'spans_ignored',
  ]);
  assert.deepEqual(skipped({ 'gen_ai.operation.name': 'invoke_agent', 'acme.output': output }), ['spans_ignored']);
});

for (const bytes of ['12345', '1\n', '"x"'])
  test(`format otlp refuses ${JSON.stringify(bytes)}`, () => {
    const { events } = eventReader({ maxFutureMs: undefined, ...reading }).read(recordOf(bytes));
    assert.deepEqual(codesOf(events), ['schema']);
  });
