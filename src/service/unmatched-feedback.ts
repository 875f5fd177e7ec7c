import { aboutText, type Feedback } from '../stream/feedback-book.ts';

/** Feedback records that came while this process ran, and reached no event of the partitions that one thread holds. */
export interface UnmatchedFeedback {
  /** Notes new records. To be called before they are put in use. */
  came(records: readonly Feedback[]): void;
  /** Counts records from now on as unmatched, unless an event is found later: every kept event was compared with them. */
  settled(records: readonly Feedback[]): void;
  /** Takes out the ids of records that reached an event, and empties the sets. */
  reached(ids: Iterable<Set<string>>): void;
  /** The event that each unmatched record names, by the id of the record. Undefined where that is as it was when this was called last. */
  take(): ReadonlyMap<string, string> | undefined;
}

/** Records at most: of more the oldest are no longer counted. */
const recordsMax = 10_000;

/** No unmatched record yet. */
export function createUnmatchedFeedback(): UnmatchedFeedback {
  const waiting = new Set<string>();
  const unmatched = new Map<string, string>();
  let isTaken = false;
  const drop = (id: string): void => {
    waiting.delete(id);
    if (unmatched.delete(id)) isTaken = false;
  };
  return {
    came(records) {
      for (const { id } of records) waiting.add(id);
    },
    settled(records) {
      for (const { id, about } of records) {
        if (!waiting.delete(id)) continue;
        unmatched.set(id, aboutText(about));
        isTaken = false;
      }
      for (const id of unmatched.keys()) {
        if (unmatched.size <= recordsMax) break;
        unmatched.delete(id);
      }
    },
    reached(sets) {
      for (const ids of sets) {
        for (const id of ids) drop(id);
        ids.clear();
      }
    },
    take() {
      if (isTaken) return undefined;
      isTaken = true;
      return new Map(unmatched);
    },
  };
}

/** The records that no thread has found an event for. */
export function unmatchedByAll(threads: readonly ReadonlyMap<string, string>[]): ReadonlyMap<string, string> {
  const [first = new Map<string, string>(), ...others] = threads;
  return new Map([...first].filter(([id]) => others.every((other) => other.has(id))));
}
