import { deltaCopies } from '../state/row-delta.ts';
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
  /** Remembers a result if the like of its event came before; gives what will stand for it then and from now on. */
  keep(row: number, batch: EventBatch, event: number, result: Result, unknownCalls: number): object | undefined;
  /** How many were found. */
  readonly found: () => number;
}

/** A set has one place for the last content that came once, and some for those that came again: what never repeats displaces none of them. */
const sets = 1 << 13;
const lastingPlaces = 4;
const setPlaces = 1 + lastingPlaces;
/** Words of a place: row + 1 (negative where the output counts), the hash of all but the output, the hash of the output. */
const placeWords = 9;
const groupWords = 4;

interface Memory {
  readonly known: Int32Array;
  readonly results: (Remembered | undefined)[];
  /** Of the last content of each set that came once. */
  readonly likes: object[];
  /** Found since the set last made room. */
  readonly used: Uint8Array;
}

/** Remembers nothing yet. */
export function rememberedResults(): RememberedResults {
  const places = sets * setPlaces;
  const memory: Memory = {
    known: new Int32Array(places * placeWords),
    results: new Array<Remembered | undefined>(places).fill(undefined),
    likes: new Array<object>(sets),
    used: new Uint8Array(places),
  };
  const copies = deltaCopies();
  let found = 0;
  return {
    found: () => found,
    find(row, { hashed, content }, event) {
      if (hashed[event] === 0) return undefined;
      const at = 2 * groupWords * event;
      const first = firstPlace(row, content[at]!);
      for (let place = first + 1; place < first + setPlaces; place++)
        if (isAt(memory, place, row, content, at)) {
          memory.used[place] = 1;
          found++;
          return memory.results[place];
        }
      return undefined;
    },
    keep(row, batch, event, result, unknownCalls) {
      const { hashed, content } = batch;
      if (hashed[event] === 0) return undefined;
      const at = 2 * groupWords * event;
      const first = firstPlace(row, content[at]!);
      const tag = batch.outputRead(event) ? -row - 1 : row + 1;
      const cameBefore = memory.known[first * placeWords] === tag && isAt(memory, first, row, content, at);
      const place = cameBefore ? placeToGive(memory, first) : first;
      const like = cameBefore ? memory.likes[first / setPlaces]! : {};
      memory.likes[first / setPlaces] = like;
      if (cameBefore) {
        memory.results[place] = { result: lasting(result, copies), unknownCalls, like };
        memory.used[place] = 1;
      }
      memory.known[place * placeWords] = tag;
      for (let i = 0; i < 2 * groupWords; i++) memory.known[place * placeWords + 1 + i] = content[at + i]!;
      return like;
    },
  };
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
