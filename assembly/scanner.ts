/**
 * Finds the fields of a JSON object in its bytes: their types and places, and hashes of what they hold. It knows no event, but only names
 * and types of fields that it was told (src/formats/prediction/scanner.ts). It is strict, and gives up at whatever is unusual: then
 * JSON.parse decides. AssemblyScript with SIMD; nothing is allocated.
 */

/** Types of a value, as bits of what a field may be. */
const plainText: u32 = 1;
const escapedText: u32 = 2;
const aNumber: u32 = 3;
const anObject: u32 = 4;
const anArray: u32 = 5;
const isTrue: u32 = 6;
const isFalse: u32 = 7;
const isNull: u32 = 8;

const quote: u32 = 0x22;
const backslash: u32 = 0x5c;
const comma: u32 = 0x2c;
const colon: u32 = 0x3a;
const minus: u32 = 0x2d;
const openBrace: u32 = 0x7b;
const closeBrace: u32 = 0x7d;
const openBracket: u32 = 0x5b;
const closeBracket: u32 = 0x5d;

// The plan of the memory, of which AssemblyScript itself uses none.
const fieldsMax: u32 = 16;
const keysMax: u32 = 64;
/** Fields: two words of 8 bytes for a name, its length, types, types of elements, flags. */
const fieldsAt: u32 = 0x1000;
const fieldBytes: u32 = 32;
/** By a part of the hash of a key: its field + 1. */
const slotsAt: u32 = 0x1400;
const slots: u32 = 64;
/** Where ids of elements start and end, which are not hashed. */
const idsAt: u32 = 0x1500;
const idsMax: u32 = 64;
/** What is to be hashed together. */
const listAt: u32 = 0x1800;
/** What was found in one text: first by field, then the hashes over several. */
export const rowsAt: u32 = 0x2000;
export const rowBytes: u32 = 1024;
export const rows: u32 = 64;
const foundBytes: u32 = 48;
const shapeAt: u32 = fieldsMax * foundBytes;
const groupsAt: u32 = shapeAt + 16;
/** Texts; zeros follow, at which every loop ends. */
export const textAt: u32 = 0x12000;
export const textBytes: u32 = 0x100000;

const hashed: u32 = 1;
const firstGroup: u32 = 2;
const secondGroup: u32 = 4;
const withoutIds: u32 = 8;

let fields: u32 = 0;
let deepest: u32 = 0;
let end: u32 = 0;
let isEscaped: bool = false;
let isAscii: bool = true;
let elements: u32 = 0;
let elementTypes: u32 = 0;
/** Whether the ids of elements are noted, and how many were. */
let notesIds: bool = false;
let ids: u32 = 0;

/** Containers in a field may nest so deep; at most 60. */
export function nestAtMost(depth: u32): void {
  deepest = depth;
}

/**
 * Adds a field by the name at `text[at, to)`, of at most 16 bytes. Flags: 1 hashes it, 2 and 4 put it into the first or second group, 8
 * leaves the texts under `id` in the objects of its array out of the hash, the first 64.
 */
export function addField(at: u32, to: u32, types: u32, typesOfElements: u32, flags: u32): void {
  const field = fieldsAt + fields * fieldBytes;
  const length = to - at;
  store<u64>(field, headOf(at, length));
  store<u64>(field, length > 8 ? headOf(at + 8, length - 8) : 0, 8);
  store<u32>(field, length, 16);
  store<u32>(field, types, 20);
  store<u32>(field, typesOfElements, 24);
  store<u32>(field, flags, 28);
  let slot = <u32>(hashOf(at, length) >> 58);
  while (load<u8>(slotsAt + slot)) slot = (slot + 1) & (slots - 1);
  store<u8>(slotsAt + slot, ++fields);
}

/**
 * Scans the object at text[at, to) into a row. 1: it is valid JSON in valid UTF-8, and each field has a type that it may have. 0: it may be
 * anything.
 */
export function scan(at: u32, to: u32, row: u32): u32 {
  end = to;
  isAscii = true;
  ids = 0;
  for (let o: u32 = 0; o < fieldsMax * foundBytes; o += 16) v128.store(row + o, i64x2.splat(0));
  const keys = members(at, row);
  if (keys < 0 || !(isAscii || isUtf8(at))) return 0;
  identity(listAt, (<u32>keys) << 3, row + shapeAt);
  for (let field: u32 = 0; field < fields; field++) if (!accept(field, row + field * foundBytes)) return 0;
  group(row, firstGroup, row + groupsAt);
  group(row, secondGroup, row + groupsAt + 16);
  return 1;
}

/** Whether what was found may be; hashes it. */
function accept(field: u32, found: u32): bool {
  const about = fieldsAt + field * fieldBytes;
  const type = load<u32>(found);
  if (!((load<u32>(about, 20) >> type) & 1)) return false;
  if (type == anArray && (load<u32>(found, 16) & ~load<u32>(about, 24)) != 0) return false;
  const flags = load<u32>(about, 28);
  if (type != 0 && type != isNull && flags & (hashed | firstGroup | secondGroup)) {
    const start = load<u32>(found, 4);
    const to = load<u32>(found, 8);
    if (flags & withoutIds && ids > 0) identityAround(start, to, found + 32);
    else identity(start, to - start, found + 32);
  }
  return true;
}

/** Hashes what lies before, between and behind the ids. */
function identityAround(start: u32, to: u32, into: u32): void {
  let list = listAt;
  for (let id: u32 = 0; id < ids; id++, list += 16) {
    const at = idsAt + (id << 3);
    identity(start, load<u32>(at) - start, list);
    start = load<u32>(at, 4);
  }
  identity(start, to - start, list);
  identity(listAt, list + 16 - listAt, into);
}

/** Hashes the fields of a group together. */
function group(row: u32, flag: u32, to: u32): void {
  let list = listAt;
  for (let field: u32 = 0; field < fields; field++) {
    if (!(load<u32>(fieldsAt + field * fieldBytes, 28) & flag)) continue;
    const found = row + field * foundBytes;
    store<u32>(list, load<u32>(found));
    v128.store(list, v128.load(found, 32), 4);
    list += 20;
  }
  identity(listAt, list - listAt, to);
}

/** Finds the members of the object, and lists the hashes of their keys; gives their number, or -1. */
function members(at: u32, row: u32): i32 {
  let keys: u32 = 0;
  let p = space(at);
  if (load<u8>(p++) != openBrace) return -1;
  p = space(p);
  if (load<u8>(p) == closeBrace) p++;
  else
    while (true) {
      const start = p + 1;
      const value = key(p);
      if (!value || isEscaped || keys == keysMax) return -1;
      const length = keyEnd - start;
      const hash = hashOf(start, length);
      const field = fieldOf(hash, start, length);
      notesIds = field >= 0 && (load<u32>(fieldsAt + <u32>field * fieldBytes, 28) & withoutIds) != 0;
      if (notesIds) ids = 0;
      p = member(value, field < 0 ? 0 : row + <u32>field * foundBytes);
      if (!p) return -1;
      store<u64>(listAt + (keys++ << 3), memberIsNull ? ~hash : hash);
      p = space(p);
      const c = <u32>load<u8>(p++);
      if (c == closeBrace) break;
      if (c != comma || p >= end) return -1;
      p = space(p);
    }
  if (p < end) p = space(p);
  return p == end ? <i32>keys : -1;
}

let memberIsNull: bool = false;

/** The value at p, noted at `found` unless that is 0; gives what follows it, or 0. */
function member(p: u32, found: u32): u32 {
  const c = <u32>load<u8>(p);
  let start = p;
  let to: u32 = 0;
  let next: u32 = 0;
  let type: u32 = 0;
  elements = 0;
  elementTypes = 0;
  if (c == quote) {
    start++;
    to = textEnd(start);
    next = to + 1;
    type = isEscaped ? escapedText : plainText;
  } else {
    type = c == openBrace ? anObject : c == openBracket ? anArray : typeOf(c);
    to = type == anObject || type == anArray ? container(p) : scalar(p, c);
    next = to;
  }
  if (!to) return 0;
  memberIsNull = type == isNull;
  if (found) {
    store<u32>(found, type);
    store<u32>(found, start, 4);
    store<u32>(found, to, 8);
    store<u32>(found, elements, 12);
    store<u32>(found, elementTypes, 16);
  }
  return next;
}

/** The field of a key, or -1. */
function fieldOf(hash: u64, p: u32, length: u32): i32 {
  if (length > 16 || length == 0) return -1;
  let slot = <u32>(hash >> 58);
  while (true) {
    const field = <u32>load<u8>(slotsAt + slot);
    if (!field) return -1;
    const about = fieldsAt + (field - 1) * fieldBytes;
    if (
      load<u32>(about, 16) == length &&
      load<u64>(about) == headOf(p, length) &&
      (length <= 8 || load<u64>(about, 8) == headOf(p + 8, length - 8))
    )
      return <i32>field - 1;
    slot = (slot + 1) & (slots - 1);
  }
}

/** The first bytes, at most 8, of so many. */
function headOf(p: u32, length: u32): u64 {
  const head = load<u64>(p);
  return length >= 8 ? head : head & (((<u64>1) << (length << 3)) - 1);
}

function hashOf(p: u32, length: u32): u64 {
  let h: u64 = <u64>length * 0x9e3779b97f4a7c15;
  for (; length >= 8; length -= 8, p += 8) {
    h = (h ^ load<u64>(p)) * 0xbf58476d1ce4e5b9;
    h ^= h >> 29;
  }
  if (length > 0) {
    h = (h ^ headOf(p, length)) * 0xbf58476d1ce4e5b9;
    h ^= h >> 29;
  }
  h *= 0x94d049bb133111eb;
  return h ^ (h >> 31);
}

let keyStart: u32 = 0;
let keyEnd: u32 = 0;

/** A key and its colon: gives the place of the value, or 0. */
function key(p: u32): u32 {
  if (load<u8>(p) != quote) return 0;
  keyStart = p + 1;
  keyEnd = textEnd(keyStart);
  if (!keyEnd) return 0;
  p = space(keyEnd + 1);
  return load<u8>(p) == colon ? space(p + 1) : 0;
}

/** The array or object at p: gives what follows it, or 0. */
function container(p: u32): u32 {
  let depth: u32 = 0;
  // The lowest bit: whether the innermost is an object.
  let stack: u64 = 0;
  while (p < end) {
    let c = <u32>load<u8>(p);
    if (depth == 1) {
      elements++;
      elementTypes |=
        1 << (c == quote ? plainText : c == openBrace ? anObject : c == openBracket ? anArray : typeOf(c));
    }
    if (c == openBrace || c == openBracket) {
      if (++depth > deepest) return 0;
      stack = (stack << 1) | (c == openBrace ? 1 : 0);
      p = space(p + 1);
      c = load<u8>(p);
      if (c != (stack & 1 ? closeBrace : closeBracket)) {
        if (stack & 1) p = key(p);
        if (!p) return 0;
        continue;
      }
    } else if (c == quote) {
      const start = p + 1;
      p = textEnd(start);
      if (!p) return 0;
      // The innermost is an object, and it lies in the array.
      if (notesIds && depth == 2 && (stack & 3) == 1) noteId(start, p);
      p = space(p + 1);
    } else {
      p = scalar(p, c);
      if (!p) return 0;
      p = space(p);
    }
    while (true) {
      c = load<u8>(p++);
      if (c == comma) {
        p = space(p);
        if (stack & 1) p = key(p);
        if (!p) return 0;
        break;
      }
      if (c != (stack & 1 ? closeBrace : closeBracket)) return 0;
      stack >>= 1;
      if (--depth == 0) return p;
      p = space(p);
    }
  }
  return 0;
}

/** Notes a text whose key is `id`. */
function noteId(start: u32, to: u32): void {
  if (keyEnd - keyStart != 2 || load<u16>(keyStart) != 0x6469 || ids == idsMax) return;
  store<u32>(idsAt + (ids << 3), start);
  store<u32>(idsAt + (ids << 3), to, 4);
  ids++;
}

function typeOf(c: u32): u32 {
  if (c == 0x74) return isTrue;
  if (c == 0x66) return isFalse;
  return c == 0x6e ? isNull : aNumber;
}

/** The number or word at p: gives what follows it, or 0. */
function scalar(p: u32, c: u32): u32 {
  if (isDigit(c) || c == minus) return numberEnd(p, c);
  const word = load<u32>(p);
  if (word == 0x65757274 || word == 0x6c6c756e) return p + 4;
  return word == 0x736c6166 && load<u8>(p, 4) == 0x65 ? p + 5 : 0;
}

function isDigit(c: u32): bool {
  return c - 0x30 < 10;
}

function digits(p: u32): u32 {
  while (isDigit(load<u8>(p))) p++;
  return p;
}

function numberEnd(p: u32, c: u32): u32 {
  if (c == minus) c = load<u8>(++p);
  if (!isDigit(c)) return 0;
  p = c == 0x30 ? p + 1 : digits(p);
  if (load<u8>(p) == 0x2e) {
    if (!isDigit(load<u8>(++p))) return 0;
    p = digits(p);
  }
  if ((load<u8>(p) | 0x20) == 0x65) {
    c = load<u8>(++p);
    if (c == 0x2b || c == minus) c = load<u8>(++p);
    if (!isDigit(c)) return 0;
    p = digits(p);
  }
  return p;
}

function space(p: u32): u32 {
  let c = <u32>load<u8>(p);
  while (c <= 0x20 && (c == 0x20 || c == 0x0a || c == 0x0d || c == 0x09)) c = load<u8>(++p);
  return p;
}

/** The closing quote of a text that begins at p, or 0. */
function textEnd(p: u32): u32 {
  isEscaped = false;
  while (p < end) {
    const v = v128.load(p);
    const stops = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(v, i8x16.splat(0x22)), i8x16.eq(v, i8x16.splat(0x5c))),
        i8x16.lt_u(v, i8x16.splat(0x20)),
      ),
    );
    const high = i8x16.bitmask(v);
    if (!stops) {
      if (high) isAscii = false;
      p += 16;
      continue;
    }
    const at = ctz(stops);
    if (high & ((1 << at) - 1)) isAscii = false;
    p += at;
    const c = <u32>load<u8>(p);
    if (c == quote) return p < end ? p : 0;
    if (c != backslash) return 0;
    isEscaped = true;
    p = escapeEnd(p + 1);
    if (!p) return 0;
  }
  return 0;
}

function escapeEnd(p: u32): u32 {
  const c = <u32>load<u8>(p);
  if (c == 0x75) return isHex(p + 1) && isHex(p + 2) && isHex(p + 3) && isHex(p + 4) ? p + 5 : 0;
  const isOne =
    c == quote || c == backslash || c == 0x2f || c == 0x62 || c == 0x66 || c == 0x6e || c == 0x72 || c == 0x74;
  return isOne ? p + 1 : 0;
}

function isHex(p: u32): bool {
  const c = <u32>load<u8>(p);
  return isDigit(c) || (c | 0x20) - 0x61 < 6;
}

/** Whether text[p, end) is UTF-8 (RFC 3629, table 3-7 of Unicode). */
function isUtf8(p: u32): bool {
  while (p < end) {
    if (p + 16 <= end && !i8x16.bitmask(v128.load(p))) {
      p += 16;
      continue;
    }
    const c = <u32>load<u8>(p);
    if (c < 0x80) {
      p++;
      continue;
    }
    const length: u32 = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    const second = <u32>load<u8>(p, 1);
    if (c < 0xc2 || c > 0xf4 || p + length > end || !isContinued(second)) return false;
    if ((c == 0xe0 && second < 0xa0) || (c == 0xed && second > 0x9f)) return false;
    if ((c == 0xf0 && second < 0x90) || (c == 0xf4 && second > 0x8f)) return false;
    if (length > 2 && !isContinued(load<u8>(p, 2))) return false;
    if (length > 3 && !isContinued(load<u8>(p, 3))) return false;
    p += length;
  }
  return true;
}

function isContinued(c: u32): bool {
  return (c & 0xc0) == 0x80;
}

/** The identity of bytes (src/state/containers/identity.ts), 16 bytes at `to`. */
function identity(p: u32, length: u32, to: u32): void {
  let h1: u32 = 0;
  let h2: u32 = 0;
  let h3: u32 = 0;
  let h4: u32 = 0;
  for (const whole = p + (length & ~15); p < whole; p += 16) {
    h1 = (rotl(h1 ^ lane1(load<u32>(p)), 19) + h2) * 5 + 0x561ccd1b;
    h2 = (rotl(h2 ^ lane2(load<u32>(p, 4)), 17) + h3) * 5 + 0x0bcaa747;
    h3 = (rotl(h3 ^ lane3(load<u32>(p, 8)), 15) + h4) * 5 + 0x96cd1c35;
    h4 = (rotl(h4 ^ lane4(load<u32>(p, 12)), 13) + h1) * 5 + 0x32ac3b17;
  }
  const rest = length & 15;
  if (rest) {
    const low = headOf(p, rest);
    const high: u64 = rest > 8 ? headOf(p + 8, rest - 8) : 0;
    h1 ^= lane1(<u32>low);
    h2 ^= lane2(<u32>(low >> 32));
    h3 ^= lane3(<u32>high);
    h4 ^= lane4(<u32>(high >> 32));
  }
  h1 ^= length;
  h2 ^= length;
  h3 ^= length;
  h4 ^= length;
  h1 += h2 + h3 + h4;
  h2 += h1;
  h3 += h1;
  h4 += h1;
  h1 = mix(h1);
  h2 = mix(h2);
  h3 = mix(h3);
  h4 = mix(h4);
  h1 += h2 + h3 + h4;
  store<u32>(to, h1);
  store<u32>(to, h2 + h1, 4);
  store<u32>(to, h3 + h1, 8);
  store<u32>(to, h4 + h1, 12);
}

const c1: u32 = 0x239b961b;
const c2: u32 = 0xab0e9789;
const c3: u32 = 0x38b34ae5;
const c4: u32 = 0xa1e38b93;

function lane1(word: u32): u32 {
  return rotl(word * c1, 15) * c2;
}

function lane2(word: u32): u32 {
  return rotl(word * c2, 16) * c3;
}

function lane3(word: u32): u32 {
  return rotl(word * c3, 17) * c4;
}

function lane4(word: u32): u32 {
  return rotl(word * c4, 18) * c1;
}

function mix(h: u32): u32 {
  h = (h ^ (h >> 16)) * 0x85ebca6b;
  h = (h ^ (h >> 13)) * 0xc2b2ae35;
  return h ^ (h >> 16);
}
