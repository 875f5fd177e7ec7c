/**
 * Finds the spans in a document of OTLP/JSON. All of it has to be strict JSON in UTF-8. It gives up where anything else than objects is in the lists on the way to
 * the spans, where lists on that way come twice, and where the resource follows its spans.
 */
import {
  aNumber,
  backslash,
  begin,
  closeBrace,
  closeBracket,
  comma,
  end,
  escapedText,
  fieldOf,
  hashOf,
  headOf,
  isAscii,
  isDigit,
  isEscaped,
  isFalse,
  isTrue,
  isUtf8,
  key,
  keyEnd,
  keyStart,
  level,
  nest,
  openBrace,
  openBracket,
  plainText,
  put,
  quote,
  space,
  stopsIn,
  textEnd,
  valueEnd,
} from './scanner';
import {
  beginResource,
  beginSpan,
  endResource,
  endSpan,
  holdsJson,
  isNumbered,
  jsonText,
  setEnd,
  setSpanId,
  setStatus,
  setTrace,
  spanIdAt,
  spanIdBytes,
  traceAt,
  traceBytes,
} from './spans';

/** Where a text is written without its escapes: behind the rows of a span and its resource, before the texts. */
const unescapedAt: u32 = 0x8000;
const unescapedMax: u32 = 0x50000;

let p: u32 = 0;

/** Tells of the spans in text[at, to). 1: that is a document, and all of its spans were told of. 0: it may be anything. */
export function jsonSpans(at: u32, to: u32): u32 {
  begin(at, to);
  p = space(at);
  if (!document()) return 0;
  if (p < end) p = space(p);
  return p == end && (isAscii || isUtf8(at, end)) ? 1 : 0;
}

/** Keys that are looked for, by their first 16 bytes. */
function isKey(length: u32, head: u64, tail: u64): bool {
  if (keyEnd - keyStart != length || headOf(keyStart, length) != head) return false;
  return length <= 8 || headOf(keyStart + 8, length - 8) == tail;
}

function document(): bool {
  let isFound = false;
  let member = firstMember();
  for (; member == isMember; member = nextMember()) {
    if (isKey(13, 0x656372756f736572, 0x736e617053)) {
      // resourceSpans
      if (isFound || !list(resourceSpansList)) return false;
      isFound = true;
    } else if (!pass()) return false;
  }
  return isFound && member == isEnd;
}

function resourceSpans(): bool {
  let isFound = false;
  beginResource(p);
  endResource(p);
  let member = firstMember();
  for (; member == isMember; member = nextMember()) {
    if (isKey(10, 0x61705365706f6373, 0x736e)) {
      // scopeSpans
      if (isFound || !list(scopeSpansList)) return false;
      isFound = true;
    } else if (isKey(8, 0x656372756f736572, 0)) {
      // resource
      if (isFound || !resource()) return false;
    } else if (!pass()) return false;
  }
  return member == isEnd;
}

function resource(): bool {
  let isFound = false;
  beginResource(p);
  let member = firstMember();
  for (; member == isMember; member = nextMember()) {
    if (isKey(10, 0x7475626972747461, 0x7365)) {
      // attributes
      if (isFound || !list(attributesList)) return false;
      isFound = true;
    } else if (!pass()) return false;
  }
  endResource(p);
  return member == isEnd;
}

function scopeSpans(): bool {
  let isFound = false;
  let member = firstMember();
  for (; member == isMember; member = nextMember()) {
    if (isKey(5, 0x736e617073, 0)) {
      // spans
      if (isFound || !list(spansList)) return false;
      isFound = true;
    } else if (!pass()) return false;
  }
  return member == isEnd;
}

/** An unusual span has to be JSON all the same. */
function span(): bool {
  const start = p;
  const outer = level;
  const isUsual = usualSpan();
  if (!isUsual) {
    nest(outer - level);
    p = start;
    if (load<u8>(p) != openBrace || !pass()) return false;
  }
  return endSpan(start, p, isUsual);
}

function usualSpan(): bool {
  let found: u32 = 0;
  beginSpan();
  let member = firstMember();
  for (; member == isMember; member = nextMember()) {
    const one = spanMember();
    if (found & one) return false;
    found |= one;
    if (!(one ? known(one) : pass())) return false;
  }
  return member == isEnd;
}

const attributes: u32 = 1;
const traceId: u32 = 2;
const spanId: u32 = 4;
const endTime: u32 = 8;
const events: u32 = 16;
const status: u32 = 32;

function spanMember(): u32 {
  if (isKey(10, 0x7475626972747461, 0x7365)) return attributes;
  if (isKey(7, 0x64496563617274, 0)) return traceId;
  if (isKey(6, 0x64496e617073, 0)) return spanId;
  if (isKey(15, 0x55656d6954646e65, 0x6f6e614e78696e)) return endTime;
  if (isKey(6, 0x73746e657665, 0)) return events;
  return isKey(6, 0x737574617473, 0) ? status : 0;
}

function known(one: u32): bool {
  if (one == attributes) return list(attributesList);
  if (one == events) return noList();
  const start = p;
  if (!pass()) return false;
  if (one == status) return setStatus(start, p);
  if (load<u8>(start) != quote) return false;
  const text = start + 1;
  const length = p - 1 - text;
  if (one == endTime) return time(text, length);
  if (one == traceId) {
    setTrace(true);
    return length == 2 * traceBytes && hexadecimal(text, length, traceAt);
  }
  setSpanId(true);
  return length == 2 * spanIdBytes && hexadecimal(text, length, spanIdAt);
}

function noList(): bool {
  if (load<u8>(p) != openBracket) return false;
  p = space(p + 1);
  return load<u8>(p++) == closeBracket;
}

function time(at: u32, length: u32): bool {
  if (length < 7 || length > 19) return false;
  let nanoseconds: u64 = 0;
  for (const to = at + length; at < to; at++) {
    const digit = <u32>load<u8>(at) - 0x30;
    if (digit > 9) return false;
    nanoseconds = 10 * nanoseconds + digit;
  }
  setEnd(nanoseconds, true);
  return true;
}

function hexadecimal(at: u32, length: u32, to: u32): bool {
  for (let o: u32 = 0; o < length; o++) {
    const c = <u32>load<u8>(at + o);
    if (!isDigit(c) && c - 0x61 > 5) return false;
    store<u8>(to + o, <u8>c);
  }
  return true;
}

function attribute(): bool {
  if (firstMember() != isMember || !isKey(3, 0x79656b, 0) || load<u8>(p) != quote) return false;
  const name = p + 1;
  const nameEnd = textEnd(name);
  if (!nameEnd || isEscaped) return false;
  const length = nameEnd - name;
  p = nameEnd + 1;
  if (nextMember() != isMember || !isKey(5, 0x65756c6176, 0)) return false;
  const field = fieldOf(hashOf(name, length), name, length, 0);
  if (field < 0) {
    if (isNumbered(name, length) || !pass()) return false;
  } else if (!anyValue(<u32>field)) return false;
  return nextMember() == isEnd;
}

function anyValue(field: u32): bool {
  const member = firstMember();
  if (member == isEnd) {
    put(field, 0, p, p, 0);
    return true;
  }
  if (member != isMember) return false;
  if (isKey(11, 0x6156676e69727473, 0x65756c)) {
    // stringValue
    if (load<u8>(p) != quote || !text(field)) return false;
  } else if (isKey(9, 0x756c61566c6f6f62, 0x65)) {
    // boolValue
    const c = <u32>load<u8>(p);
    if ((c != 0x74 && c != 0x66) || !pass()) return false;
    put(field, c == 0x74 ? isTrue : isFalse, p, p, 0);
  } else if (!isKey(8, 0x65756c6156746e69, 0) || !integer(field)) return false;
  return nextMember() == isEnd;
}

function text(field: u32): bool {
  if (holdsJson(field)) {
    const to = unescaped(p + 1);
    return to != 0 && jsonText(field, unescapedAt, to);
  }
  const start = p + 1;
  const to = textEnd(start);
  if (!to) return false;
  put(field, isEscaped ? escapedText : plainText, start, to, 0);
  p = to + 1;
  return true;
}

/** An integer is a text, or a number, of few digits. */
function integer(field: u32): bool {
  const isText = load<u8>(p) == quote;
  if (isText) p++;
  const start = p;
  let value: u32 = 0;
  while (isDigit(load<u8>(p)) && p - start < 9) value = 10 * value + (<u32>load<u8>(p++) - 0x30);
  if (p == start || (!isText && load<u8>(start) == 0x30 && p - start > 1)) return false;
  put(field, aNumber, start, p, value);
  return !isText || load<u8>(p++) == quote;
}

/** Writes the text at `from` without its escapes; gives where that ends, with p behind the text, or 0. */
function unescaped(from: u32): u32 {
  let to = unescapedAt;
  p = from;
  while (p < end && to < unescapedAt + unescapedMax) {
    const bytes = v128.load(p);
    const stops = stopsIn(bytes);
    v128.store(to, bytes);
    const length: u32 = stops ? <u32>ctz(stops) : 16;
    p += length;
    to += length;
    if (!stops) continue;
    const c = <u32>load<u8>(p++);
    if (c == quote) return p <= end ? to : 0;
    if (c != backslash) return 0;
    to = unescapedOne(to);
    if (!to) return 0;
  }
  return 0;
}

/** Writes the character whose escape is at p, behind the backslash. */
function unescapedOne(to: u32): u32 {
  const c = <u32>load<u8>(p++);
  if (c == quote || c == backslash || c == 0x2f) store<u8>(to, <u8>c);
  else if (c == 0x6e) store<u8>(to, 0x0a);
  else if (c == 0x74) store<u8>(to, 0x09);
  else if (c == 0x72) store<u8>(to, 0x0d);
  else if (c == 0x62) store<u8>(to, 0x08);
  else if (c == 0x66) store<u8>(to, 0x0c);
  else return c == 0x75 ? unescapedUnit(to) : 0;
  return to + 1;
}

/** Of four hexadecimal digits. Half a character is no UTF-8, and is found so. */
function unescapedUnit(to: u32): u32 {
  let unit: u32 = 0;
  for (const last = p + 4; p < last; p++) {
    const c = <u32>load<u8>(p);
    const letter = (c | 0x20) - 0x61;
    if (!isDigit(c) && letter > 5) return 0;
    unit = (unit << 4) | (isDigit(c) ? c - 0x30 : letter + 10);
  }
  if (unit < 0x80) {
    store<u8>(to, <u8>unit);
    return to + 1;
  }
  if (unit < 0x800) {
    store<u16>(to, <u16>(0x80c0 | (unit >> 6) | ((unit & 0x3f) << 8)));
    return to + 2;
  }
  store<u32>(to, 0x8080e0 | (unit >> 12) | (((unit >> 6) & 0x3f) << 8) | ((unit & 0x3f) << 16));
  return to + 3;
}

const resourceSpansList: u32 = 0;
const scopeSpansList: u32 = 1;
const spansList: u32 = 2;
const attributesList: u32 = 3;

/** Reads a list of objects of a kind. */
function list(kind: u32): bool {
  if (load<u8>(p) != openBracket) return false;
  nest(1);
  p = space(p + 1);
  if (load<u8>(p) == closeBracket) p++;
  else
    while (true) {
      if (!item(kind)) return false;
      p = space(p);
      const c = <u32>load<u8>(p++);
      if (c == closeBracket) break;
      if (c != comma || p >= end) return false;
      p = space(p);
    }
  nest(-1);
  return true;
}

function item(kind: u32): bool {
  if (kind == attributesList) return attribute();
  if (kind == spansList) return span();
  return kind == scopeSpansList ? scopeSpans() : resourceSpans();
}

const isEnd: u32 = 1;
const isMember: u32 = 2;

/** The first member of the object at p: its value is at p then; or the end of the object; 0: it is none. */
function firstMember(): u32 {
  if (load<u8>(p) != openBrace) return 0;
  p = space(p + 1);
  if (load<u8>(p) == closeBrace) {
    p++;
    return isEnd;
  }
  nest(1);
  return keyed();
}

function nextMember(): u32 {
  p = space(p);
  const c = <u32>load<u8>(p++);
  if (c == closeBrace) {
    nest(-1);
    return isEnd;
  }
  if (c != comma || p >= end) return 0;
  p = space(p);
  return keyed();
}

function keyed(): u32 {
  p = key(p);
  return p && !isEscaped ? isMember : 0;
}

function pass(): bool {
  p = valueEnd(p);
  return p != 0;
}
