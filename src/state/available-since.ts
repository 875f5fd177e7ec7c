/** A part of the state that holds nothing of before some time, since the settings did not ask for it then (docs/reference/semantics.md, "Changed settings"). */
export interface AvailableSince {
  readonly kind: 'family' | 'dimension' | 'window';
  /** Key of the family, the dimension, or the length of the window in ms. */
  readonly name: string;
  /** Event time. */
  readonly sinceMs: number;
  /** Next offset at which it began. */
  readonly offset: number;
}

/** Since when a part holds all; undefined where it does since the beginning. */
export function availableSinceOf(
  availableSince: readonly AvailableSince[],
  kind: AvailableSince['kind'],
  name: string,
): number | undefined {
  return availableSince.find((part) => part.kind === kind && part.name === name)?.sinceMs;
}

/** Dimensions that were not read yet of the record at an offset. */
export function unreadAt(availableSince: readonly AvailableSince[], offset: number): readonly string[] {
  return availableSince.filter((part) => part.kind === 'dimension' && offset < part.offset).map(({ name }) => name);
}
