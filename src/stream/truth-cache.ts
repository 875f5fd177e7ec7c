import type { AnyFamily } from '../scoring/family.ts';
import { namedTruth, type ToolNaming } from '../scoring/tool-names.ts';
import { hashOfTruth, nothingRecorded, type Truth, type TruthTable } from '../scoring/truth.ts';
import { hash128OfText } from '../state/containers/hash128.ts';
import {
  bookVersion,
  emptyBook,
  type ExpectedFields,
  type Feedback,
  type FeedbackBook,
  feedbackFor,
  newestExpected,
  truthWith,
} from './feedback-book.ts';

/** A truth row parsed, with what each family prepared of it (undefined: the family does not apply). */
export interface PreparedTruth {
  readonly row: number;
  /** With the names by which tools are compared. */
  readonly truth: Truth;
  /** The row as it came. */
  readonly given: Truth;
  readonly prepared: readonly unknown[];
  /** Hash of the row as it came, once it was needed. */
  hash?: number;
  /** Names of its tools and of its expected calls, once they were needed. */
  toolNames?: ReadonlySet<string>;
}

/** A version of the truth whose rows are parsed and prepared once while they are used. */
export interface ActiveTruth {
  readonly table: TruthTable;
  readonly feedback: FeedbackBook;
  /** A row that the table has. */
  readonly row: (row: number) => PreparedTruth;
  /** A row, -1 for one that nothing is recorded in, with the fields that feedback gives in the place of its own. */
  readonly rowWith: (row: number, expected: ExpectedFields) => PreparedTruth;
}

/** The place of an event's truth: its example's row, and feedback on the event. */
export interface TruthPlace {
  /** Row of the table, or -1. */
  readonly row: number;
  /** Feedback on the event, oldest first, and the newest expectation in it. */
  readonly feedback: readonly Feedback[];
  readonly expected: ExpectedFields | undefined;
}

/** The truth of an event. */
export interface FoundTruth extends TruthPlace {
  /** Undefined: nothing says what was right. */
  readonly prepared: PreparedTruth | undefined;
}

const cachedRows = 1 << 14;

/** A table with feedback over it, as a version of its own. */
export function withBook(table: TruthTable, book: FeedbackBook): TruthTable {
  const version = bookVersion(book);
  return version === '' ? table : { ...table, version: `${table.version}~${version}`, rowsOf: table.rowsOf ?? table };
}

/** Puts a cache in front of a table, for the families that score with it and the names that they compare. */
export function activeTruth(
  table: TruthTable,
  families: readonly AnyFamily[],
  naming?: ToolNaming,
  feedback: FeedbackBook = emptyBook,
): ActiveTruth {
  const cache: (PreparedTruth | undefined)[] = new Array(cachedRows).fill(undefined);
  return {
    ...{ table, feedback },
    row(row) {
      const slot = row & (cachedRows - 1);
      const cached = cache[slot];
      if (cached?.row === row) return cached;
      const fresh = prepareTruth(row, table.read(row), families, naming);
      cache[slot] = fresh;
      return fresh;
    },
    rowWith: (row, expected) =>
      prepareTruth(row, truthWith(row < 0 ? nothingRecorded : table.read(row), expected), families, naming),
  };
}

const exampleHash = new Uint32Array(4);

/** The truth of an event by its example and the keys by which feedback names it. */
export function truthFor(truth: ActiveTruth, exampleId: string, about: readonly string[]): FoundTruth {
  const placed = placeOfTruth(truth, exampleId, about);
  return { ...placed, prepared: preparedAt(truth, placed) };
}

/** The truth at a place, prepared; undefined where nothing says what was right. */
export function preparedAt(truth: ActiveTruth, { row, expected }: TruthPlace): PreparedTruth | undefined {
  if (expected !== undefined) return truth.rowWith(row, expected);
  return row < 0 ? undefined : truth.row(row);
}

/** As `truthFor`, without reading the row. */
export function placeOfTruth(
  { table, feedback: book }: ActiveTruth,
  exampleId: string,
  about: readonly string[],
): TruthPlace {
  hash128OfText(exampleId, exampleHash, 0);
  const row = table.find(exampleId, exampleHash[0]);
  const feedback = feedbackFor(book, about, exampleId);
  return { row, feedback, expected: newestExpected(feedback) };
}

/** Hash of the truth that an event is scored by: another one, another hash. */
export function truthHash(prepared: PreparedTruth): number {
  return (prepared.hash ??= hashOfTruth(prepared.given));
}

/** A parsed row with what the families prepare of it. */
export function prepareTruth(
  row: number,
  given: Truth,
  families: readonly AnyFamily[],
  naming?: ToolNaming,
): PreparedTruth {
  const truth = namedTruth(given, naming);
  return { row, truth, given, prepared: families.map((family) => family.prepare(truth)) };
}
