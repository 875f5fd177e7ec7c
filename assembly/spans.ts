/**
 * What both encodings of spans share (json-spans.ts, protobuf-spans.ts): the span that is being read, with the attributes that are fields, and the resource that
 * it is of. Each span is told of as soon as it ends; one that is unusual, by its place alone: then the reader that parses decides, and so
 * what is here need not know what is wrong with a span. A record of which no more than its spans can be unusual is refused whole.
 */
import {
  begin,
  clear,
  end,
  fields,
  fieldsAt,
  fieldBytes,
  firstGroup,
  foundBytes,
  identity,
  isAscii,
  isJsonText,
  isUtf8,
  level,
  listAt,
  listed,
  member,
  plainText,
  put,
  resume,
  rowsAt,
  secondGroup,
  space,
} from './scanner';

/** Tells of a span that was read; false: no more of them. */
declare function found(): bool;

/** Where the span begins and ends, and its resource; whether it is usual, and has an identity; the milliseconds of its end, NaN where there are none. */
export const aboutAt: u32 = 0x4200;
/** Its trace and its id in hexadecimal, with a hyphen between. */
export const traceAt: u32 = 0x4280;
export const spanIdAt: u32 = 0x42a1;
const identityBytes: u32 = 49;
const hyphen: u8 = 0x2d;

export const traceBytes: u32 = 16;
export const spanIdBytes: u32 = 8;

let hasTrace: bool = false;
let hasSpanId: bool = false;
let nanoseconds: u64 = 0;
let hasEnd: bool = false;
let statusAt: u32 = 0;
let statusEnd: u32 = 0;

const statusHashAt: u32 = 0x4300;

/** Begins the attributes of a resource. */
export function beginResource(at: u32): void {
  clear(rowsAt + rowBytes());
  store<u32>(aboutAt, at, 8);
  store<u32>(aboutAt, at, 12);
}

/** Ends them: what an event is read from is hashed. */
export function endResource(to: u32): void {
  store<u32>(aboutAt, to, 12);
  const list = listed(firstGroup, listAt);
  identity(listAt, list - listAt, resourceHashAt());
}

function resourceHashAt(): u32 {
  return rowsAt + 2 * rowBytes() - hashesBytes;
}

const hashesBytes: u32 = 64;

function rowBytes(): u32 {
  return fields * foundBytes + hashesBytes;
}

export function beginSpan(): void {
  clear(rowsAt);
  hasTrace = false;
  hasSpanId = false;
  hasEnd = false;
  statusAt = 0;
  statusEnd = 0;
}

/** Ends a span, and tells of it. */
export function endSpan(start: u32, to: u32, isUsual: bool): bool {
  store<u32>(aboutAt, start);
  store<u32>(aboutAt, to, 4);
  store<u32>(aboutAt, isUsual ? 1 : 0, 16);
  store<u32>(aboutAt, hasTrace && hasSpanId ? 1 : 0, 20);
  store<f64>(aboutAt, hasEnd ? <f64>(nanoseconds / 1_000_000) : f64.NaN, 24);
  if (isUsual) hashSpan();
  return found();
}

/** Its identity; all that its event is read from but its columns and texts that are output; these. */
function hashSpan(): void {
  const hashes = rowsAt + rowBytes() - hashesBytes;
  store<u8>(traceAt + 2 * traceBytes, hyphen);
  identity(traceAt, identityBytes, hashes);
  identity(statusAt, statusEnd - statusAt, statusHashAt);
  let list = listed(firstGroup, listAt);
  v128.store(list, v128.load(resourceHashAt()));
  v128.store(list, v128.load(statusHashAt), 16);
  identity(listAt, list + 32 - listAt, hashes + 16);
  list = listed(secondGroup, listAt);
  identity(listAt, list - listAt, hashes + 32);
}

export function setTrace(isThere: bool): void {
  hasTrace = isThere;
}

export function setSpanId(isThere: bool): void {
  hasSpanId = isThere;
}

export function setEnd(value: u64, isThere: bool): void {
  nanoseconds = value;
  hasEnd = isThere;
}

/** A status that says nothing is none. Its bytes are those of an event that was accepted, or of no event: nobody else reads them. */
export function setStatus(at: u32, to: u32): bool {
  const isFirst = statusAt == 0;
  statusAt = at;
  statusEnd = to;
  return isFirst;
}

/** Whether the text of a field is JSON. */
export function holdsJson(field: u32): bool {
  return (load<u32>(fieldsAt + field * fieldBytes, 44) & isJsonText) != 0;
}

/** Reads a text that is the JSON of a field. */
export function jsonText(field: u32, start: u32, to: u32): bool {
  const outerEnd = end;
  const outerLevel = level;
  const outerAscii = isAscii;
  begin(start, to);
  const p = member(space(start), <i32>field);
  const isJson = p != 0 && space(p) == to && (isAscii || isUtf8(start, to));
  resume(outerEnd, outerLevel, outerAscii);
  return isJson;
}

/** Reads the text of a field, whose bytes are UTF-8. */
export function plain(field: u32, start: u32, to: u32): void {
  put(field, plainText, start, to, 0);
}

/** Whether an attribute belongs to a numbered message: `gen_ai.completion.`. */
export function isNumbered(at: u32, length: u32): bool {
  return (
    length > 18 &&
    load<u64>(at) == 0x632e69615f6e6567 &&
    load<u64>(at, 8) == 0x6f6974656c706d6f &&
    <u32>load<u16>(at, 16) == 0x2e6e
  );
}
