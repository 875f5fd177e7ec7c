import { isObject, type JsonObject } from '../../scoring/json.ts';
import type { LogRecord, StepContent } from '../../stream/event.ts';
import type { Result } from '../../stream/results.ts';
import { namedCall, type RawCall, unreadKeyOf } from '../calls/calls.ts';
import { identity } from '../inputs/answer-events.ts';
import type { Found, Reading, StepFound } from '../inputs/found.ts';
import { fitted } from '../inputs/fields.ts';
import { getOrPut } from '../../state/containers/get-or-put.ts';
import { nestsDeeper } from '../json/json-depth.ts';
import { idOf } from '../messages/results.ts';
import {
  addFound,
  choiceOf,
  errorOf,
  hasUnseenCalls,
  noTally,
  noteUnread,
  readEvents,
  readingOf,
  wholeAnswers,
} from './events.ts';
import type { SpanFields, Tally } from './events.ts';
import type { ModelCall } from './dialects.ts';
import { isLaterChoice } from './logs.ts';
import { type Part, partOf } from './parts.ts';
import type { Span } from './span.ts';
import { type Fields, present, runKeyOf, stepFields, type StepFields, type StepPlaces } from './step-fields.ts';
import { resultOf, resultsIn } from './tool-result.ts';

/**
 * The steps of spans (docs/reference/inputs.md, "OpenTelemetry"), and the number of spans that are none. A call of a model without a key of
 * a run is an event of its own.
 */
export function stepsOf(spans: readonly Span[], record: LogRecord, fields: SpanFields, places: StepPlaces): Reading {
  const tally = noTally();
  for (const span of spans) {
    const part = partOf(span);
    const given = stepFields(span, record, places);
    const isStep = part !== undefined || span.parentId === '' || Object.keys(given.own).length > 0;
    const run = runKeyOf(span, places, given);
    if (part === undefined) noteUnread(tally, span);
    if (isLaterChoice(span)) tally.choicesIgnored++;
    else if (run !== undefined && isStep)
      addStep(tally, { span, part: part ?? context, given, run, places, depth: fields.depth });
    else if (run !== undefined && addPlain(tally, span, run)) tally.spansIgnored++;
    else if (part?.kind !== 'model' || span.source.isLog || !readEvents(tally, span, part.call, record, fields))
      tally.spansIgnored++;
  }
  return readingOf(tally);
}

const context: Part = { kind: 'context' };

/** A span that is a step, and what was read of it. */
interface Source {
  readonly span: Span;
  readonly part: Part;
  readonly given: StepFields;
  readonly run: string;
  readonly places: StepPlaces;
  readonly depth: number;
}

function addStep(tally: Tally, source: Source): void {
  const { span, part } = source;
  const messages = part.kind === 'model' ? part.call.messages : undefined;
  if (Array.isArray(messages)) tally.choicesIgnored += Math.max(0, wholeAnswers(messages).length - 1);
  const content = contentOf(source);
  addFound(tally, span, stepOf(source, typeof content === 'string' ? unreadable(source, content) : content));
}

/** Notes a span that steps may lie in; false for a log record, and a span that lies in none. */
function addPlain({ plain }: Tally, { traceId, spanId, parentId, endMs, source }: Span, run: string): boolean {
  if (source.isLog || traceId === '' || spanId === '' || parentId === '') return false;
  const spans = getOrPut(plain, run, () => ({ ts: Number.NaN, ids: [] }));
  if (endMs !== undefined) spans.ts = Number.isNaN(spans.ts) ? endMs : Math.max(spans.ts, endMs);
  spans.ids.push(spanId, parentId);
  return true;
}

/** An answer that cannot be read: the other steps alone do not decide its run. */
function unreadable({ span: { spanId } }: Source, detail: string): Record<string, unknown> {
  return { unreadable: { detail: spanId === '' ? detail : `span ${spanId}: ${detail}` } };
}

function stepOf(source: Source, content: Record<string, unknown>): Found {
  const { span, part, given, run, places, depth } = source;
  // A field that is placed is read there alone.
  for (const name of places.all.fields.keys()) delete content[name];
  const all = present({ ...content, ...given.own }) as Record<string, unknown>;
  if (Object.keys(given.shared).length > 0) all['shared'] = given.shared;
  if (nestsDeeper(all, depth)) return { code: 'too_deep', detail: '' };
  const idOrNone = (id: string): string | undefined => (id === '' ? undefined : identity(id, undefined));
  const step: StepFound = {
    part: part.kind,
    run,
    id: idOrNone(span.spanId),
    parent: idOrNone(span.parentId),
    ts: (given.ts as number | undefined) ?? span.endMs,
    start: span.startMs,
    ends: span.traceId === '' ? isAnswer(source, all) : span.parentId === '',
    given: all as StepContent,
  };
  return { step };
}

/** Returns whether a step answers without a call. A log record does not end a run: its span may follow. */
function isAnswer({ part, span }: Source, { tool_calls: calls, output, refused }: Fields): boolean {
  return part.kind === 'model' && !span.source.isLog && calls === undefined && (output ?? refused) !== undefined;
}

/** The content of a step of its own, but for placed fields; a text says why it cannot be read. */
function contentOf({ span, part }: Source): Record<string, unknown> | string {
  if (part.kind === 'context') return part.answer === undefined ? {} : { answer: answerOf(part.answer) };
  if (part.kind === 'tool') return { returned: [present(resultOf(span, part.tool))] };
  const { messages = [], asked, model, tools } = part.call;
  if ('problem' in messages) return messages.problem;
  const [message] = wholeAnswers(messages);
  const choice = choiceOf(message ?? {});
  if (choice === undefined) return 'message 0 of the span is no object';
  const calls = listOf(choice.tool_calls)?.map(nativeCall);
  const returned = resultsIn(asked() ?? []).map(present);
  return {
    tool_calls: calls,
    // A stream begins with an empty text, also before a call.
    output: choice.output === '' && calls !== undefined ? undefined : choice.output,
    error: errorOf(span) ?? choice.error,
    refused: choice.refused || undefined,
    words: true,
    unfinished: choice.unfinished || undefined,
    closes: choice.closes || undefined,
    unrecorded: hasUnseenCalls(span, message, choice) ? 'calls' : part.call.messages === undefined || undefined,
    model,
    tools: fitted('tools', tools),
    returned: returned.length === 0 ? undefined : returned,
  };
}

/** The answer of an agent, whose messages may hold results as well. */
function answerOf({ messages, model, tools }: ModelCall): object {
  const answer = choiceOf((messages as readonly unknown[])[0])!;
  const { tool_calls: all, results, output, refused, closes, unfinished } = answer;
  const calls = listOf(all)?.map(nativeCall) ?? [];
  const returned = (listOf(results) as readonly Result[] | undefined)?.map(({ call, ...result }) => {
    const { id, name } = calls[call] as JsonObject;
    return present({ id, name, ...result });
  });
  return present({
    ...{ tool_calls: calls.length > 0 ? calls : undefined, output, refused: refused || undefined },
    ...{ closes: closes || undefined, unfinished: unfinished || undefined },
    ...{ words: true, unrecorded: 'steps' },
    ...{ model, tools: fitted('tools', tools), returned },
  });
}

function listOf(calls: unknown): readonly unknown[] | undefined {
  return Array.isArray(calls) ? calls : undefined;
}

/** A call with id, name and arguments as a native event has them; a malformed one as it is. */
function nativeCall(call: unknown): unknown {
  if (!isObject(call)) return call;
  const { name, arguments: given } = namedCall(call as RawCall);
  if (typeof name !== 'string' || unreadKeyOf(call as JsonObject) !== undefined) return call;
  return present({ id: idOf(call), name, arguments: given });
}
