import { isObject, type JsonObject } from '../../scoring/json.ts';
import { escapedKey } from '../../scoring/json-pointer.ts';
import { isCall, understood, unreadKeyOf } from '../calls/calls.ts';
import { envelopeOf } from '../inputs/envelopes.ts';
import { jsonIn, parsedOr } from '../json/parsed.ts';
import { nearField } from '../prediction/near-names.ts';
import { callFields, truthFields } from './fields.ts';

/** A key that nothing reads, the field that it may hold, and where below it that lies: a JSON Pointer. */
interface Meant {
  readonly key: string;
  readonly field: string;
  readonly below?: string;
}

/**
 * Why a truth record is refused that holds an expectation under keys that nothing reads: the keys, and the option that reads them. Any
 * other key of that kind is passed to `note`.
 *
 * `{"example_id": "e1", "expected_tools": [{"name": "f", "arguments": {}}]}` asks for `--truth-field expected_tool_calls=/expected_tools`.
 */
export function unreadProblem(
  record: JsonObject,
  isRead: (key: string) => boolean,
  note: (key: string) => void,
): string | undefined {
  let unread: string[] | undefined;
  for (const key in record) if (record[key] !== null && !isRead(key)) (unread ??= []).push(key);
  if (unread === undefined) return undefined;
  const meant = meantOf(record, unread);
  if (meant.length > 0) return mappingProblem(record, meant, isRead);
  for (const key of unread) note(key);
  return undefined;
}

/** The options that read an id and an expectation from the keys of a record; empty where there is nothing of the kind. */
export function mappingOf(record: JsonObject, isRead: (key: string) => boolean): string {
  const unread = Object.keys(record).filter((key) => record[key] !== null && !isRead(key));
  return optionsText(withId(record, meantOf(record, unread), unread));
}

/** The first key of an expected call that nothing reads, and that may hold a part of it: with the key that was meant. Any other is passed to `note`. */
export function unreadOfCall(
  call: JsonObject,
  note: (key: string) => void,
): { readonly key: string; readonly meant: string } | undefined {
  for (const key in call) {
    if (understood.has(key)) continue;
    const meant = nearField(key, callKeys);
    if (meant !== undefined && (call[meant] ?? null) === null) return { key, meant };
    note(key);
  }
  const key = unreadKeyOf(call);
  return key === undefined ? undefined : { key, meant: typeof call[key] === 'object' ? 'arguments' : 'name' };
}

/** Returns whether a column of a table may hold an expectation, by its name. */
export function isLikelyColumn(name: string): boolean {
  return nearField(name, truthFields) !== undefined || likelyNames.test(snake(name));
}

const callKeys = ['name', 'arguments', 'accept'] as const;
const likelyNames =
  /(?:call|tool|function|args?|arguments|params|parameters)(?:s|_?name)?$|^(?:expected|gold|reference|target|truth)/;
const toolNames = /(?:^|_)(?:tool|function)(?:_name)?$/;
const argumentNames = /(?:^|_)(?:args|arguments|params|parameters|tool_input|kwargs)$/;
/** Keys under which conversations lie that led to the example: their calls are not expected. */
const conversationKeys = /^(?:request|messages|input|inputs|prompt|contents|conversation|history|turns|context)$/i;

function meantOf(record: JsonObject, unread: readonly string[]): Meant[] {
  const found: Meant[] = [];
  const lacks = (field: string): boolean =>
    (record[field] ?? null) === null && found.every((each) => each.field !== field);
  for (const key of unread) {
    const near = nearField(key, truthFields);
    // One name under `tool` is a call's rather than a list of tools.
    if (near === 'tools' && typeof record[key] === 'string' && !/^\s*\[/.test(record[key])) continue;
    if (near !== undefined && lacks(near)) found.push({ key, field: near });
    else if (!conversationKeys.test(key)) {
      const fields = isRecord(record[key]) ? fieldsIn(record[key]) : [];
      for (const field of fields) if (lacks(field)) found.push({ key, field, below: `/${field}` });
      const below = placeOfCalls(record[key], depthMax);
      if (below !== undefined && !fields.includes('expected_tool_calls'))
        found.push({ key, field: 'expected_tool_calls', below });
    }
  }
  if (!lacks('expected_tool_calls')) return found;
  const tool = unread.find((key) => toolNames.test(snake(key)) && typeof record[key] === 'string');
  if (tool === undefined) return found;
  const args = unread.find((key) => argumentNames.test(snake(key)));
  found.push({ key: tool, field: callFields[0] });
  if (args !== undefined) found.push({ key: args, field: callFields[1] });
  return found;
}

/** Returns whether a value, or the JSON in a text, is a truth record of its own, as in an envelope. */
function isRecord(given: unknown): boolean {
  return fieldsIn(given).some((field) => field === 'label' || field === 'expected_tool_calls');
}

function fieldsIn(given: unknown): readonly string[] {
  const inner = parsedOr(given);
  return isObject(inner) ? truthFields.filter((field) => (inner[field] ?? null) !== null) : [];
}

function withId(record: JsonObject, meant: readonly Meant[], unread: readonly string[]): readonly Meant[] {
  if ((record['example_id'] ?? null) !== null || meant.some(({ field }) => field === 'example_id')) return meant;
  const key = [
    /^(?:id|uid|uuid)$/i,
    /(?:^|_)(?:example|case|sample|item|test|task|question)_?id$/,
    /(?:_id|^key|_key|case)$/,
    /^(?:example|sample|item|test|task)$/,
  ]
    .map((form) => unread.find((each) => form.test(snake(each)) && ['string', 'number'].includes(typeof record[each])))
    .find((each) => each !== undefined);
  return key === undefined ? meant : [{ key, field: 'example_id' }, ...meant];
}

function mappingProblem(record: JsonObject, meant: readonly Meant[], isRead: (key: string) => boolean): string {
  const keys = [...new Set(meant.map(({ key }) => key))];
  const unread = Object.keys(record).filter((key) => !isRead(key));
  const options = optionsText(withId(record, meant, unread));
  const envelope = envelopeOf(record);
  return `${envelope === undefined ? '' : `${envelope}; `}nothing reads ${keys.join(', ')}, which may hold what is expected; say so with ${options} (configuration: truth.fields), or rename or remove ${keys.length === 1 ? 'it' : 'them'}`;
}

/** The options as they are typed into a shell. */
function optionsText(meant: readonly Meant[]): string {
  return meant
    .map(({ key, field, below = '' }) => `--truth-field ${quoted(`${field}=/${escapedKey(key)}${below}`)}`)
    .join(' ');
}

function quoted(text: string): string {
  return /^[\w./=~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Calls are looked for to this depth. */
const depthMax = 6;

/** The place of the first call in a value, or of the list that holds it; undefined where it holds none. */
function placeOfCalls(given: unknown, depth: number): string | undefined {
  const value = typeof given === 'string' && /^\s*[[{]/.test(given) ? jsonIn(given) : given;
  if (typeof value !== 'object' || value === null || depth < 0) return undefined;
  if (isObject(value) && isCall(value)) return '';
  for (const [key, inner] of Object.entries(value)) {
    const below = placeOfCalls(inner, depth - 1);
    if (below !== undefined) return below === '' && Array.isArray(value) ? '' : `/${escapedKey(key)}${below}`;
  }
  return undefined;
}

/** `expectedTool` is `expected_tool`. */
function snake(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[\s.-]+/g, '_')
    .toLowerCase();
}
