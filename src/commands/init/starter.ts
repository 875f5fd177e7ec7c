import type { FormatName } from '../../formats/inputs/forms.ts';
import type { Json, JsonObject } from '../../scoring/json.ts';

/** A form that a first folder can be made for. */
export type StarterForm = AnswerForm | 'otlp';

/** Forms of records that are an answer, with what is known of it beside. */
type AnswerForm = Exclude<FormatName, 'auto' | 'mapping'>;

/** The form's answer with one call, or with a text. */
type Answer = (model: string, call: StarterCall | undefined, text: string) => JsonObject;

interface StarterCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

const functionCall = ({ name, arguments: args }: StarterCall): JsonObject => ({
  id: 'call_1',
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

const answers: Readonly<Record<AnswerForm, Answer>> = {
  assay: (model, call, text) => ({ model, ...(call ? { tool_calls: [{ ...call }] } : { output: text }) }),
  'openai.chat': (model, call, text) => ({
    object: 'chat.completion',
    model,
    choices: [
      {
        index: 0,
        finish_reason: call ? 'tool_calls' : 'stop',
        message: call
          ? { role: 'assistant', content: null, tool_calls: [functionCall(call)] }
          : { role: 'assistant', content: text },
      },
    ],
  }),
  'openai.responses': (model, call, text) => ({
    object: 'response',
    status: 'completed',
    model,
    output: call
      ? [{ type: 'function_call', call_id: 'call_1', name: call.name, arguments: JSON.stringify(call.arguments) }]
      : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
  }),
  'anthropic.messages': (model, call, text) => ({
    type: 'message',
    role: 'assistant',
    model,
    stop_reason: call ? 'tool_use' : 'end_turn',
    content: call
      ? [{ type: 'tool_use', id: 'toolu_1', name: call.name, input: call.arguments }]
      : [{ type: 'text', text }],
  }),
  gemini: (modelVersion, call, text) => ({
    modelVersion,
    candidates: [
      {
        finishReason: 'STOP',
        content: {
          role: 'model',
          parts: [call ? { functionCall: { name: call.name, args: call.arguments } } : { text }],
        },
      },
    ],
  }),
  'bedrock.converse': (model, call, text) => ({
    model,
    stopReason: call ? 'tool_use' : 'end_turn',
    output: {
      message: {
        role: 'assistant',
        content: [call ? { toolUse: { toolUseId: 'tooluse_1', name: call.name, input: call.arguments } } : { text }],
      },
    },
  }),
  'cohere.chat': (model, call, text) => ({
    model,
    finish_reason: call ? 'TOOL_CALL' : 'COMPLETE',
    message: call
      ? { role: 'assistant', tool_calls: [functionCall(call)] }
      : { role: 'assistant', content: [{ type: 'text', text }] },
  }),
  messages: (model, call, text) => ({
    model,
    messages: call
      ? [
          { role: 'assistant', content: null, tool_calls: [functionCall(call)] },
          { role: 'tool', tool_call_id: 'call_1', content: text },
        ]
      : [{ role: 'assistant', content: text }],
  }),
  langchain: (model, call, text) => ({
    type: 'ai',
    content: call ? '' : text,
    tool_calls: call ? [{ name: call.name, args: call.arguments, id: 'call_1', type: 'tool_call' }] : [],
    response_metadata: { model_name: model },
  }),
};

/** The forms, in the order of their table. */
export const starterForms: readonly StarterForm[] = [...(Object.keys(answers) as AnswerForm[]), 'otlp'];

const weather = (city: string): StarterCall => ({ name: 'get_weather', arguments: { city } });
const tools = [{ name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }];

/** The expected calls of three examples. */
export const starterTruth: readonly JsonObject[] = [
  { example_id: 'weather-1', label: 'tool_call', tools, expected_tool_calls: [{ ...weather('Oslo') }] },
  { example_id: 'weather-2', label: 'tool_call', tools, expected_tool_calls: [{ ...weather('Rome') }] },
  { example_id: 'thanks-1', label: 'direct', tools, expected_tool_calls: [] },
];

/** An event, in any form. */
interface StarterEvent {
  readonly number: number;
  readonly example_id: Json;
  readonly ts: string;
  readonly model: string;
  readonly call: StarterCall | undefined;
  readonly text: string;
}

/**
 * The events of two models: the second uses the wrong city. An answer says which example it is of; what a text decides is read from its words,
 * but a native event says it.
 */
export function starterEvents(form: StarterForm): JsonObject[] {
  return ['model-a', 'model-b'].flatMap((model, second) =>
    starterTruth.map(({ example_id }, at) => {
      const call = at === 2 ? undefined : weather(at === 0 ? 'Oslo' : second === 0 ? 'Rome' : 'Paris');
      const ts = `2026-05-01T12:0${at}:0${second}Z`;
      const event = { number: 3 * second + at + 1, example_id: example_id!, ts, model, call, text: 'You are welcome.' };
      return form === 'otlp' ? spanDocument(event) : answerRecord(form, event);
    }),
  );
}

function answerRecord(form: AnswerForm, { example_id, ts, model, call, text }: StarterEvent): JsonObject {
  const label = call === undefined && form === 'assay' ? { label: 'direct' } : {};
  return { example_id, ts, tools, ...label, ...answers[form](model, call, text) };
}

/** A document of one span, as an exporter writes it. */
function spanDocument({ number, example_id, ts, model, call, text }: StarterEvent): JsonObject {
  const part = call ? { type: 'tool_call', id: 'call_1', ...call } : { type: 'text', content: text };
  const message = { role: 'assistant', parts: [part], finish_reason: call ? 'tool_call' : 'stop' };
  const span: JsonObject = {
    traceId: String(number).padStart(32, '0'),
    spanId: String(number).padStart(16, '0'),
    name: `chat ${model}`,
    kind: 3,
    startTimeUnixNano: `${Date.parse(ts) - 800}000000`,
    endTimeUnixNano: `${Date.parse(ts)}000000`,
    attributes: attributes({
      'gen_ai.operation.name': 'chat',
      'gen_ai.response.model': model,
      'gen_ai.output.messages': JSON.stringify([message]),
      'gen_ai.tool.definitions': JSON.stringify(tools),
      'assay.example_id': example_id,
    }),
  };
  const resource = { attributes: attributes({ 'service.name': 'weather-agent' }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] };
}

function attributes(values: JsonObject): Json[] {
  return Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));
}

/** The configuration, with what a service needs besides as comments. */
export function starterConfig(form: StarterForm): string {
  return `# Assay: what "assay replay -c assay.yaml" and "assay run -c assay.yaml" read. Every key: assay config schema,
# what is in force: assay config print.

# Without truth: invented tools, invalid arguments, failed calls and loops (family tool_use), from the first event on.
# Truth adds whether decisions and calls were right, and hallucinations. Without any, leave this out.
truth:
  paths: [truth.ndjson]     # what was expected: NDJSON or Arrow tables, or folders of them

input:
  format: ${form}
${form === 'otlp' ? placesInSpans : placesBesideAnswers}${form === 'assay' ? '' : wordsDecide}
slices: [[model]]           # numbers for each model, besides the total

# For a service on Kafka ("assay run"):
# kafka:
#   brokers: [localhost:9092]
#   group_id: assay
#   topics: [agent-predictions]
# state:
#   dir: state              # checkpoints: a folder that stays
`;
}

const wordsDecide = `
decision:
  rules: words              # an answer without a call: refusals and phrases of declining, questions, else direct; replay says how many of each
`;

const placesBesideAnswers = `  # Where the fields lie that the answer does not hold. These are the defaults; "metadata" is where gateways put them.
  # fields: {example_id: [/example_id, /metadata/example_id], label: [/label, /metadata/label]}
  # response: /response     # where the answer lies in a record that holds more
`;

const placesInSpans = `  # Where the fields lie that the conventions for spans have no names for. These are the defaults: attributes that the agent sets.
  # fields: {example_id: ["attribute:assay.example_id"], label: "attribute:assay.label", run: "attribute:assay.run"}
`;
