import type { Json, JsonObject } from '../../scoring/json.ts';
import type { LogRecord } from '../../stream/event.ts';
import { utf8Text } from '../bytes/utf8.ts';
import { type FieldName, fieldNames } from '../inputs/fields.ts';
import { fieldWords, type ScannedField, valueTypes, word } from './scanner.ts';

const callIds = { at: '[].id', apart: false };

/**
 * What the fields of a usual event may be. The hash of the first group and that of the second are over what `predictionOf` reads: all but
 * the output, and the output. Nobody reads the ids of calls, which are new in every event.
 */
const usual: Readonly<Record<FieldName, Omit<ScannedField, 'name'>>> = {
  example_id: { types: ['text'], hash: 'alone' },
  event_id: { types: ['absent', 'null', 'text'], hash: 'alone' },
  ts: { types: ['absent', 'null', 'text', 'number'] },
  model: { types: ['absent', 'null', 'text'], hash: 'alone' },
  agent: { types: ['absent', 'null', 'text'], hash: 'alone' },
  tags: { types: ['absent', 'null', 'object'] },
  run: { types: ['absent', 'null', 'number'] },
  label: { types: ['absent', 'null', 'text'], hash: 'first' },
  tool_calls: { types: ['absent', 'null', 'array'], elements: ['object'], hash: 'first', texts: [callIds] },
  tools: { types: ['absent', 'null', 'array'], elements: ['text', 'escaped', 'object'], hash: 'first' },
  output: { types: valueTypes, elements: valueTypes, hash: 'second' },
  error: { types: ['absent', 'null', 'text', 'escaped'], hash: 'first' },
  success: { types: ['absent', 'null', 'true', 'false'], hash: 'first' },
};

/** The fields of a native event as they usually are, in the order of their names. */
export const usualFields: readonly ScannedField[] = fieldNames.map((name) => ({ name, ...usual[name] }));

/** Where the words of a field begin in those of its row. */
export const at = Object.fromEntries(fieldNames.map((name, index) => [name, fieldWords * index])) as Record<
  FieldName,
  number
>;

export const isText: number = valueTypes.indexOf('text');
const isEscaped = valueTypes.indexOf('escaped');
export const isNumber: number = valueTypes.indexOf('number');
export const isObjectType: number = valueTypes.indexOf('object');
export const isNull: number = valueTypes.indexOf('null');

/** Whether a field has a type. */
export function typeIs(words: Int32Array, field: number, type: number): boolean {
  return words[field + word.type] === type;
}

/** Bytes of a field; of a text, those between its quotes. */
export function lengthOf(words: Int32Array, field: number): number {
  return words[field + word.end]! - words[field + word.start]!;
}

/** A text without escapes. */
export function fieldText(words: Int32Array, field: number, { bytes }: LogRecord): string {
  return utf8Text(bytes, words[field + word.start]!, words[field + word.end]!);
}

/** The value of a field; undefined where it is absent or null. */
export function fieldValue(words: Int32Array, field: number, record: LogRecord): Json | undefined {
  const type = words[field + word.type]!;
  if (type === 0 || type === isNull) return undefined;
  if (type === isText) return fieldText(words, field, record);
  const quote = type === isEscaped ? 1 : 0;
  const { bytes } = record;
  return JSON.parse(utf8Text(bytes, words[field + word.start]! - quote, words[field + word.end]! + quote));
}

/** The whole of a record whose bytes are known to be an event. */
export function parsedRecord({ bytes, start, end }: LogRecord): JsonObject {
  return JSON.parse(utf8Text(bytes, start, end)) as JsonObject;
}

const digitsMost = 15;

/** The number that some digits are; null where the field is absent or null, undefined for any other number. */
export function wholeNumber(words: Int32Array, field: number, { bytes }: LogRecord): number | null | undefined {
  if (!typeIs(words, field, isNumber)) return null;
  const [start, end] = [words[field + word.start]!, words[field + word.end]!];
  if (end - start > digitsMost) return undefined;
  let number = 0;
  for (let place = start; place < end; place++) {
    const digit = bytes[place]! - 0x30;
    if (digit >>> 0 > 9) return undefined;
    number = 10 * number + digit;
  }
  return number;
}
