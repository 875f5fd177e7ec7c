import { Buffer } from 'node:buffer';
import { asBuffer } from '../bytes/utf8.ts';

/** Signals of OTLP that are read. */
export type Signal = 'traces' | 'logs';

/** The two encodings of OTLP/HTTP. */
export type Encoding = 'protobuf' | 'json';

/** One span, or one log record, of a request: its bytes and what surrounds it, as they came. */
export interface Item {
  /** Lower-case hexadecimal; empty where there is none. */
  readonly traceId: string;
  readonly bytes: Uint8Array;
  readonly scope: Scope;
}

/** A scope of a request, within its resource. `head`: its fields other than its items, in the encoding of the request. */
export interface Scope {
  readonly head: Uint8Array;
  readonly resource: { readonly head: Uint8Array };
}

/** The items of a request, in order, or why there are none. `isTooLarge`: it holds more of something than a request may. */
export type Items = { readonly items: readonly Item[] } | { readonly problem: string; readonly isTooLarge?: true };

/** Items of a request at most: a request of empty ones would otherwise take a hundred times its bytes. */
export const itemsMax = 100_000;

/** The problem of a request with more items than `itemsMax`. */
export const tooManyItems: Items = {
  problem: `holds more than ${itemsMax} spans or log records; send fewer in a request`,
  isTooLarge: true,
};

/** Bytes of a request that holds one item, rounded up. */
export function sizeOf({ bytes, scope }: Item): number {
  return bytes.length + scope.head.length + scope.resource.head.length + frameBytes;
}

/** Lengths, keys and brackets around an item, its scope and its resource. */
const frameBytes = 96;

/**
 * Groups of items, in order, each of which fits into a request of at most `bytesMax` bytes and `itemsMost` items; an item that does not is a
 * group of its own.
 */
export function packed(items: readonly Item[], bytesMax: number, itemsMost: number): readonly (readonly Item[])[] {
  const groups: Item[][] = [];
  let size = 0;
  for (const item of items) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const more = last?.scope === item.scope ? item.bytes.length + frameBytes : sizeOf(item);
    if (group !== undefined && group.length < itemsMost && size + more <= bytesMax) {
      group.push(item);
      size += more;
    } else {
      groups.push([item]);
      size = sizeOf(item);
    }
  }
  return groups;
}

/** A request in an encoding that holds these items and no others: resources and scopes are those of the items. */
export function requestOf(items: readonly Item[], encoding: Encoding, signal: Signal): Uint8Array {
  const write = encoding === 'protobuf' ? protobufMessage : jsonObjects(signal);
  const resources = runsOf(items, ({ scope }) => scope.resource).map(([resource, ofResource]) => {
    const scopes = runsOf(ofResource, ({ scope }) => scope).map(([scope, ofScope]) =>
      write(
        'items',
        scope.head,
        ofScope.map(({ bytes }) => bytes),
      ),
    );
    return write('scopes', resource.head, scopes);
  });
  return write('resources', new Uint8Array(0), resources);
}

type Level = 'resources' | 'scopes' | 'items';

/** A message with the fields of a head, and others in it. */
type Write = (level: Level, head: Uint8Array, held: readonly Uint8Array[]) => Uint8Array;

/** Numbers of the fields that hold the messages below (trace.proto and logs.proto of opentelemetry-proto). */
const numbers: Readonly<Record<Level, number>> = { resources: 1, scopes: 2, items: 2 };

const protobufMessage: Write = (level, head, held) => {
  const tag = (numbers[level] << 3) | 2;
  return Buffer.concat([head, ...held.flatMap((bytes) => [Uint8Array.of(tag, ...varint(bytes.length)), bytes])]);
};

function varint(value: number): number[] {
  const bytes = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return [...bytes, left];
    bytes.push((left & 0x7f) | 0x80);
  }
}

/** Keys of OTLP/JSON that hold the messages below. */
export const jsonKeys: Readonly<Record<Signal, Readonly<Record<Level, string>>>> = {
  traces: { resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans' },
  logs: { resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords' },
};

function jsonObjects(signal: Signal): Write {
  return (level, head, held) => {
    const list = held.map((bytes) => asBuffer(bytes).toString()).join();
    const before = head.length === 0 ? '' : `${asBuffer(head).toString()},`;
    return Buffer.from(`{${before}"${jsonKeys[signal][level]}":[${list}]}`);
  };
}

/** Runs of neighbours with the same key. */
function runsOf<Key>(items: readonly Item[], keyOf: (item: Item) => Key): (readonly [Key, Item[]])[] {
  const runs: (readonly [Key, Item[]])[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] === keyOf(item)) last[1].push(item);
    else runs.push([keyOf(item), [item]]);
  }
  return runs;
}
