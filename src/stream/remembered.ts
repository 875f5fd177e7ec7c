import { sizeOf } from '../scoring/json.ts';
import type { Prediction } from '../scoring/prediction.ts';
import { unknownCalls } from '../scoring/tool.ts';
import { type DeltaCopies, deltaCopies } from '../state/row-delta.ts';
import type { EventBatch } from './event.ts';
import { lasting, type Result } from './result.ts';

export interface Remembered {
  readonly result: Result;
  /** Calls to a tool that the event itself does not name. */
  readonly unknownCalls: number;
  /** Of this result alone. */
  readonly like: object;
}

/**
 * What scoring came to, by the truth row and the bytes of the event's content: agents answer the same question alike, and so most events
 * repeat one. It belongs to one version of the truth.
 */
export interface RememberedResults {
  /** The result of an event with this truth row; undefined where none is remembered. */
  find(row: number, batch: EventBatch, event: number): Remembered | undefined;
  /** Remembers a result if the like of its event came before, or there is room; gives what will stand for it then and from now on. */
  keep(row: number, batch: EventBatch, event: number, result: Result, prediction: Prediction): object | undefined;
  /** How many were found. */
  readonly found: () => number;
}

/** Bytes that all results take together, about: beyond, all are forgotten. */
export const rememberedBytesMost: number = 128 * 2 ** 20;

/** Up to so many, a result is remembered at first sight, where a place is free: a scoring is the dearest that an event can come to. */
const firstSightBytes: number = rememberedBytesMost / 4;

/**
 * A set has one place for the last content that came once, and some for those that came again, where others wait as long as there is room: what never
 * repeats displaces none of them.
 */
const sets = 1 << 13;
const lastingPlaces = 4;
const setPlaces = 1 + lastingPlaces;
/** Results that there are places for. */
export const rememberedMost: number = sets * lastingPlaces;
/** Words of a place: row + 1 (negative where the output counts), the hash of all but the output, the hash of the output. */
const placeWords = 9;
const groupWords = 4;

interface Memory {
  readonly known: Int32Array;
  readonly results: (Remembered | undefined)[];
  /** By place, and of all. */
  readonly sizes: Int32Array;
  size: number;
  readonly copies: DeltaCopies;
  /** By place. */
  readonly likes: object[];
  /** Found since the set last made room. */
  readonly used: Uint8Array;
}

/** Remembers nothing yet. */
export function rememberedResults(): RememberedResults {
  let memory = emptyMemory();
  let found = 0;
  return {
    found: () => found,
    find(row, { hashed, content }, event) {
      if (hashed[event] === 0) return undefined;
      const at = 2 * groupWords * event;
      const first = firstPlace(row, content[at]!);
      for (let place = first + 1; place < first + setPlaces; place++)
        if (memory.results[place] !== undefined && isAt(memory, place, row, content, at)) {
          memory.used[place] = 1;
          found++;
          return memory.results[place];
        }
      return undefined;
    },
    keep(row, batch, event, result, prediction) {
      const { hashed, content } = batch;
      if (hashed[event] === 0) return undefined;
      const at = 2 * groupWords * event;
      const first = firstPlace(row, content[at]!);
      const tag = batch.outputRead(event) ? -row - 1 : row + 1;
      const before = keptAt(memory, first, tag, row, content, at);
      const cameBefore = before !== undefined;
      const place = before === first ? placeToGive(memory, first) : (before ?? freePlace(memory, first));
      const like = cameBefore ? memory.likes[before]! : {};
      memory.likes[place] = like;
      memory.known[place * placeWords] = tag;
      for (let i = 0; i < 2 * groupWords; i++) memory.known[place * placeWords + 1 + i] = content[at + i]!;
      if (cameBefore || (place !== first && memory.size < firstSightBytes)) {
        const unknown = unknownCalls(prediction);
        memory.results[place] = { result: lasting(result, memory.copies), unknownCalls: unknown, like };
        memory.used[place] = cameBefore ? 1 : 0;
        addSize(memory, place, heldBytes(result, prediction, batch.outputRead(event)));
        if (memory.size > rememberedBytesMost) memory = emptyMemory();
      }
      return like;
    },
  };
}

function emptyMemory(): Memory {
  const places = sets * setPlaces;
  return {
    known: new Int32Array(places * placeWords),
    results: new Array<Remembered | undefined>(places).fill(undefined),
    sizes: new Int32Array(places),
    size: 0,
    copies: deltaCopies(),
    likes: new Array<object>(places),
    used: new Uint8Array(places),
  };
}

/** Takes the size of what a place holds now in place of that of what it held. */
function addSize(memory: Memory, place: number, size: number): void {
  memory.size += size - memory.sizes[place]!;
  memory.sizes[place] = size;
}

/** Measured, with calls of which each argument is wrong: bytes in memory for one of `sizeOf`, and those of an entry. */
const [bytesOfSize, bytesOfEntry] = [4, 200];

/** About what a result holds: the calls that its outcomes are of, the output where one was looked at, its entries in breakdowns and what it blames. */
function heldBytes({ delta, outcomes }: Result, prediction: Prediction, outputRead: boolean): number {
  const size = sizeOf(prediction.calls) + (outputRead ? sizeOf(prediction.output) : 0);
  let bytes = outcomes === undefined ? 0 : bytesOfSize * size;
  for (const { key, subkey } of delta.breakdowns) bytes += bytesOfEntry + key.length + subkey.length;
  for (const { tool, argument } of delta.blames.names) bytes += bytesOfEntry + tool.length + argument.length;
  return bytes;
}

/** Whether a place is of an event. */
function isAt({ known }: Memory, place: number, row: number, content: Uint32Array, at: number): boolean {
  const words = place * placeWords;
  const tag = known[words]!;
  if (tag !== row + 1 && tag !== -row - 1) return false;
  const count = tag < 0 ? 2 * groupWords : groupWords;
  for (let i = 0; i < count; i++) if (known[words + 1 + i] !== (content[at + i]! | 0)) return false;
  return true;
}

/** Where a content is, or waits to come again. */
function keptAt(memory: Memory, first: number, tag: number, row: number, content: Uint32Array, at: number) {
  for (let place = first; place < first + setPlaces; place++)
    if (memory.known[place * placeWords] === tag && isAt(memory, place, row, content, at)) return place;
  return undefined;
}

/** A place that nothing has been in; the first of the set where there is none. */
function freePlace({ known }: Memory, first: number): number {
  for (let place = first + 1; place < first + setPlaces; place++) if (known[place * placeWords] === 0) return place;
  return first;
}

/** The lasting place to be given up: one that was not found since the last such, or the first. */
function placeToGive({ used }: Memory, first: number): number {
  for (let place = first + 1; place < first + setPlaces; place++) {
    if (used[place] === 0) return place;
    used[place] = 0;
  }
  return first + 1;
}

function firstPlace(row: number, hash: number): number {
  return setPlaces * ((hash ^ Math.imul(row, 0x9e3779b1)) & (sets - 1));
}
