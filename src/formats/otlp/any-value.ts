import type { TextOf } from '../bytes/short-texts.ts';
import {
  atEnd,
  bytesIn,
  endOf,
  integerIn,
  nestedMost,
  pass,
  type Source,
  tagOf,
  tagIn,
  textIn,
  wireTypes,
} from './wire.ts';

/** The JSON value that the `AnyValue` from here to `end` stands for; undefined for an empty one. Of several the last counts. */
export function anyValueIn(source: Source, end: number, texts: TextOf, depth = 1): unknown {
  if (depth > nestedMost) throw new Error(`values nest deeper than ${nestedMost}`);
  let value: unknown;
  while (source.wire.pos < end) {
    const tag = tagIn(source);
    if (tag === tags.text) value = textIn(source, end, texts);
    else if (tag === tags.boolean) value = source.wire.bool();
    else if (tag === tags.integer) value = integerIn(source);
    else if (tag === tags.double) value = source.wire.double();
    else if (tag === tags.list) value = listIn(source, endOf(source, end), texts, depth + 1);
    else if (tag === tags.pairs) value = objectIn(source, endOf(source, end), texts, depth + 1);
    else if (tag === tags.bytes) value = bytesIn(source, end, 'base64');
    else pass(source, tag, end);
  }
  atEnd(source, end);
  return value;
}

const message = (field: number): number => tagOf(field, wireTypes.lengthDelimited);
const tags = {
  text: message(1),
  boolean: tagOf(2, wireTypes.varint),
  integer: tagOf(3, wireTypes.varint),
  double: tagOf(4, wireTypes.bits64),
  list: message(5),
  pairs: message(6),
  bytes: message(7),
};
const inList = { values: message(1) };
const inPair = { key: message(1), value: message(2) };

function listIn(source: Source, end: number, texts: TextOf, depth: number): unknown {
  const values: unknown[] = [];
  while (source.wire.pos < end) {
    const tag = tagIn(source);
    if (tag === inList.values) values.push(anyValueIn(source, endOf(source, end), texts, depth) ?? null);
    else pass(source, tag, end);
  }
  atEnd(source, end);
  return values;
}

function objectIn(source: Source, end: number, texts: TextOf, depth: number): unknown {
  const entries: (readonly [string, unknown])[] = [];
  while (source.wire.pos < end) {
    const tag = tagIn(source);
    if (tag === inList.values) entries.push(entryIn(source, endOf(source, end), texts, depth));
    else pass(source, tag, end);
  }
  atEnd(source, end);
  return Object.fromEntries(entries);
}

function entryIn(source: Source, end: number, texts: TextOf, depth: number): readonly [string, unknown] {
  let key = '';
  let value: unknown = null;
  while (source.wire.pos < end) {
    const tag = tagIn(source);
    if (tag === inPair.key) key = textIn(source, end, texts);
    else if (tag === inPair.value) value = anyValueIn(source, endOf(source, end), texts, depth) ?? null;
    else pass(source, tag, end);
  }
  atEnd(source, end);
  return [key, value];
}
