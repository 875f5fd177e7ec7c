import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { type Label, labels } from '../../scoring/label.ts';
import { isCall, namedCall, type RawCall, unreadKeyOf } from '../calls/calls.ts';
import type { Form } from '../inputs/form.ts';
import { formOf, forms } from '../inputs/forms.ts';
import { isRunList } from '../inputs/messages.ts';
import { answersIn } from '../inputs/unread.ts';
import { parsedOr } from '../json/parsed.ts';
import { readSteps } from '../messages/steps.ts';

/** The parts of a truth row that an expected answer gives. */
export interface Expectation {
  readonly label?: Json;
  readonly tools?: Json;
  readonly expected_tool_calls?: Json;
  readonly reference?: Json;
  readonly alternatives?: Json;
  readonly forbidden?: Json;
}

/** Why an expected answer gives no truth: there is none, or it is words that no rule compares. */
export type NoExpectation = 'absent' | 'free_text';

/**
 * The expectation in an answer that a platform keeps as the right one (docs/reference/truth.md, "Platforms"): fields of a truth row, calls of
 * any form, messages, a label; any other JSON is the reference. Never throws.
 *
 * `{"messages": [{"role": "assistant", "tool_calls": […]}]}` expects these calls, `{"answer": "Oslo"}` is free text.
 */
export function expectationIn(given: unknown): Expectation | NoExpectation {
  const value = parsedOr(given);
  if (value === undefined || value === null || value === '') return 'absent';
  if (isLabel(value)) return { label: value };
  if (Array.isArray(value)) return expectationOfList(value as readonly Json[]);
  if (!isObject(value)) return 'free_text';
  const keys = Object.keys(value);
  if (keys.length === 0) return 'absent';
  const named = namedParts(value);
  if (named !== undefined) return named;
  const calls = callsIn(value);
  if (calls !== undefined) return { expected_tool_calls: calls };
  // An answer alone in its object, as platforms that keep objects only have it.
  return keys.length === 1 && answerKeys.test(keys[0]!) ? expectationIn(value[keys[0]!]) : { reference: value };
}

/** A list of calls as name and arguments; any arguments are right of a call that gives its name alone. */
export function expectedCalls(list: readonly Json[]): Json {
  return list.map((each): Json => {
    if (typeof each === 'string') return { name: each, accept: anyArguments };
    // A key that nothing reads may hold the arguments: the reader of truth refuses it by name.
    if (!isObject(each) || unreadKeyOf(each as RawCall) !== undefined) return each;
    const { name, arguments: given } = namedCall(each as RawCall) as {
      readonly name?: Json;
      readonly arguments?: Json;
    };
    const { accept } = each;
    if (given === undefined || given === null) return { name: name ?? null, accept: accept ?? anyArguments };
    return { name: name ?? null, arguments: given, ...(accept !== undefined && { accept }) };
  });
}

const anyArguments = { '*': { ignore: true } };

/** Keys under which an answer lies that is the only value of its object. */
const answerKeys =
  /^(?:(?:final_?)?answer|outputs?|response|message|content|text|result|completion|ideal|target|expected\w*|reference\w*|ground_?truth)$/i;
/** Keys under which expected calls lie as a list. */
const listKeys = [
  'tool_calls',
  'expected_tools',
  'expectedTools',
  'expected_calls',
  'tools_called',
  'toolCalls',
] as const;
/** Fields of a truth row by which an object is one; a reference may be any value's name. */
const markKeys = ['expected_tool_calls', 'alternatives', 'forbidden'] as const;
const partKeys = ['tools', ...markKeys, 'reference'] as const;

function isLabel(value: unknown): value is Label {
  return labels.includes(value as Label);
}

/** The fields of a truth row that an object names; undefined where it is none. */
function namedParts(value: JsonObject): Expectation | undefined {
  const { label } = value;
  if (!isLabel(label) && !markKeys.some((key) => isGiven(value[key]))) return undefined;
  const parts = partKeys.flatMap((key): [string, Json][] => (isGiven(value[key]) ? [[key, value[key]!]] : []));
  const given = Object.fromEntries(isLabel(label) ? [['label', label], ...parts] : parts) as Expectation;
  const calls = listIn(given.expected_tool_calls === undefined ? value : { tool_calls: given.expected_tool_calls });
  return calls === undefined ? given : { ...given, expected_tool_calls: expectedCalls(calls) };
}

/** The list of calls of an object, under the first of its keys. */
function listIn(value: JsonObject): readonly Json[] | undefined {
  return listKeys.map((key) => parsedOr(value[key])).find((list) => Array.isArray(list)) as readonly Json[] | undefined;
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

function expectationOfList(list: readonly Json[]): Expectation {
  if (list.every((each) => isObject(each) && (isCall(each) || isNamed(each))))
    return { expected_tool_calls: expectedCalls(list) };
  if (isRunList(list)) return { expected_tool_calls: expectedCalls(callsOfMessages(list)) };
  return { reference: list };
}

/** Returns whether an object is the name of a tool and nothing else. */
function isNamed(value: JsonObject): boolean {
  return typeof value['name'] === 'string' && Object.keys(value).length === 1;
}

/** The calls of an answer of any known form, none where it is words; undefined where it is no answer. */
function callsIn(value: JsonObject): Json | undefined {
  if (isCall(value)) return expectedCalls([value]);
  const list = listIn(value);
  if (list !== undefined) return expectedCalls(list);
  for (const [key, inner] of Object.entries(value))
    if (answerKeys.test(key) && isObject(inner) && listIn(inner) !== undefined) return callsIn(inner);
  const form = formOf(value);
  if (form !== forms.assay) return callsOfAnswer(form, value);
  const [found, other] = answersIn(value);
  return found === undefined || other !== undefined ? undefined : callsOfAnswer(found.form, found.answer);
}

function callsOfAnswer(form: Form, answer: JsonObject): Json | undefined {
  const said = form.read(answer, form.choices?.(answer)[0]);
  if (said === undefined || (said.error ?? undefined) !== undefined) return undefined;
  const { tool_calls: calls } = said;
  return Array.isArray(calls) ? expectedCalls(calls as readonly Json[]) : [];
}

function callsOfMessages(list: readonly Json[]): readonly Json[] {
  return readSteps(list, { isAnswer: false }).calls as readonly Json[];
}
