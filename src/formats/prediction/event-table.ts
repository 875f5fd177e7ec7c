/** Events as rows of a table: what the value of a record may hold instead of JSON (`formats/arrow-events`). */
export interface EventTable {
  /** Rows of the tables before it in its record. */
  readonly first: number;
  readonly rows: number;
  /** A row as the JSON text of an event. */
  textOf(row: number): string;
  /** Undefined where a column is of an unusual type: then every row is parsed from its text. */
  readonly usual: UsualColumns | undefined;
}

/** Columns that are read without making an event of a row; undefined are those that the table lacks. */
export interface UsualColumns {
  readonly example: TextColumn;
  readonly event: TextColumn | undefined;
  readonly model: TextColumn | undefined;
  readonly agent: TextColumn | undefined;
  tag(name: string): TextColumn | undefined;
  /** As a field of the event; undefined where it has none. */
  ts(row: number): unknown;
  run(row: number): unknown;
  /**
   * Writes the hashes of what a prediction is read from, as `EventBatch.content` has them, to `words[at, at + 8)`. Returns how many bytes were
   * hashed.
   */
  content(row: number, words: Uint32Array, at: number): number;
}

export interface TextColumn {
  /** Where rows share texts. */
  readonly dictionary: SharedTexts | undefined;
  /** Writes the identity of a text to `words[at, at + 4)`. Returns its bytes, -1 where it is null. */
  identity(row: number, words: Uint32Array, at: number): number;
  text(row: number): string;
}

export interface SharedTexts {
  /** Index of a row's text, -1 where it is null. */
  of(row: number): number;
  /** By index, the code of the text as a name; -1 before it was looked up. They are of one batch. */
  readonly codes: Int32Array;
}

/** Opens a value as tables, one after the other; else gives what is wrong with it. */
export type TableReading = (value: Uint8Array) => readonly EventTable[] | string;
