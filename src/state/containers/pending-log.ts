/** Texts under increasing numbers, added and taken out: what pending predictions are held in. */
export interface Blobs {
  readonly texts: Map<number, string>;
  /** Number of the next one added. */
  next: number;
  /** Added since the last cut. */
  added: Set<number>;
  /** Taken out since the last cut, of those that an earlier cut holds. */
  removed: number[];
}

/** No texts. */
export function createBlobs(): Blobs {
  return { texts: new Map(), next: 0, added: new Set(), removed: [] };
}

/** Adds a text; returns its number. */
export function addBlob(blobs: Blobs, text: string): number {
  const number = blobs.next++;
  blobs.texts.set(number, text);
  blobs.added.add(number);
  return number;
}

/** Takes a text out; its number is not given again. */
export function removeBlob(blobs: Blobs, number: number): void {
  blobs.texts.delete(number);
  if (!blobs.added.delete(number)) blobs.removed.push(number);
}
