/**
 * Finds the fields of a JSON object, and of objects in it, in their bytes: their types and places, and hashes of what they hold. It knows no
 * event, but only names and types of fields that it was told (src/formats/prediction/scanner.ts). It is strict, and gives up at whatever is
 * unusual: then JSON.parse decides. AssemblyScript with SIMD; nothing is allocated.
 */

/** Types of a value, as bits of what a field may be. */
export const plainText: u32 = 1;
export const escapedText: u32 = 2;
export const aNumber: u32 = 3;
const anObject: u32 = 4;
const anArray: u32 = 5;
export const isTrue: u32 = 6;
export const isFalse: u32 = 7;
const isNull: u32 = 8;

export const quote: u32 = 0x22;
export const backslash: u32 = 0x5c;
export const comma: u32 = 0x2c;
const colon: u32 = 0x3a;
export const minus: u32 = 0x2d;
export const openBrace: u32 = 0x7b;
export const closeBrace: u32 = 0x7d;
export const openBracket: u32 = 0x5b;
export const closeBracket: u32 = 0x5d;

// The plan of the memory, of which AssemblyScript itself uses none.
export const fieldsMax: u32 = 96;
const keysMax: u32 = 64;
/** Outermost keys of the object before, by their order: a mask of their bytes with quotes, colon and space, 16 at most; the bytes; hash, field, length. */
const likelyAt: u32 = 0x0200;
const likelyBytes: u32 = 48;
/** Fields: four words of 8 bytes for a name, its length, types, types of elements, flags, the field that it lies in + 1, its rules. */
export const fieldsAt: u32 = 0x1000;
export const fieldBytes: u32 = 64;
export const nameBytesMax: u32 = 32;
/** By a part of the hash of a key: its field + 1. */
const slotsAt: u32 = 0x2800;
const slots: u32 = 256;
/** Rules: two words of 8 bytes for a key, its length, the containers, whether the text is hashed apart. */
const rulesAt: u32 = 0x2900;
const ruleBytes: u32 = 32;
/** Where the texts of a field start and end that rules are for. */
const cutsAt: u32 = 0x3000;
const cutBytes: u32 = 12;
const cutsMax: u32 = 64;
/** What is to be hashed together: pieces of a value, its texts that are hashed apart, fields of a group; and keys. */
export const listAt: u32 = 0x3400;
const apartAt: u32 = 0x3c00;
const keysAt: u32 = 0x4000;
/** What was found in one text: first by field, then the hashes over several. The caller says how far rows lie apart. */
export const rowsAt: u32 = 0x4400;
export const rowBytesMax: u32 = 0x1840;
export const rows: u32 = 64;
export const foundBytes: u32 = 64;
export const hashAt: u32 = 32;
const apartHashAt: u32 = 48;
/** Texts; zeros follow, at which every loop ends. */
export const textAt: u32 = 0x65800;
export const textBytes: u32 = 0x100000;
/** A bit for each byte of the memory before it: whether a text goes on unusually there, or ends. Those between `begin` and `end` are right. */
const stopsAt: u32 = 0x166000;

const hashed: u32 = 1;
export const firstGroup: u32 = 2;
export const secondGroup: u32 = 4;
const isOpen: u32 = 8;
const isTyped: u32 = 16;
export const isJsonText: u32 = 32;

export let fields: u32 = 0;
let deepest: u32 = 0;
export let end: u32 = 0;
export let isEscaped: bool = false;
export let isAscii: bool = true;
let elements: u32 = 0;
let elementTypes: u32 = 0;
/** The rules of the field that is being scanned, and how many texts they were for. */
let rules: u32 = 0;
let rulesFrom: u32 = 0;
let rulesTo: u32 = 0;
let cuts: u32 = 0;
/** How many objects that fields lie in are open. */
export let level: u32 = 0;
let row: u32 = 0;

/** Containers may nest so deep; at most 60. */
export function nestAtMost(depth: u32): void {
  deepest = depth;
}

/**
 * Adds a field by the name at `text[at, to)`, of at most 32 bytes, in the object that is the value of the field `within - 1`. Flags: 1 hashes it, 2
 * and 4 put it into the first or second group, 8: its own members are looked at, 16: its type belongs to the first group, 32: as an attribute of a
 * span it is JSON in a text. Gives its number.
 */
export function addField(at: u32, to: u32, within: u32, types: u32, typesOfElements: u32, flags: u32): u32 {
  const field = fieldsAt + fields * fieldBytes;
  const length = to - at;
  for (let o: u32 = 0; o < nameBytesMax; o += 8) store<u64>(field + o, o < length ? headOf(at + o, length - o) : 0);
  store<u32>(field, length, 32);
  store<u32>(field, types, 36);
  store<u32>(field, typesOfElements, 40);
  store<u32>(field, flags, 44);
  store<u32>(field, within, 48);
  store<u32>(field, rules, 52);
  store<u32>(field, rules, 56);
  let slot = slotOf(hashOf(at, length), within);
  while (load<u8>(slotsAt + slot)) slot = (slot + 1) & (slots - 1);
  store<u8>(slotsAt + slot, <u8>++fields);
  return fields - 1;
}

/**
 * Adds a rule to the last field: of the texts under the key at `text[at, to)`, of at most 16 bytes, in objects that lie in the field as `containers`
 * say (a one, then for each container from the outermost on whether it is an object), the first 64 are left out of its hash; of a field that is
 * in both groups, they belong to the second, if they are to be hashed `apart`.
 */
export function addRule(at: u32, to: u32, containers: u32, apart: u32): void {
  const rule = rulesAt + rules * ruleBytes;
  const length = to - at;
  store<u64>(rule, headOf(at, length));
  store<u64>(rule, length > 8 ? headOf(at + 8, length - 8) : 0, 8);
  store<u32>(rule, length, 16);
  store<u32>(rule, containers, 20);
  store<u32>(rule, apart, 24);
  store<u32>(fieldsAt + (fields - 1) * fieldBytes, ++rules, 56);
}

/**
 * Scans the object at text[at, to) into the row at `into`, whose places are counted from `origin`. 1: it is valid JSON in valid UTF-8, and each field has
 * a type that it may have. 0: it may be anything.
 */
export function scan(at: u32, to: u32, into: u32, origin: u32): u32 {
  begin(at, to);
  keys = 0;
  const shape = clear(into);
  let p = members(space(at), 0);
  if (!p) return 0;
  if (p < end) p = space(p);
  if (p != end || !(isAscii || isUtf8(at, end))) return 0;
  identity(keysAt, keys << 3, shape);
  for (let field: u32 = 0; field < fields; field++) {
    const found = row + field * foundBytes;
    if (!accept(field, found)) return 0;
    store<u32>(found, load<u32>(found, 4) - origin, 4);
    store<u32>(found, load<u32>(found, 8) - origin, 8);
  }
  group(firstGroup, shape + 16);
  group(secondGroup, shape + 32);
  return 1;
}

/** Begins with text[at, to). */
export function begin(at: u32, to: u32): void {
  resume(to, 0, markStops(at, to));
}

/** Begins a row in which nothing was found; gives where its hashes are. */
export function clear(into: u32): u32 {
  const shape = into + fields * foundBytes;
  row = into;
  for (let o = row; o < shape; o += 16) v128.store(o, i64x2.splat(0));
  return shape;
}

/** Goes on with a text that was left for another one. */
export function resume(to: u32, depth: u32, wasAscii: bool): void {
  end = to;
  level = depth;
  isAscii = wasAscii;
}

/** One container more is open, or one less. */
export function nest(by: i32): void {
  level += by;
}

/** Passes over the value at p; gives what follows it, or 0. */
export function valueEnd(p: u32): u32 {
  const c = <u32>load<u8>(p);
  rulesFrom = rulesTo;
  if (c == openBrace || c == openBracket) return container(p);
  if (c != quote) return scalar(p, c);
  p = textEnd(p + 1);
  return p ? p + 1 : 0;
}

/** Notes a value of a field, without looking at it. */
export function put(field: u32, type: u32, start: u32, to: u32, number: u32): void {
  const about = fieldsAt + field * fieldBytes;
  const found = row + field * foundBytes;
  store<u32>(found, type);
  store<u32>(found, start, 4);
  store<u32>(found, to, 8);
  store<u32>(found, number, 12);
  cuts = 0;
  hashValue(about, found);
}

/** Whether what was found may be. */
function accept(field: u32, found: u32): bool {
  const about = fieldsAt + field * fieldBytes;
  const type = load<u32>(found);
  if (!((load<u32>(about, 36) >> type) & 1)) return false;
  return type != anArray || (load<u32>(found, 16) & ~load<u32>(about, 40)) == 0;
}

/** Hashes a value. A text of a field that is in both groups belongs to the second; of all else, the texts that rules are for. */
function hashValue(about: u32, found: u32): void {
  const flags = load<u32>(about, 44);
  const type = load<u32>(found);
  v128.store(found, i64x2.splat(0), hashAt);
  v128.store(found, i64x2.splat(0), apartHashAt);
  if (type == isNull || !(flags & (hashed | firstGroup | secondGroup))) return;
  const start = load<u32>(found, 4);
  const to = load<u32>(found, 8);
  const isInBoth = (flags & firstGroup) != 0 && (flags & secondGroup) != 0;
  if (isInBoth && (type == plainText || type == escapedText)) identity(start, to - start, found + apartHashAt);
  else if (cuts > 0) identityAround(start, to, found);
  else identity(start, to - start, found + hashAt);
}

/** Hashes what lies before, between and behind the cuts; and of those that are hashed apart, the texts. */
function identityAround(start: u32, to: u32, found: u32): void {
  let list = listAt;
  let apart = apartAt;
  for (let at = cutsAt; at < cutsAt + cuts * cutBytes; at += cutBytes, list += 16) {
    const from = load<u32>(at);
    const next = load<u32>(at, 4);
    identity(start, from - start, list);
    if (load<u32>(at, 8)) {
      identity(from, next - from, apart);
      apart += 16;
    }
    start = next;
  }
  identity(start, to - start, list);
  identity(listAt, list + 16 - listAt, found + hashAt);
  if (apart > apartAt) identity(apartAt, apart - apartAt, found + apartHashAt);
}

/** Hashes the fields of a group together. */
function group(flag: u32, to: u32): void {
  const list = listed(flag, listAt);
  identity(listAt, list - listAt, to);
}

/** Lists the fields of a group; gives where the list ends. */
export function listed(flag: u32, list: u32): u32 {
  for (let field: u32 = 0; field < fields; field++) {
    const flags = load<u32>(fieldsAt + field * fieldBytes, 44);
    const found = row + field * foundBytes;
    if (flags & flag) {
      const isApart = flag == secondGroup && (flags & firstGroup) != 0;
      store<u32>(list, load<u32>(found));
      v128.store(list, v128.load(isApart ? found + apartHashAt : found + hashAt), 4);
      list += 20;
    } else if (flag == firstGroup && flags & isTyped) {
      store<u32>(list, load<u32>(found));
      list += 4;
    }
  }
  return list;
}

/** How many outermost keys there were. */
let keys: u32 = 0;

/** Finds the members of the object at p in the field `within - 1`, and lists the hashes of the outermost keys; gives what follows it, or 0. */
function members(p: u32, within: u32): u32 {
  if (load<u8>(p++) != openBrace || ++level > deepest + 1) return 0;
  p = space(p);
  if (load<u8>(p) == closeBrace) p++;
  else
    while (true) {
      if (!within && keys == keysMax) return 0;
      p = within ? memberKey(p, within) : outermostKey(p);
      if (!p) return 0;
      const hash = keyHash;
      p = member(p, keyField);
      if (!p) return 0;
      if (!within) store<u64>(keysAt + (keys++ << 3), memberIsNull ? ~hash : hash);
      p = space(p);
      const c = <u32>load<u8>(p++);
      if (c == closeBrace) break;
      if (c != comma || p >= end) return 0;
      p = space(p);
    }
  level--;
  return p;
}

let keyHash: u64 = 0;
let keyField: i32 = 0;

/** A key in the object of the field `within - 1`, its hash and its field; gives the place of the value, or 0. */
function memberKey(p: u32, within: u32): u32 {
  const value = key(p);
  if (!value || isEscaped) return 0;
  const length = keyEnd - keyStart;
  keyHash = hashOf(keyStart, length);
  keyField = fieldOf(keyHash, keyStart, length, within);
  return value;
}

/** The same of an outermost key. Most objects have the keys of the one before, in the same order: bytes are compared before anything is hashed. */
function outermostKey(p: u32): u32 {
  const likely = likelyAt + keys * likelyBytes;
  const bytes = v128.load(p);
  const length = load<u32>(likely, 44);
  if (length && !v128.any_true(v128.and(v128.xor(bytes, v128.load(likely, 16)), v128.load(likely)))) {
    keyHash = load<u64>(likely, 32);
    keyField = load<i32>(likely, 40);
    return p + length;
  }
  const value = memberKey(p, 0);
  if (!value || value - p > 16) return value;
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  v128.store(likely, i8x16.lt_u(places, i8x16.splat(<i8>(value - p))));
  v128.store(likely, bytes, 16);
  store<u64>(likely, keyHash, 32);
  store<i32>(likely, keyField, 40);
  store<u32>(likely, value - p, 44);
  return value;
}

let memberIsNull: bool = false;

/** The value at p, which is that of a field unless that is below 0; gives what follows it, or 0. */
export function member(p: u32, field: i32): u32 {
  const about = field < 0 ? 0 : fieldsAt + <u32>field * fieldBytes;
  const found = field < 0 ? 0 : row + <u32>field * foundBytes;
  const c = <u32>load<u8>(p);
  let start = p;
  let to: u32 = 0;
  let next: u32 = 0;
  let type: u32 = 0;
  elements = 0;
  elementTypes = 0;
  cuts = 0;
  rulesFrom = field < 0 ? 0 : load<u32>(about, 52);
  rulesTo = field < 0 ? 0 : load<u32>(about, 56);
  if (c == quote) {
    start++;
    to = textEnd(start);
    next = to + 1;
    type = isEscaped ? escapedText : plainText;
  } else {
    type = c == openBrace ? anObject : c == openBracket ? anArray : typeOf(c);
    if (type == anObject && field >= 0 && load<u32>(about, 44) & isOpen) {
      // Of two with the same key the last counts, and what was found in the first would stay.
      if (load<u32>(found) != 0) return 0;
      to = members(p, <u32>field + 1);
    } else to = type == anObject || type == anArray ? container(p) : scalar(p, c);
    next = to;
  }
  if (!to) return 0;
  memberIsNull = type == isNull;
  if (field >= 0) {
    // Nor may what is no object follow an object whose members were found.
    if (load<u32>(about, 44) & isOpen && load<u32>(found) != 0) return 0;
    store<u32>(found, type);
    store<u32>(found, start, 4);
    store<u32>(found, to, 8);
    store<u32>(found, elements, 12);
    store<u32>(found, elementTypes, 16);
    hashValue(about, found);
  }
  return next;
}

/** The field of a key in the object of the field `within - 1`; or -1. */
export function fieldOf(hash: u64, p: u32, length: u32, within: u32): i32 {
  if (length > nameBytesMax || length == 0) return -1;
  let slot = slotOf(hash, within);
  while (true) {
    const field = <u32>load<u8>(slotsAt + slot);
    if (!field) return -1;
    const about = fieldsAt + (field - 1) * fieldBytes;
    if (load<u32>(about, 32) == length && load<u32>(about, 48) == within && isNamed(about, p, length))
      return <i32>field - 1;
    slot = (slot + 1) & (slots - 1);
  }
}

export function isNamed(name: u32, p: u32, length: u32): bool {
  while (length > 8) {
    if (load<u64>(name) != load<u64>(p)) return false;
    name += 8;
    p += 8;
    length -= 8;
  }
  return load<u64>(name) == headOf(p, length);
}

function slotOf(hash: u64, within: u32): u32 {
  return (<u32>(hash >> 56) + within * 37) & (slots - 1);
}

/** The first bytes, at most 8, of so many. */
export function headOf(p: u32, length: u32): u64 {
  const head = load<u64>(p);
  return length >= 8 ? head : head & (((<u64>1) << (length << 3)) - 1);
}

export function hashOf(p: u32, length: u32): u64 {
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

export let keyStart: u32 = 0;
export let keyEnd: u32 = 0;

/** A key and its colon: gives the place of the value, or 0. */
export function key(p: u32): u32 {
  if (load<u8>(p) != quote) return 0;
  keyStart = p + 1;
  keyEnd = textEnd(keyStart);
  if (!keyEnd) return 0;
  p = space(keyEnd + 1);
  return load<u8>(p) == colon ? space(p + 1) : 0;
}

/** The array or object at p: gives what follows it, or 0. */
export function container(p: u32): u32 {
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
      if (++depth + level > deepest + 1) return 0;
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
      if (rulesFrom < rulesTo && stack & 1) cut(start, p, stack | ((<u64>1) << depth));
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

/** Notes a text that a rule is for, by its key and by the containers that it lies in. */
function cut(start: u32, to: u32, containers: u64): void {
  const length = keyEnd - keyStart;
  for (let rule = rulesAt + rulesFrom * ruleBytes; rule < rulesAt + rulesTo * ruleBytes; rule += ruleBytes) {
    if (<u64>load<u32>(rule, 20) != containers || load<u32>(rule, 16) != length || !isNamed(rule, keyStart, length))
      continue;
    if (cuts == cutsMax) return;
    const at = cutsAt + cuts++ * cutBytes;
    store<u32>(at, start);
    store<u32>(at, to, 4);
    store<u32>(at, load<u32>(rule, 24), 8);
    return;
  }
}

function typeOf(c: u32): u32 {
  if (c == 0x74) return isTrue;
  if (c == 0x66) return isFalse;
  return c == 0x6e ? isNull : aNumber;
}

/** The number or word at p: gives what follows it, or 0. */
export function scalar(p: u32, c: u32): u32 {
  if (isDigit(c) || c == minus) return numberEnd(p, c);
  const word = load<u32>(p);
  if (word == 0x65757274 || word == 0x6c6c756e) return p + 4;
  return word == 0x736c6166 && load<u8>(p, 4) == 0x65 ? p + 5 : 0;
}

export function isDigit(c: u32): bool {
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

export function space(p: u32): u32 {
  return load<u8>(p) > 0x20 ? p : spaceEnd(p);
}

function spaceEnd(p: u32): u32 {
  let c = <u32>load<u8>(p);
  while (c <= 0x20 && (c == 0x20 || c == 0x0a || c == 0x0d || c == 0x09)) c = load<u8>(++p);
  return p;
}

/**
 * Marks the stops of text[at, to), by blocks of 64 bytes; of the block behind the last, every byte. Says whether all bytes of the blocks are ASCII.
 */
function markStops(at: u32, to: u32): bool {
  let all = i64x2.splat(0);
  let o = stopsAt + ((at >> 6) << 3);
  for (let p = at & ~63; p < to; p += 64, o += 8) {
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    const d = v128.load(p, 48);
    all = v128.or(all, v128.or(v128.or(a, b), v128.or(c, d)));
    store<u64>(o, stopsIn(a) | (stopsIn(b) << 16) | (stopsIn(c) << 32) | (stopsIn(d) << 48));
  }
  store<u64>(o, ~0);
  return !i8x16.bitmask(all);
}

/** Quotes, backslashes and control characters of 16 bytes, a bit for each. */
export function stopsIn(v: v128): u64 {
  return <u64>(
    i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(v, i8x16.splat(0x22)), i8x16.eq(v, i8x16.splat(0x5c))),
        i8x16.eq(i8x16.min_u(v, i8x16.splat(0x1f)), v),
      ),
    )
  );
}

/** The first stop at p or behind it. */
function stop(p: u32): u32 {
  let o = stopsAt + ((p >> 6) << 3);
  let stops = load<u64>(o) >> (p & 63);
  if (stops) return p + <u32>ctz(stops);
  do stops = load<u64>((o += 8));
  while (!stops);
  return ((o - stopsAt) << 3) + <u32>ctz(stops);
}

/** The closing quote of a text that begins at p, or 0. */
export function textEnd(p: u32): u32 {
  isEscaped = false;
  p = stop(p);
  if (load<u8>(p) == quote) return p < end ? p : 0;
  return escapedEnd(p);
}

/** The same from the first stop on, which is no quote. */
function escapedEnd(p: u32): u32 {
  isEscaped = true;
  while (p < end && load<u8>(p) == backslash) {
    p = escapeEnd(p + 1);
    if (!p) return 0;
    p = stop(p);
  }
  return p < end && load<u8>(p) == quote ? p : 0;
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

/** Whether text[p, to) is UTF-8 (RFC 3629, table 3-7 of Unicode). */
export function isUtf8(p: u32, to: u32): bool {
  while (p < to) {
    if (p + 16 <= to && !i8x16.bitmask(v128.load(p))) {
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
    if (c < 0xc2 || c > 0xf4 || p + length > to || !isContinued(second)) return false;
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
export function identity(p: u32, length: u32, to: u32): void {
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
