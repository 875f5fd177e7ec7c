import type { EventBatch } from './event.ts';
import { lasting, type Result } from './result.ts';

export interface Remembered {
  readonly result: Result;
  /** Calls to a tool that the event itself does not name. */
  readonly unknownCalls: number;
}

/**
 * What scoring came to, by the truth row and the bytes of the event's content: agents answer the same question alike, and so most events
 * repeat one. Each place of a fixed number keeps the last that belongs there, from its second time on. It belongs to one version of the truth.
 */
export interface RememberedResults {
  /** The result of an event with this truth row; undefined where none is remembered. */
  find(row: number, batch: EventBatch, event: number): Remembered | undefined;
  /** Remembers a result if the like of its event came before. */
  keep(row: number, batch: EventBatch, event: number, result: Result, unknownCalls: number): void;
  /** How many were found. */
  readonly found: () => number;
}

const places = 1 << 15;
/** Words of a place: row + 1 (negative where the output counts), the hash of all but the output, the hash of the output. */
const placeWords = 9;
const groupWords = 4;

/** Remembers nothing yet. */
export function rememberedResults(): RememberedResults {
  const known = new Int32Array(places * placeWords);
  const results = new Array<Remembered | undefined>(places).fill(undefined);
  let found = 0;

  /** Whether a place is of an event. */
  function isAt(place: number, row: number, content: Uint32Array, at: number, outputCounts: boolean): boolean {
    const words = place * placeWords;
    if (known[words] !== (outputCounts ? -row - 1 : row + 1)) return false;
    const count = outputCounts ? 2 * groupWords : groupWords;
    for (let i = 0; i < count; i++) if (known[words + 1 + i] !== (content[at + i]! | 0)) return false;
    return true;
  }

  function resultAt(row: number, content: Uint32Array, at: number, outputCounts: boolean): Remembered | undefined {
    const place = placeOf(row, content, at, outputCounts);
    const result = results[place];
    return result !== undefined && isAt(place, row, content, at, outputCounts) ? result : undefined;
  }

  return {
    found: () => found,
    find(row, { hashed, content }, event) {
      if (hashed[event] === 0) return undefined;
      const at = 2 * groupWords * event;
      const result = resultAt(row, content, at, false) ?? resultAt(row, content, at, true);
      if (result !== undefined) found++;
      return result;
    },
    keep(row, batch, event, result, unknownCalls) {
      const { hashed, content } = batch;
      if (hashed[event] === 0) return;
      const at = 2 * groupWords * event;
      const outputCounts = batch.outputRead(event);
      const place = placeOf(row, content, at, outputCounts);
      if (isAt(place, row, content, at, outputCounts)) {
        results[place] = { result: lasting(result), unknownCalls };
        return;
      }
      results[place] = undefined;
      const words = place * placeWords;
      known[words] = outputCounts ? -row - 1 : row + 1;
      for (let i = 0; i < 2 * groupWords; i++) known[words + 1 + i] = content[at + i]!;
    },
  };
}

function placeOf(row: number, content: Uint32Array, at: number, outputCounts: boolean): number {
  const hash = content[at]! ^ Math.imul(row, 0x9e3779b1);
  return (outputCounts ? hash ^ content[at + groupWords]! : hash) & (places - 1);
}
