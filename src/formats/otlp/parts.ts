import { parsedOr } from '../json/parsed.ts';
import { agentAnswerIn, modelCallIn, type ModelCall } from './dialects.ts';
import { names, toolRun } from './names.ts';
import type { Attributes, Span } from './span.ts';

/**
 * A way in which instrumentations write the run of a tool: the attribute and value that tell it, and the attributes of the call's id, the
 * tool's name, its arguments and its result, the first that is there.
 */
interface ToolDialect {
  readonly tells: string;
  /** Undefined: any. */
  readonly value: string | undefined;
  readonly id: readonly string[];
  readonly name: readonly string[];
  readonly given: readonly string[];
  readonly result: readonly string[];
  /** The span has the name of the tool where no attribute has it. */
  readonly isNamed?: true;
}

/** A part of a run: a call of a model, the run of a tool, anything else that an instrumentation of agents wrote. */
export type Part =
  | { readonly kind: 'model'; readonly call: ModelCall }
  | { readonly kind: 'tool'; readonly tool: ToolRun }
  | { readonly kind: 'context'; readonly answer?: ModelCall | undefined };

/** The run of a tool; its arguments (`given`) and `result` as they were recorded. */
export interface ToolRun {
  readonly id: unknown;
  readonly name: unknown;
  readonly given: unknown;
  readonly result: unknown;
}

const convention = {
  ...{ id: [names.toolCallId], name: [names.toolName] },
  ...{ given: [names.toolArguments], result: [names.toolResult] },
};

/**
 * The dialects of tools, the first that tells counts. Definitions as for calls of models (`dialects.ts`); OpenLLMetry's are in
 * github.com/traceloop/openllmetry, traceloop-sdk (decorators) and its instrumentation of LangChain. The last row is pydantic-ai before its
 * spans of tools had an operation.
 */
const toolDialects: readonly ToolDialect[] = [
  {
    tells: 'openinference.span.kind',
    value: 'TOOL',
    id: ['tool.id', 'tool_call.id', names.toolCallId],
    name: ['tool.name', names.toolName],
    given: ['tool_call.function.arguments', 'input.value', names.toolArguments],
    result: ['output.value', names.toolResult],
    isNamed: true,
  },
  {
    tells: 'ai.operationId',
    value: 'ai.toolCall',
    id: ['ai.toolCall.id'],
    name: ['ai.toolCall.name'],
    given: ['ai.toolCall.args'],
    result: ['ai.toolCall.result'],
  },
  {
    tells: 'traceloop.span.kind',
    value: 'tool',
    ...convention,
    name: [names.toolName, 'traceloop.entity.name'],
    given: [names.toolArguments, 'traceloop.entity.input'],
    result: ['traceloop.entity.output', names.toolResult],
  },
  {
    tells: 'langfuse.observation.type',
    value: 'tool',
    ...convention,
    given: ['langfuse.observation.input', names.toolArguments],
    result: ['langfuse.observation.output', names.toolResult],
    isNamed: true,
  },
  {
    tells: 'mlflow.spanType',
    value: 'TOOL',
    ...convention,
    given: ['mlflow.spanInputs', names.toolArguments],
    result: ['mlflow.spanOutputs', names.toolResult],
    isNamed: true,
  },
  {
    tells: 'langsmith.span.kind',
    value: 'tool',
    ...convention,
    given: ['gen_ai.prompt'],
    result: ['gen_ai.completion'],
    isNamed: true,
  },
  {
    tells: names.operation,
    value: toolRun,
    ...convention,
    given: [names.toolArguments, 'tool_arguments'],
    result: [names.toolResult, 'tool_response', 'gen_ai.completion'],
  },
  { tells: names.mcpMethod, value: 'tools/call', ...convention },
  { tells: names.toolName, value: undefined, ...convention, result: ['tool_response', names.toolResult] },
];

/** Attributes by which instrumentations of agents are known: their spans repeat the calls of those below them, or run one. */
const knownKinds: readonly string[] = [
  names.operation,
  'ai.operationId',
  'openinference.span.kind',
  'langfuse.observation.type',
  'mlflow.spanType',
  'traceloop.span.kind',
  'langsmith.span.kind',
  names.mcpMethod,
  'agent_name',
];

/** Attributes that name the agent of a span, the first that is there. */
export const agentPlaces: readonly string[] = [
  names.agent,
  'agent.name',
  'agent_name',
  'ai.telemetry.functionId',
  names.service,
].map((name) => `attribute:${name}`);

/** Kinds of spans that are an agent's, and the attribute with its name; undefined: the name of the span. */
const agentKinds: readonly (readonly [tells: string, value: string, name: string | undefined])[] = [
  ['openinference.span.kind', 'AGENT', undefined],
  ['traceloop.span.kind', 'agent', 'traceloop.entity.name'],
  ['langfuse.observation.type', 'agent', undefined],
  ['mlflow.spanType', 'AGENT', undefined],
];

/** The number of `SPAN_KIND_SERVER`. */
const server = 2;

/** The part of a run that a span is; undefined for a span of anything but agents. */
export function partOf(span: Span): Part | undefined {
  const { attributes } = span;
  const call = isOtherRun(attributes) ? undefined : modelCallIn(span);
  if (call !== undefined) return { kind: 'model', call };
  const dialect = isServed(span) ? undefined : toolDialects.find((one) => tellsTool(attributes, one));
  if (dialect === undefined) return isKnown(attributes) ? { kind: 'context', answer: agentAnswerIn(span) } : undefined;
  const { id, name, given, result, isNamed } = dialect;
  const tool = {
    id: firstIn(attributes, id),
    name: firstIn(attributes, name) ?? (isNamed && span.name),
    given: firstIn(attributes, given),
    result: firstIn(attributes, result),
  };
  return { kind: 'tool', tool };
}

/** Returns whether a known instrumentation of agents wrote a span. */
export function isKnown(attributes: Attributes): boolean {
  return knownKinds.some((name) => attributes.has(name));
}

/** The name of the agent that the kind of a span says it is, where no attribute of `agentPlaces` names it. */
export function agentNamed({ attributes, name }: Span): unknown {
  const kind = agentKinds.find(([tells, value]) => plain(attributes.get(tells)) === value);
  if (kind === undefined) return undefined;
  return kind[2] === undefined ? name || undefined : attributes.get(kind[2]);
}

function tellsTool(attributes: Attributes, { tells, value }: ToolDialect): boolean {
  return value === undefined
    ? attributes.has(tells) && !attributes.has(names.operation)
    : plain(attributes.get(tells)) === value;
}

/** LangSmith exports a prompt, and all else that is no tool, with the operation of a chat. */
function isOtherRun(attributes: Attributes): boolean {
  const kind = attributes.get('langsmith.span.kind');
  return kind !== undefined && kind !== 'llm';
}

/** The server of MCP writes a span of the call that its client has one of too. */
function isServed({ kind, attributes }: Span): boolean {
  return kind === server && attributes.has(names.mcpMethod);
}

function firstIn(attributes: Attributes, all: readonly string[]): unknown {
  for (const name of all) {
    const value = plain(attributes.get(name));
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

/** MLflow writes each attribute as JSON. */
function plain(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('"') ? parsedOr(value) : value;
}
