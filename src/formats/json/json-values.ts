import { endOfString } from '../../scoring/parse-json.ts';

/**
 * How many values a JSON text holds, without parsing it, and no further than `most` + 1: objects, arrays, texts, numbers, true, false and
 * null. A key counts for each `.` and `[` in it, as scoring takes it for a path of so many parts. Of a text that is no JSON the count is at
 * least what a parser makes of it before it gives up.
 *
 * `{"a":[1,2],"b.c":{}}` holds 6: two objects, an array, two numbers, and one for the key with a dot.
 */
export function valuesOfText(text: string, most: number): number {
  let values = 1;
  let opened = false;
  for (let at = 0; at < text.length && values <= most; at++) {
    const unit = text.charCodeAt(at);
    if (unit <= space) continue;
    if (unit === comma || (opened && unit !== closingBracket && unit !== closingBrace)) values++;
    opened = unit === openingBracket || unit === openingBrace;
    if (unit !== quote) continue;
    const start = at;
    at = endOfString(text, start);
    if (isKey(text, at)) values += partsOfKey(text, start, at, most - values);
  }
  return values;
}

/** The same of a value that was parsed. */
export function valuesOf(root: unknown, most: number): number {
  const stack: unknown[] = [root];
  let values = 0;
  while (stack.length > 0 && values <= most) {
    const value = stack.pop();
    values++;
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) for (let at = 0; at < value.length && at <= most; at++) stack.push(value[at]);
    else
      for (const [key, inner] of Object.entries(value)) {
        values += partsOfKey(key, 0, key.length, most - values);
        stack.push(inner);
      }
  }
  return values;
}

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const dot = 0x2e;
const colon = 0x3a;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

function isKey(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= space) at++;
  return text.charCodeAt(at) === colon;
}

function partsOfKey(text: string, start: number, end: number, most: number): number {
  let parts = 0;
  for (let at = start; at < end && parts <= most; at++) {
    const unit = text.charCodeAt(at);
    if (unit === dot || unit === openingBracket) parts++;
  }
  return parts;
}
