/** Texts under increasing numbers, added and removed: what pending predictions are held in. */
export interface PendingLog {
  readonly texts: Map<number, string>;
  /** Number of the next one added. */
  next: number;
  /** Added since the last checkpoint. */
  added: Set<number>;
  /** Removed since the last checkpoint, which holds them. */
  removed: number[];
}

/** No texts. */
export function createPendingLog(): PendingLog {
  return { texts: new Map(), next: 0, added: new Set(), removed: [] };
}

/** Adds a text; returns its number. */
export function appendText(log: PendingLog, text: string): number {
  const number = log.next++;
  log.texts.set(number, text);
  log.added.add(number);
  return number;
}

/** Removes a text; its number is not given again. */
export function removeText(log: PendingLog, number: number): void {
  log.texts.delete(number);
  if (!log.added.delete(number)) log.removed.push(number);
}
