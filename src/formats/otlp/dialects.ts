import { isObject, type JsonObject } from '../../scoring/json.ts';
import { inside } from '../inputs/form.ts';
import { parsedOr } from '../json/parsed.ts';
import { shortened } from '../json/shortened.ts';
import { agentRun, eventNames, modelCalls, names } from './names.ts';
import { numbered } from './numbered.ts';
import type { Attributes, Span } from './span.ts';

/** A way in which instrumentations write a call of a model: where its messages, its model and its tools lie. */
interface Dialect {
  /** Returns whether a span is a call of a model in this dialect. */
  tells(attributes: Attributes): boolean;
  /** Messages in the order in which they are looked for: the first that is there counts. */
  readonly messages: readonly ((span: Span) => readonly unknown[] | Problem | undefined)[];
  /** The conversation that it answered, looked for likewise: it may end in results of tools. */
  readonly asked: readonly ((span: Span) => readonly unknown[] | undefined)[];
  /** Names of attributes of the model, and of the tools that it was offered. */
  readonly model: readonly string[];
  readonly tools: (attributes: Attributes) => unknown;
}

/** Why messages cannot be read. */
export interface Problem {
  readonly problem: string;
}

/** A call of a model: its messages, one for each choice; undefined where it recorded none. */
export interface ModelCall {
  readonly messages: readonly unknown[] | Problem | undefined;
  /** Reads the conversation that the model answered. */
  readonly asked: () => readonly unknown[] | undefined;
  readonly model: unknown;
  readonly tools: unknown;
}

const has =
  (name: string, ...values: readonly unknown[]) =>
  (attributes: Attributes): boolean =>
    values.length === 0 ? attributes.has(name) : values.includes(attributes.get(name));

const one =
  (read: (attributes: Attributes) => unknown) =>
  ({ attributes }: Span): readonly unknown[] | undefined => {
    const message = read(attributes);
    return message === undefined || message === null ? undefined : [message];
  };

/** A list of messages, or an object that holds one, as JSON text or a structure. */
const list =
  (name: string) =>
  ({ attributes }: Span): readonly unknown[] | undefined => {
    const given = parsedOr(attributes.get(name));
    const messages = isObject(given) ? given['messages'] : given;
    return Array.isArray(messages) ? (messages as readonly unknown[]) : undefined;
  };

const conventionModel = [names.responseModel, names.requestModel];
const conventionTools = (attributes: Attributes): unknown => attributes.get(names.tools);

/**
 * The dialects, the first that tells counts. Definitions: the semantic conventions for generative AI of OpenTelemetry (1.37 and later, then
 * the events before them); OpenInference (github.com/Arize-ai/openinference, spec); Vercel AI SDK (github.com/vercel/ai, telemetry);
 * Langfuse, MLflow and LangSmith by the attributes of their exporters; OpenLLMetry before it had operations.
 */
const dialects: readonly Dialect[] = [
  {
    tells: has('openinference.span.kind', 'LLM'),
    messages: [({ attributes }) => numbered(attributes, 'llm.output_messages.')],
    asked: [({ attributes }) => numbered(attributes, 'llm.input_messages.')],
    model: ['llm.model_name', 'llm.response.model_name', 'llm.request.model_name', ...conventionModel],
    tools: (attributes) => listed(attributes, 'llm.tools.', '.tool.json_schema'),
  },
  {
    tells: (attributes) => /\.do(?:Generate|Stream)$/.test(String(attributes.get('ai.operationId'))),
    messages: [
      one((attributes) => {
        const [calls, text] = [attributes.get('ai.response.toolCalls'), attributes.get('ai.response.text')];
        return calls === undefined && text === undefined ? undefined : { tool_calls: parsedOr(calls), content: text };
      }),
    ],
    asked: [list('ai.prompt.messages')],
    model: [...conventionModel, 'ai.model.id'],
    tools: (attributes) => textsOf(attributes.get('ai.prompt.tools')),
  },
  {
    tells: has('langfuse.observation.type', 'generation'),
    messages: [one((attributes) => parsedOr(attributes.get('langfuse.observation.output')))],
    asked: [list('langfuse.observation.input')],
    model: ['langfuse.observation.model.name', ...conventionModel],
    tools: conventionTools,
  },
  {
    // MLflow writes each attribute as JSON.
    tells: (attributes) => ['CHAT_MODEL', 'LLM'].includes(String(parsedOr(attributes.get('mlflow.spanType')))),
    messages: [one((attributes) => parsedOr(attributes.get('mlflow.spanOutputs')))],
    asked: [list('mlflow.spanInputs')],
    model: conventionModel,
    tools: conventionTools,
  },
  {
    tells: (attributes) =>
      modelCalls.includes(attributes.get(names.operation)) ||
      (!attributes.has(names.operation) &&
        (has('llm.request.type', 'chat', 'completion')(attributes) || hasNumbered(attributes))),
    messages: [
      ({ attributes }) => fromMessages(attributes.get(names.messages)),
      ({ events }) => {
        const details = events.find(
          ({ name, attributes }) => name === eventNames.details && attributes.has(names.messages),
        );
        return fromMessages(details?.attributes.get(names.messages));
      },
      ({ events }) => {
        const choices = events.filter(({ name }) => name === eventNames.choice);
        return choices.length === 0 ? undefined : choices.map((event) => fromEvent(event.attributes));
      },
      ({ attributes }) => fromEvents(parsedOr(attributes.get('events'))),
      ({ attributes }) => numbered(attributes, numberedPrefix),
      one((attributes) => generated(parsedOr(attributes.get('gen_ai.completion')))),
    ],
    asked: [
      list(names.inputMessages),
      ({ events }) => turnEvents(events),
      (span) => list('events')(span)?.filter((event) => inside(event, 'event.name') !== eventNames.choice),
      ({ attributes }) => numbered(attributes, 'gen_ai.prompt.'),
      list('gen_ai.prompt'),
    ],
    model: conventionModel,
    tools: conventionTools,
  },
];

const numberedPrefix = 'gen_ai.completion.';

/** The answer that the span of an agent has, as one list of messages; undefined where it has none. Its models may have spans of their own. */
export function agentAnswerIn(span: Span): ModelCall | undefined {
  const { attributes } = span;
  if (attributes.get(names.operation) !== agentRun) return undefined;
  const messages = fromMessages(attributes.get(names.messages));
  if (messages === undefined || 'problem' in messages) return undefined;
  const model = conventionModel.map((name) => attributes.get(name)).find((name) => name !== undefined && name !== '');
  return { messages: [{ messages }], asked: () => undefined, model, tools: conventionTools(attributes) };
}

/** The call of a model that a span is; undefined for every other span. */
export function modelCallIn(span: Span): ModelCall | undefined {
  const { attributes } = span;
  const dialect = dialects.find(({ tells }) => tells(attributes));
  if (dialect === undefined) return undefined;
  const model = dialect.model.map((name) => attributes.get(name)).find((name) => name !== undefined && name !== '');
  return {
    messages: firstRead(dialect.messages, span),
    asked: () => firstRead(dialect.asked, span),
    model,
    tools: dialect.tools(attributes),
  };
}

/** Returns whether an answer ended in calls of tools, by the reason that its message, or its span, gives. */
export function endsInCalls({ attributes }: Span, message: unknown): boolean {
  const reasons = [
    inside(message, 'finish_reason'),
    attributes.get(names.finishReasons),
    attributes.get('ai.response.finishReason'),
  ];
  return reasons
    .flat()
    .some((reason) => typeof reason === 'string' && /^(?:tool|function)[-_]?(?:call|use)s?$/i.test(reason));
}

function firstRead<Value>(readings: readonly ((span: Span) => Value | undefined)[], span: Span): Value | undefined {
  for (const read of readings) {
    const found = read(span);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The messages of the agent and of tools among the events of a span. */
function turnEvents(events: Span['events']): readonly unknown[] | undefined {
  const found = events.flatMap(({ name, attributes }) => {
    const role = turnRoles.get(name);
    if (role === undefined) return [];
    const whole = parsedOr(attributes.get(names.eventContent));
    return [{ ...(isObject(whole) ? whole : Object.fromEntries(attributes)), role }];
  });
  return found.length === 0 ? undefined : found;
}

const turnRoles: ReadonlyMap<string, string> = new Map([
  [eventNames.tool, 'tool'],
  [eventNames.assistant, 'assistant'],
]);

/** The exporter of LangSmith writes the generations of LangChain: lists of lists, of which each holds a message. */
function generated(answer: unknown): unknown {
  if (!isObject(answer) || !Array.isArray(answer['generations'])) return answer;
  const [first] = (answer['generations'] as readonly unknown[]).flat();
  if (!isObject(first)) return undefined;
  return isObject(first['message']) ? [first['message']] : first['text'];
}

function fromMessages(given: unknown): readonly unknown[] | Problem | undefined {
  if (given === undefined) return undefined;
  const messages = parsedOr(given);
  if (!Array.isArray(messages)) return { problem: `gen_ai.output.messages: ${noMessages(given)}` };
  return messages.length === 0 ? undefined : (messages as readonly unknown[]);
}

function noMessages(given: unknown): string {
  const cut = '; where it was cut, raise OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT of the exporter';
  return `${shortened(given)} is no list of messages, nor its JSON text${typeof given === 'string' ? cut : ''}`;
}

/** The message of an event: one attribute, within another, or spread over several. */
function fromEvent(attributes: Attributes): unknown {
  const whole = parsedOr(attributes.get(names.eventContent));
  if (isObject(whole)) return inChoice(whole);
  const spread = [names.message, names.content, names.toolCalls, names.finishReason].map(
    (name) => [name, attributes.get(name)] as const,
  );
  return inChoice(Object.fromEntries(spread.filter(([, value]) => value !== undefined)) as JsonObject);
}

/** The message of a choice; its finish reason lies beside it. */
function inChoice({ message: given, ...rest }: JsonObject): unknown {
  const message = parsedOr(given);
  const calls = parsedOr(rest['tool_calls']);
  const beside = { ...rest, ...(calls !== undefined && { tool_calls: calls }) };
  return isObject(message) ? { ...beside, ...message } : { ...beside, content: message ?? rest['content'] };
}

/** The choices in a list of events that is one attribute: pydantic-ai and Logfire before messages were attributes. */
function fromEvents(events: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(events)) return undefined;
  const choices = events.filter(
    (event): event is JsonObject => isObject(event) && event['event.name'] === eventNames.choice,
  );
  return choices.length === 0 ? undefined : choices.map(inChoice);
}

function hasNumbered(attributes: Attributes): boolean {
  for (const name of attributes.keys()) if (name.startsWith(numberedPrefix)) return true;
  return false;
}

/** Values of numbered attributes, in order. */
function listed(attributes: Attributes, prefix: string, suffix: string): unknown {
  const found = [...attributes].filter(([name]) => name.startsWith(prefix) && name.endsWith(suffix));
  return found.length === 0 ? undefined : found.map(([, value]) => parsedOr(value));
}

function textsOf(list: unknown): unknown {
  return Array.isArray(list) ? list.map(parsedOr) : parsedOr(list);
}
