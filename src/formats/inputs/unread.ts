import { isObject, type JsonObject } from '../../scoring/json.ts';
import { escapedKey } from '../../scoring/json-pointer.ts';
import { labels } from '../../scoring/label.ts';
import { callOf, isCall, isServerCall } from '../calls/calls.ts';
import { jsonText } from '../json/json-text.ts';
import { idOf } from '../messages/results.ts';
import { jsonIn } from '../json/parsed.ts';
import { envelopeOf } from './envelopes.ts';
import { readKeys } from './fields.ts';
import type { Form } from './form.ts';
import { decides, formOf, forms, isOpen } from './forms.ts';
import { hasUser, isRunList } from './messages.ts';

/** An answer of a known form inside a record. */
export interface FoundAnswer {
  /** JSON Pointer. */
  readonly at: string;
  readonly form: Form;
  readonly answer: JsonObject;
}

/** Answers and calls are looked for to this depth. */
const depthMax = 6;

/** Keys beside an answer under which its request lies: the conversation so far, the tools. Beside a run, messages are the run itself. */
const requestKeys = /^(request|messages|input|inputs|prompt|contents|tools|functions|body)$/i;
const requestKeysOfRun = /^(request|prompt|tools|functions)$/i;
/** Keys under which people keep the truth of an event. */
const truthKeys = /^(expected|reference|gold|truth|ground_?truth|label)/i;

/** The answers of known forms in a record that itself is none, in the order of its keys. */
export function answersIn(record: JsonObject): readonly FoundAnswer[] {
  const found: FoundAnswer[] = [];
  for (const [key, value] of Object.entries(record))
    if (!truthKeys.test(key) && !/^(request|tools|functions)$/i.test(key))
      findAnswers(found, value, `/${escapedKey(key)}`, 1);
  // Beside an answer, a conversation with its user is what was asked.
  const answers = found.filter(({ form, answer }) => form !== forms.messages || !hasUser(answer));
  return answers.length > 0 ? answers : found;
}

/** An answer that lies inside its record: `given` may be a text, `answer` is what it holds. */
interface Within {
  readonly given: unknown;
  readonly answer: JsonObject;
}

/** The place of the first call that a record holds besides the calls that were read of it; undefined where it holds none. */
export function unreadCallIn(
  record: JsonObject,
  read: readonly unknown[],
  form: Form,
  within?: Within,
): string | undefined {
  const isOther = form === forms.messages ? requestKeysOfRun : requestKeys;
  if (form === forms.assay && isCall(record)) return '';
  let seen: Seen | undefined;
  for (const key in record) {
    const value = record[key];
    if (typeof value !== 'object' && typeof value !== 'string') continue;
    if (truthKeys.test(key) || (isOpen(form) ? readKeys.has(key) && key !== 'output' : isOther.test(key))) continue;
    const place = callIn(value, (seen ??= seenOf(read, within)), 1);
    if (place !== undefined) return `/${escapedKey(key)}${place}`;
  }
  return undefined;
}

interface Seen {
  /** Calls that were read, what they wrap, and their ids. */
  readonly known: ReadonlySet<unknown>;
  readonly read: readonly unknown[];
  readonly within: Within | undefined;
}

function seenOf(read: readonly unknown[], within: Within | undefined): Seen {
  const known = new Set(read);
  for (const call of read)
    if (isObject(call)) for (const part of [idOf(call), ...Object.values(call).filter(isObject)]) known.add(part);
  known.delete(undefined);
  return { known, read, within };
}

/** The name of a form. */
export function nameOf(form: Form): string {
  return Object.entries(forms).find(([, each]) => each === form)?.[0] ?? form.content;
}

/**
 * Why a native event, or a record read by places, that decides nothing is refused: it holds something that nothing reads, or no field
 * at all. Undefined where it is an event whose decision is missing.
 */
export function noDecision(
  record: JsonObject,
  isRead: (key: string) => boolean = (key) => readKeys.has(key),
): string | undefined {
  const keys = Object.keys(record);
  const unread = keys.filter((key) => !isRead(key));
  if (unread.length === 0 && keys.length > 0) return undefined;
  const envelope = envelopeOf(record);
  const nothing = `no decision was read: none of label, tool_calls, output and error is given${envelope === undefined ? '' : `; ${envelope}`}`;
  if (keys.length === 0) return `${nothing}; the record is an empty object`;
  const found = answersIn(record);
  const [first] = found;
  if (first !== undefined) {
    const others =
      found.length > 1
        ? ` (and ${found.length - 1} more, at ${found
            .slice(1, 4)
            .map(({ at }) => at)
            .join(', ')})`
        : '';
    const form = nameOf(first.form);
    return `${nothing}; ${form === 'assay' ? 'a native event' : `an answer of ${form}`} lies at ${first.at}${others}: set input.format: ${form} and input.response: ${first.at} (replay: --format ${form} --response ${first.at})`;
  }
  const call = unreadCallIn(record, [], forms.assay);
  const silent = silentList(record);
  if (call === undefined && silent !== undefined)
    return `${nothing}; ${silent}: log what the model answered too, or say where that lies with input.fields (replay: --field output=PLACE)`;
  if (call === undefined)
    return `${nothing}, and ${unread.slice(0, 5).join(', ')} ${unread.length === 1 ? 'is' : 'are'} not read; say where they lie with input.fields (replay: --field output=PLACE)`;
  if (call === '') return `${nothing}; the record itself looks like a call: send calls in a list, tool_calls`;
  const list = call.replace(/\/\d+$/, '');
  return `${nothing}; a call lies at ${call}: set input.fields.tool_calls (replay: --field tool_calls=${list})`;
}

/** The list of messages of a record that holds nothing of an agent, with what it lacks; undefined where there is none. */
function silentList(record: JsonObject): string | undefined {
  const key = ['messages', 'history', 'steps'].find((name) => Array.isArray(record[name]));
  if (key === undefined) return undefined;
  const isEmpty = (record[key] as readonly unknown[]).length === 0;
  return `${key} ${isEmpty ? 'is an empty list' : 'holds no answer of an agent'}`;
}

function findAnswers(found: FoundAnswer[], given: unknown, at: string, depth: number): void {
  const value = typeof given === 'string' ? parsedText(given) : given;
  if (typeof value !== 'object' || value === null || depth > depthMax) return;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    if (isRunList(list)) found.push({ at, form: forms.messages, answer: { messages: list as never } });
    else
      for (const [index, item] of list.slice(0, itemsMax).entries())
        findAnswers(found, item, `${at}/${index}`, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  const form = formOf(value);
  if (form !== forms.assay || isNative(value)) found.push({ at, form, answer: value });
  else for (const [key, item] of Object.entries(value)) findAnswers(found, item, `${at}/${escapedKey(key)}`, depth + 1);
}

/** More items of a list than these are not looked at. */
const itemsMax = 64;

function isNative(value: JsonObject): boolean {
  const { label, tool_calls: calls } = value;
  const hasDecision = (Array.isArray(calls) && calls.length > 0) || labels.includes(label as never);
  return hasDecision || (typeof value['example_id'] === 'string' && decides(value));
}

/** The place of the first call in a value that was not read, from the value on. */
function callIn(given: unknown, seen: Seen, depth: number): string | undefined {
  const inner = seen.within !== undefined && given === seen.within.given ? seen.within.answer : given;
  const value = typeof inner === 'string' ? parsedText(inner) : inner;
  if (typeof value !== 'object' || value === null || depth > depthMax || seen.known.has(value)) return undefined;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const place = callIn(value[index], seen, depth + 1);
      if (place !== undefined) return `/${index}${place}`;
    }
    return undefined;
  }
  const object = value as JsonObject;
  if (isServerCall(object)) return undefined;
  if (isCall(object)) return isKnown(object, seen) ? undefined : '';
  for (const key in object) {
    const item = object[key];
    if (typeof item !== 'object' && typeof item !== 'string') continue;
    const place = callIn(item, seen, depth + 1);
    if (place !== undefined) return `/${escapedKey(key)}${place}`;
  }
  return undefined;
}

/** Returns whether a call was read: itself, what it wraps, or one of the same id or content, since many logs hold a call twice. */
function isKnown(call: JsonObject, { known, read }: Seen): boolean {
  if (known.has(idOf(call)) || Object.values(call).some((inner) => isObject(inner) && known.has(inner))) return true;
  const text = textOf(call);
  return read.some((one) => isObject(one) && textOf(one) === text);
}

/** Name and arguments of a call as text. */
function textOf(call: JsonObject): string {
  const { name, arguments: given } = callOf(call);
  return jsonText([name ?? null, given ?? null]);
}

/** The value of a text that may be an answer or a call: much of what is logged is JSON in a text. */
function parsedText(text: string): unknown {
  const isLikely =
    /^\s*[[{]/.test(text) &&
    text.length <= textMax &&
    /"(?:arguments|args|input|parameters|tool_calls|choices|content|parts)"/.test(text);
  return isLikely ? jsonIn(text) : undefined;
}

const textMax = 1_000_000;
