import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../src/scoring/json.ts';
import type { Call } from '../../../src/scoring/prediction.ts';
import { readAgain, readFields } from '../../support/event-reader.ts';

/* Forms of calls and tools (docs/reference/inputs.md). Each is also read back from what a pending prediction keeps. */

const args = { city: 'Oslo', days: 2 };
const text = JSON.stringify(args);

const forms: readonly (readonly [form: string, given: object, name: string | undefined, args: unknown])[] = [
  ['native', { name: 'f', arguments: args }, 'f', args],
  ['native, text', { name: 'f', arguments: text }, 'f', args],
  ['native, no arguments', { name: 'f' }, 'f', {}],
  ['OpenAI', { id: 'c', type: 'function', function: { name: 'f', arguments: text } }, 'f', args],
  ['Mistral: no type', { id: 'c', index: 0, function: { name: 'f', arguments: text } }, 'f', args],
  ['Ollama: an object', { function: { name: 'f', arguments: args } }, 'f', args],
  ['OpenAI, no arguments', { function: { name: 'f' } }, 'f', {}],
  ['OpenAI, null', { function: { name: 'f', arguments: null } }, 'f', {}],
  ['OpenAI, a name that is null beside it', { name: null, function: { name: 'f', arguments: text } }, 'f', args],
  ['OpenAI, custom', { type: 'custom', custom: { name: 'f', input: text } }, 'f', { input: text }],
  ['OpenAI, custom without input', { type: 'custom', custom: { name: 'f' } }, 'f', {}],
  ['OpenAI Responses', { type: 'function_call', call_id: 'c', name: 'f', arguments: text }, 'f', args],
  ['LangChain', { name: 'f', args, id: 'c', type: 'tool_call' }, 'f', args],
  ['LangChain, invalid', { name: 'f', args: '{"city":', id: 'c', type: 'invalid_tool_call' }, 'f', undefined],
  ['Anthropic', { type: 'tool_use', id: 'c', name: 'f', input: args }, 'f', args],
  ['Anthropic, no input', { type: 'tool_use', id: 'c', name: 'f' }, 'f', {}],
  ['Gemini', { functionCall: { name: 'f', args } }, 'f', args],
  ['Gemini, no args', { functionCall: { name: 'f' }, thoughtSignature: 'x' }, 'f', {}],
  ['Gemini, no name', { functionCall: { args } }, undefined, args],
  ['Bedrock', { toolUse: { toolUseId: 'c', name: 'f', input: args } }, 'f', args],
  ['an empty name', { function: { name: '', arguments: text } }, '', args],
  ['malformed: a name that is a number', { function: { name: 1, arguments: text } }, undefined, args],
  ['malformed: an array', { toolUse: { name: 'f', input: [1] } }, 'f', undefined],
  ['malformed: text of no object', { name: 'f', arguments: '[1]' }, 'f', undefined],
  ['malformed: text of a text', { name: 'f', arguments: '"{}"' }, 'f', undefined],
  ['an empty text', { name: 'f', arguments: '' }, 'f', {}],
  ['a text of white space', { function: { name: 'f', arguments: ' \n' } }, 'f', {}],
  ['a text of null', { function: { name: 'f', arguments: 'null' } }, 'f', {}],
  ['DeepEval', { name: 'f', input_parameters: args }, 'f', args],
  ['Cohere v1, Llama', { name: 'f', parameters: args }, 'f', args],
  ['tau-bench', { name: 'f', kwargs: args }, 'f', args],
  ['Gemini, snake case', { function_call: { id: null, name: 'f', args } }, 'f', args],
  ['Vercel AI SDK 5', { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: args }, 'f', args],
  ['Vercel AI SDK 4', { toolCallId: 'c', toolName: 'f', args }, 'f', args],
  [
    'Vercel AI SDK 5, of a page',
    { type: 'tool-f', toolCallId: 'c', state: 'output-available', input: args },
    'f',
    args,
  ],
  ['pydantic-ai', { part_kind: 'tool-call', tool_name: 'f', args: text }, 'f', args],
  ['a LangChain action', { tool: 'f', tool_input: args, log: '' }, 'f', args],
  ['MCP', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'f', arguments: args } }, 'f', args],
  ['OpenAI Responses, custom', { type: 'custom_tool_call', name: 'f', input: text }, 'f', { input: text }],
  ['OpenAI Responses, shell', { type: 'shell_call', action: { commands: ['pwd'] } }, 'shell', { commands: ['pwd'] }],
  ['malformed: a number', { name: 'f', arguments: 1 }, 'f', undefined],
  ['malformed: text that does not parse', { function: { name: 'f', arguments: '{' } }, 'f', undefined],
  ['malformed: no object', { function: 5 }, undefined, {}],
  ['Inspect', { id: 'c', type: 'function', function: 'f', arguments: args }, 'f', args],
  ['of no form', { name_of_tool: 'f', values: args }, undefined, {}],
  ['empty', {}, undefined, {}],
];

for (const [form, given, name, expected] of forms) {
  test(`a call: ${form}`, () => {
    assert.deepEqual(callsOf([given]), [{ name, arguments: expected }]);
  });
}

test('calls of several forms keep their order', () => {
  const given = forms.map(([, call]) => call);
  assert.deepEqual(
    callsOf(given),
    forms.map(([, , name, expected]) => ({ name, arguments: expected })),
  );
});

const schema = { type: 'object', required: ['city'] };
const tool = { name: 'f', parameters: schema };
const wrapped = { type: 'function', function: { name: 'f', parameters: schema } };

const tools: readonly (readonly [form: string, given: Json, read: readonly Json[]])[] = [
  ['a name', 'f', ['f']],
  ['native', tool, [tool]],
  ['OpenAI', wrapped, [wrapped]],
  ['Anthropic', { name: 'f', description: '', input_schema: schema }, [tool]],
  ['Gemini', { functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }, tool, 'g'] }, [tool, tool, 'g']],
  ['Gemini, none', { functionDeclarations: [] }, []],
  ['Bedrock', { toolSpec: { name: 'f', inputSchema: { json: schema } } }, [tool]],
  ['Bedrock, no schema', { toolSpec: { name: 'f' } }, [{ name: 'f' }]],
  ['of no form', { functionDeclarations: 1, input_schema: 2 }, [{ parameters: 2 }]],
];

for (const [form, given, read] of tools) {
  test(`a tool: ${form}`, () => {
    const event = readFields({ tools: ['before', given] });
    assert.deepEqual(event.prediction.tools, ['before', ...read]);
    assert.deepEqual(readAgain(event).prediction.tools, ['before', ...read]);
  });
}

/** As read, and as read again from what is kept while the truth is awaited. */
function callsOf(given: readonly object[]): readonly Call[] | undefined {
  const event = readFields({ tool_calls: given });
  const { calls, label } = event.prediction;
  const kept = readAgain(event).prediction;
  assert.deepEqual(kept.calls, calls);
  assert.equal(kept.label, label);
  return calls;
}
