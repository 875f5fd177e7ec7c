/**
 * Finds the spans in the bytes of an `ExportTraceServiceRequest` or a `TracesData`; field numbers as in src/formats/otlp/protobuf.ts. It gives up at
 * groups, at numbers of more than 28 bits that are no values, and at a second resource.
 */
import { aNumber, fieldOf, hashOf, isFalse, isTrue, isUtf8, put } from './scanner';
import {
  beginResource,
  beginSpan,
  endResource,
  endSpan,
  holdsJson,
  isNumbered,
  jsonText,
  plain,
  setEnd,
  setSpanId,
  setStatus,
  setTrace,
  spanIdAt,
  spanIdBytes,
  traceAt,
  traceBytes,
} from './spans';

let p: u32 = 0;

const tooLong: u32 = 0xffffffff;
const mostBits: u32 = 28;

/** Tags: the number of a field and how its value is written. */
const field1: u32 = 0x0a;
const field2: u32 = 0x12;
const boolean: u32 = 0x10;
const integer: u32 = 0x18;
const spanEnd: u32 = 0x41;
const spanAttribute: u32 = 0x4a;
const spanEvent: u32 = 0x5a;
const spanStatus: u32 = 0x7a;

/** Tells of the spans in text[at, to). 1: that is a message, and all of its spans were told of. 0: it may be anything. */
export function protobufSpans(at: u32, to: u32): u32 {
  p = at;
  while (p < to) {
    const tag = number();
    if (tag == field1) {
      const within = valueIn(to);
      if (!within || !resourceSpans(within)) return 0;
    } else if (!pass(tag, to)) return 0;
  }
  return p == to ? 1 : 0;
}

/** The resource may follow the spans that are of it. */
function resourceSpans(to: u32): bool {
  const start = p;
  beginResource(p);
  endResource(p);
  let resources = 0;
  while (p < to) {
    const tag = number();
    if (tag == field1) {
      const end = valueIn(to);
      if (!end || ++resources > 1 || !resource(end)) return false;
    } else if (!pass(tag, to)) return false;
  }
  if (p != to) return false;
  p = start;
  while (p < to) {
    const tag = number();
    if (tag == field2) {
      if (!scopeSpans(valueIn(to))) return false;
    } else pass(tag, to);
  }
  return true;
}

function resource(to: u32): bool {
  beginResource(p);
  while (p < to) {
    const tag = number();
    if (tag == field1) {
      const end = valueIn(to);
      if (!end || !attribute(end)) return false;
    } else if (!pass(tag, to)) return false;
  }
  endResource(to);
  return p == to;
}

function scopeSpans(to: u32): bool {
  while (p < to) {
    const tag = number();
    if (tag == field2) {
      const end = valueIn(to);
      if (!end) return false;
      const start = p;
      const isUsual = span(end);
      p = end;
      if (!endSpan(start, end, isUsual)) return false;
    } else if (!pass(tag, to)) return false;
  }
  return p == to;
}

/** Whether a span is usual. */
function span(to: u32): bool {
  beginSpan();
  while (p < to) {
    const tag = number();
    if (tag == spanEnd) {
      const nanoseconds = load<u64>(p);
      setEnd(nanoseconds, nanoseconds != 0);
      p += 8;
    } else if (tag == spanAttribute || tag == field1 || tag == field2 || tag == spanStatus) {
      const end = valueIn(to);
      if (!end) return false;
      if (tag == spanAttribute) {
        if (!attribute(end)) return false;
      } else if (tag == spanStatus) {
        if (!setStatus(p, end) || !status(end)) return false;
      } else if (!id(tag, end)) return false;
    } else if (tag == spanEvent || !pass(tag, to)) return false;
  }
  return p == to;
}

/** A trace, or the id of a span. */
function id(tag: u32, to: u32): bool {
  const length = to - p;
  if (tag == field1) {
    if (length != 0 && length != traceBytes) return false;
    setTrace(length != 0);
    hexadecimal(traceAt);
  } else {
    if (length != 0 && length != spanIdBytes) return false;
    setSpanId(length != 0);
    hexadecimal(spanIdAt);
  }
  p = to;
  return true;
}

/** Writes 16 bytes from p on; behind the id of a span is room for 8 that are not its. */
function hexadecimal(to: u32): void {
  const digits = i8x16(0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66);
  const bytes = v128.load(p);
  const high = i8x16.swizzle(digits, i8x16.shr_u(bytes, 4));
  const low = i8x16.swizzle(digits, v128.and(bytes, i8x16.splat(0x0f)));
  v128.store(to, i8x16.shuffle(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
  v128.store(to, i8x16.shuffle(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), 16);
}

function status(to: u32): bool {
  while (p < to) {
    const tag = number();
    if (tag == field2) {
      const end = valueIn(to);
      if (!end || !isText(p, end)) return false;
      p = end;
    } else if (!pass(tag, to)) return false;
  }
  return p == to;
}

/** Its key may follow its value; of several the last counts. */
function attribute(to: u32): bool {
  let key = to;
  let keyEnd = to;
  let value: u32 = 0;
  let valueEnd: u32 = 0;
  while (p < to) {
    const tag = number();
    if (tag == field1) {
      keyEnd = valueIn(to);
      if (!keyEnd) return false;
      key = p;
      p = keyEnd;
    } else if (tag == field2) {
      valueEnd = valueIn(to);
      if (!valueEnd) return false;
      value = p;
      p = valueEnd;
    } else if (!pass(tag, to)) return false;
  }
  if (p != to) return false;
  const length = keyEnd - key;
  const field = fieldOf(hashOf(key, length), key, length, 0);
  if (field < 0) return !isNumbered(key, length);
  if (!value) return true;
  p = value;
  if (!anyValue(<u32>field, valueEnd)) return false;
  p = to;
  return true;
}

/** Whether a value is usual: nothing, or one text, boolean or small integer. */
function anyValue(field: u32, to: u32): bool {
  const start = p;
  if (p == to) {
    put(field, 0, p, p, 0);
    return true;
  }
  const tag = number();
  if (tag == field1) {
    if (valueIn(to) != to) return false;
    if (holdsJson(field)) return jsonText(field, p, to);
    if (!isText(p, to)) return false;
    plain(field, p, to);
    return true;
  }
  const value = number();
  if (p != to || value == tooLong) return false;
  if (tag == boolean && value <= 1) put(field, value ? isTrue : isFalse, p, p, 0);
  else if (tag == integer) put(field, aNumber, start, to, value);
  else return false;
  return true;
}

function isText(at: u32, to: u32): bool {
  let o = at;
  for (; o + 16 <= to; o += 16) if (i8x16.bitmask(v128.load(o))) break;
  if (to - o < 16 && !(i8x16.bitmask(v128.load(o)) & ((1 << (to - o)) - 1))) return true;
  return isUtf8(at, to);
}

/** A number of variable length. */
function number(): u32 {
  let byte = <u32>load<u8>(p++);
  if (byte < 0x80) return byte;
  let value = byte & 0x7f;
  for (let shift: u32 = 7; shift < mostBits; shift += 7) {
    byte = load<u8>(p++);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  return tooLong;
}

/** Where the value ends that begins here with its length; 0 where it would end beyond what it lies in. */
function valueIn(outer: u32): u32 {
  const length = number();
  return length != tooLong && p <= outer && length <= outer - p ? p + length : 0;
}

/** Passes over a field that nobody reads. */
function pass(tag: u32, outer: u32): bool {
  if (tag < 8 || tag == tooLong) return false;
  const type = tag & 7;
  if (type == 2) {
    p = valueIn(outer);
    return p != 0;
  }
  if (type == 0) {
    for (let bytes = 0; bytes < 10; bytes++) if (load<u8>(p++) < 0x80) return p <= outer;
    return false;
  }
  p += type == 1 ? 8 : 4;
  return (type == 1 || type == 5) && p <= outer;
}
