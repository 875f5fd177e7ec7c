import { isObject } from '../../scoring/json.ts';
import { idText } from '../inputs/fields.ts';
import { parsedOr } from '../json/parsed.ts';
import { failureIn } from '../messages/failure.ts';
import { opened } from '../messages/opened.ts';
import type { Returned } from '../../stream/results.ts';
import { returnedIn } from '../messages/results.ts';
import { returnedLast } from '../messages/steps.ts';
import { names } from './names.ts';
import type { ToolRun } from './parts.ts';
import type { Span } from './span.ts';

/** The return of a call as a step gives it: `ok` is undefined where the tool did not end, so that nothing came back. */
export interface StepResult {
  readonly id: unknown;
  readonly name: unknown;
  /** Undefined unless the span of the tool gives them. */
  readonly arguments?: unknown;
  readonly ok: boolean | null | undefined;
  readonly error: string | undefined;
  readonly output: unknown;
}

/** The return of the tool that a span ran. It failed by the status of the span, by `error.type`, or where the result itself says so. */
export function resultOf(span: Span, { id, name, given, result }: ToolRun): StepResult {
  const value = parsedOr(result);
  // OpenLLMetry keeps the output of LangChain's tools beside their options.
  const isWrapped = isObject(value) && 'output' in value && 'kwargs' in value;
  const message = toolMessage(isWrapped ? value['output'] : value);
  const marked = failureOf(span) ?? message?.error;
  const isMarked = marked !== undefined || message?.ok === false || message?.ok === true;
  const error = isMarked ? marked : failureIn(message?.output ?? value);
  const failed = error !== undefined || message?.ok === false;
  return {
    id: idText(id ?? message?.id),
    name: name ?? message?.name,
    arguments: argumentsIn(given),
    ok: failed ? false : span.endMs === undefined && result === undefined ? undefined : true,
    error,
    output: message?.output ?? result,
  };
}

/** The arguments of a tool's run: of OpenLLMetry they lie beside options, by name (`kwargs`, LangChain's `inputs`). */
function argumentsIn(recorded: unknown): unknown {
  const given = parsedOr(recorded);
  if (!isObject(given)) return recorded;
  const { kwargs, inputs, args, input_str: text } = given;
  if (isObject(inputs) && text !== undefined) return inputs;
  return isObject(kwargs) && Array.isArray(args) ? kwargs : given;
}

/** The returns in a conversation after the last message of its agent. An id is enough to tell the call: the name would find another one. */
export function resultsIn(conversation: readonly unknown[]): readonly StepResult[] {
  return returnedLast(conversation).map((one) => ({ ...one, name: one.id === undefined ? one.name : undefined }));
}

/** Reads a result that is a message of a tool, as LangChain and MCP have it; undefined for any other value. */
function toolMessage(value: unknown): Returned | undefined {
  if (!isObject(value)) return undefined;
  const { element, speaker } = opened(value);
  if (speaker === 'tool') return returnedIn(element, true);
  return value['isError'] === true ? { ...nothing, ok: false } : undefined;
}

const nothing: Returned = { id: undefined, name: undefined, ok: true, error: undefined, output: undefined };

/** Why a span failed; undefined where it did not. Langfuse has levels beside the status. */
function failureOf({ status, attributes, events }: Span): string | undefined {
  const type = attributes.get(names.errorType);
  const isError = status.isError || type !== undefined || attributes.get('langfuse.observation.level') === 'ERROR';
  if (!isError) return undefined;
  const thrown = events.find(({ name }) => name === 'exception')?.attributes.get('exception.message');
  const texts = [status.message, attributes.get('langfuse.observation.status_message'), thrown, type];
  const text = texts.find((each) => typeof each === 'string' && each !== '');
  return (text as string | undefined) ?? 'the span has status ERROR';
}
