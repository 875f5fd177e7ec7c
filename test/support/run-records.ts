import { documentOf, attribute, type JsonSpan } from './otlp.ts';
import type { Run } from './run-dialects.ts';

/* Recorded runs as the records of each way in which programs write them: whole, or step by step. */

/** A recorded run, the time at which its first step began, and its place among all. */
export interface RecordedRun extends Run {
  readonly number: number;
  readonly exampleId: string;
  readonly run: number;
  readonly model: string;
  readonly agent: string;
  readonly success: boolean;
  readonly startMs: number;
}

/** A record, and the event time at which a program would send it. */
export interface TimedRecord {
  readonly atMs: number;
  readonly value: object;
}

const stepMs = 2_000;
const toolMs = 500;

type Writer = (run: RecordedRun) => readonly TimedRecord[];

export const whole: Readonly<Record<string, Writer>> = {
  'native events': (run) => [
    {
      atMs: endOf(run),
      value: {
        ...known(run),
        ts: endOf(run),
        event_id: `native ${run.number}`,
        model: run.model,
        ...(run.calls.length > 0 && {
          tool_calls: run.calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
          results: run.calls.flatMap(({ result }, call) => (result === undefined ? [] : [resultOf(call, result)])),
        }),
        output: run.words,
        words: true,
        steps: stepsOf(run).length,
        // Where nothing came back at all, its last call is its answer.
        unfinished: run.words === undefined && run.calls.some(({ result }) => result !== undefined),
      },
    },
  ],
  'lists of messages': (run) => [
    {
      atMs: endOf(run),
      value: { ...known(run), ts: endOf(run), model: run.model, messages: messagesOf(run) },
    },
  ],
};

/** Answers of OpenAI in the log of a gateway, whose requests hold the conversation so far. */
export const answers: Writer = (run) => {
  const messages = messagesOf(run);
  return stepsOf(run).map(({ calls, words, endMs }, at) => ({
    atMs: endMs,
    value: {
      ...known(run),
      conversation: `c${run.number}`,
      request: { messages: [{ role: 'user', content: 'please' }, ...messages.slice(0, 2 * at)] },
      response: {
        id: `chatcmpl-${run.number}-${at}`,
        object: 'chat.completion',
        model: run.model,
        choices: [{ index: 0, message: messages[2 * at]!, finish_reason: words ? 'stop' : 'tool_calls' }],
      },
      ts: endMs,
      calls: calls.length,
    },
  }));
};

/** Spans of the GenAI conventions: chat, execute_tool, and the root invoke_agent with all that is known of the run. */
export const conventions: Writer = (run) =>
  trace(run, {
    chat: ({ calls, words }) => ({
      'gen_ai.operation.name': 'chat',
      'gen_ai.response.model': run.model,
      'gen_ai.output.messages': JSON.stringify([
        {
          role: 'assistant',
          parts: [
            ...calls.map(({ call, id }) => ({ type: 'tool_call', id, name: call.name, arguments: call.arguments })),
            ...(words === undefined ? [] : [{ type: 'text', content: words }]),
          ],
          finish_reason: words === undefined ? 'tool_call' : 'stop',
        },
      ]),
    }),
    tool: (call, id) => ({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.result': call.result!.text,
    }),
    root: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': run.agent },
  });

/** Spans of OpenInference. */
export const openInference: Writer = (run) =>
  trace(run, {
    chat: ({ calls, words }) => ({
      'openinference.span.kind': 'LLM',
      'llm.model_name': run.model,
      'llm.output_messages.0.message.role': 'assistant',
      ...(words !== undefined && { 'llm.output_messages.0.message.content': words }),
      ...Object.fromEntries(
        calls.flatMap(({ call, id }, at) => {
          const prefix = `llm.output_messages.0.message.tool_calls.${at}.tool_call`;
          return [
            [`${prefix}.id`, id],
            [`${prefix}.function.name`, call.name],
            [`${prefix}.function.arguments`, JSON.stringify(call.arguments)],
          ];
        }),
      ),
    }),
    tool: (call, id) => ({
      'openinference.span.kind': 'TOOL',
      'tool.name': call.name,
      'tool_call.id': id,
      'output.value': call.result!.text,
    }),
    root: { 'openinference.span.kind': 'AGENT', 'agent.name': run.agent },
  });

/** The messages of OpenAI; a result says that its call failed. */
function messagesOf({ calls, words }: RecordedRun): readonly object[] {
  const said = calls.flatMap(({ name, arguments: given, result }, at) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `call_${at}`, type: 'function', function: { name, arguments: JSON.stringify(given) } }],
    },
    ...(result === undefined
      ? []
      : [{ role: 'tool', tool_call_id: `call_${at}`, content: result.text, ...(!result.ok && { is_error: true }) }]),
  ]);
  return [...said, ...(words === undefined ? [] : [{ role: 'assistant', content: words }])];
}

/** Fields that a program gives beside an answer. */
function known({ exampleId, run, agent, success }: RecordedRun): object {
  return { example_id: exampleId, run, agent, success };
}

interface TimedStep {
  readonly calls: readonly { readonly call: Run['calls'][number]; readonly id: string }[];
  readonly words: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
}

/** A step for each call, and one for the words where there are any. */
function stepsOf({ calls, words, startMs }: RecordedRun): readonly TimedStep[] {
  const at = (index: number): Pick<TimedStep, 'startMs' | 'endMs'> => {
    const begin = startMs + index * stepMs;
    return { startMs: begin, endMs: begin + stepMs - toolMs };
  };
  const steps = calls.map(
    (call, index): TimedStep => ({
      calls: [{ call, id: `call_${index}` }],
      words: undefined,
      ...at(index),
    }),
  );
  return [...steps, ...(words === undefined ? [] : [{ calls: [], words, ...at(calls.length) }])];
}

function endOf(run: RecordedRun): number {
  return stepsOf(run).at(-1)!.endMs;
}

function resultOf(call: number, { ok, text }: NonNullable<Run['calls'][number]['result']>): object {
  return { call, ok, output: text };
}

interface Names {
  readonly chat: (step: TimedStep) => object;
  readonly tool: (call: Run['calls'][number], id: string) => object;
  readonly root: object;
}

/** A record for each span, as exporters send them: when it has ended. */
function trace(run: RecordedRun, { chat, tool, root }: Names): readonly TimedRecord[] {
  const traceId = `${run.number + 1}`.padStart(32, '0');
  const rootId = spanIdOf(0);
  let count = 0;
  const span = (attributes: object, startMs: number, endMs: number, more: Partial<JsonSpan> = {}): TimedRecord => ({
    atMs: endMs,
    value: documentOf([
      {
        name: 'span',
        traceId,
        spanId: spanIdOf(++count),
        parentSpanId: rootId,
        startTimeUnixNano: `${startMs}000000`,
        endTimeUnixNano: `${endMs}000000`,
        attributes: Object.entries(attributes).map(([name, value]) => attribute(name, value)),
        ...more,
      },
    ]),
  });
  const steps = stepsOf(run);
  const inner = steps.flatMap((step) => [
    span(chat(step), step.startMs, step.endMs),
    ...step.calls.flatMap(({ call, id }) =>
      call.result === undefined
        ? []
        : span(
            tool(call, id),
            step.endMs,
            Math.min(step.endMs + toolMs, endOf(run)),
            call.result.ok ? {} : { status: { code: 2, message: call.result.text } },
          ),
    ),
  ]);
  const own = { 'assay.example_id': run.exampleId, 'assay.run': run.run, 'assay.success': run.success };
  const around = span({ ...root, ...own }, run.startMs, endOf(run), { spanId: rootId, parentSpanId: '' });
  return [...inner, around];
}

function spanIdOf(number: number): string {
  return (number + 1).toString(16).padStart(16, '0');
}
