import { type Container, isContainer, type Json } from './json.ts';
import { numberIn } from './long-number.ts';

/** The value of a JSON text, as JSON.parse gives it but for numbers that a double does not hold: those have all their digits. Throws SyntaxError. */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  return holdsLongNumber(text) ? withLongNumbers(text) : value;
}

/** The value of a JSON text; undefined where the text is no JSON. */
export function jsonOf(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A text with NaN, Infinity and -Infinity, as Python writes them outside strings, replaced with null; undefined where there is none. */
export function withoutNonFinite(text: string): string | undefined {
  const replaced = replaceTokens(text, (token) => (/^-?[NI]/.test(token) ? 'null' : token));
  return replaced === text ? undefined : replaced;
}

/** Index of the quote that closes the string opened at `start`, or the length of the text where none does. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

/** A run of so many digits and points crosses each multiple of it. */
const stride = 16;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Returns whether a JSON text may hold a number that no double holds. Looks at each 16th character, and around it at digits. */
function holdsLongNumber(text: string): boolean {
  for (let at = stride - 1; at < text.length; at += stride) {
    if (!isOfNumber(text.charCodeAt(at))) continue;
    // A run as long as the stride holds one of these, too.
    if (!isOfNumber(text.charCodeAt(at - stride / 2)) && !isOfNumber(text.charCodeAt(at + stride / 2))) continue;
    let start = at;
    while (isOfNumber(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (isOfNumber(text.charCodeAt(end))) end++;
    if (end - start >= stride && isLongAt(text, start)) return true;
    // The next run crosses a later multiple.
    at += stride * Math.floor((end - 1 - at) / stride);
  }
  return false;
}

/** Returns whether digits begin a long number that may lie outside strings. */
function isLongAt(text: string, digits: number): boolean {
  const start = text[digits - 1] === '-' ? digits - 1 : digits;
  if (start > 0 && !/[\s:,[]/.test(text[start - 1]!)) return false;
  number.lastIndex = start;
  const found = number.exec(text);
  return found !== null && typeof numberIn(found[0]) === 'bigint';
}

/** A digit or a decimal point. */
function isOfNumber(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || unit === 0x2e;
}

/** Begins a string in place of a long number. A string that begins so has it twice; as a control character it is always written in this one way. */
const mark = '\u0001';
const markText = '\\u0001';

/** Parses a JSON text that is known to be one: numbers that may be long as marked strings, which then become numbers. */
function withLongNumbers(text: string): Json {
  const marked = replaceTokens(text, (token, end) => {
    if (token.startsWith('"'))
      return token.startsWith(markText, 1) && !isKey(text, end) ? `"${markText}${token.slice(1)}` : token;
    return token.length >= stride ? `"${markText}${token}"` : token;
  });
  const root: [Json] = [JSON.parse(marked) as Json];
  const stack: Container[] = [root];
  while (stack.length > 0) {
    const container = stack.pop() as Record<string, Json>;
    for (const key of Object.keys(container)) {
      const value = container[key]!;
      if (isContainer(value)) stack.push(value);
      else if (typeof value === 'string' && value.startsWith(mark)) container[key] = unmarked(value.slice(1));
    }
  }
  return root[0];
}

function unmarked(text: string): Json {
  return text.startsWith(mark) ? text : numberIn(text);
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= 0x20) at++;
  return text[at] === ':';
}

/** Replaces strings, numbers, NaN and Infinity in a text; `end` is where the token ends. */
function replaceTokens(text: string, replacement: (token: string, end: number) => string): string {
  const tokens = /"|-?\d[\d.eE+-]*|-?Infinity|NaN/g;
  let replaced = '';
  let copied = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const { index } = found;
    if (found[0] === '"') tokens.lastIndex = endOfString(text, index) + 1;
    const end = tokens.lastIndex;
    const token = text.slice(index, end);
    const by = replacement(token, end);
    if (by === token) continue;
    replaced += text.slice(copied, index) + by;
    copied = end;
  }
  return replaced + text.slice(copied);
}
