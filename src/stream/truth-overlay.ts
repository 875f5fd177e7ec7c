import { hexadecimal } from '../state/containers/hexadecimal.ts';
import { emptyIdMap, findId, type Id, type IdMap, withId, withoutId } from '../state/containers/id-map.ts';
import { hash128OfText } from '../state/containers/hash128.ts';
import type { LabelCode } from '../scoring/label.ts';
import type { Truth, TruthTable } from '../scoring/truth.ts';

/** A row of truth that lies over the files: as text, which is read when it is needed. */
export interface OverlayRow {
  /** The row in the one form that equal rows have. */
  readonly text: string;
  readonly label: LabelCode | -1;
  readonly toolCount: number;
}

/** Rows that lie over a table. Immutable: with every change there is a new one, and the old one stays as it was. */
export interface TruthOverlay {
  readonly rows: number;
  readonly byExample: IdMap<Numbered>;
  readonly byNumber: IdMap<Numbered>;
  /** Number of the next row that is put in: a revised row has another one, so that it is never taken for the old. */
  readonly next: number;
  /** Sum of the identities of the rows' texts, word by word: equal rows, equal content, in whatever order they came. */
  readonly content: Id;
}

export const emptyOverlay: TruthOverlay = {
  rows: 0,
  byExample: emptyIdMap(),
  byNumber: emptyIdMap(),
  next: 0,
  content: [0, 0, 0, 0],
};

/** The overlay with a row for an example, in place of the one it may have. */
export function withRow(overlay: TruthOverlay, exampleId: string, row: OverlayRow): TruthOverlay {
  const id = idOf(exampleId);
  const before = findId(overlay.byExample, id);
  if (before?.row.text === row.text) return overlay;
  const { byExample, byNumber, next, content } = before === undefined ? overlay : without(overlay, id, before);
  const numbered = { number: next, row };
  return {
    rows: byExample.size + 1,
    byExample: withId(byExample, id, numbered),
    byNumber: withId(byNumber, idOfNumber(next), numbered),
    next: next + 1,
    content: added(content, idOf(row.text), 1),
  };
}

/** The overlay without a row for an example: what the files say of it holds again. */
export function withoutRow(overlay: TruthOverlay, exampleId: string): TruthOverlay {
  const id = idOf(exampleId);
  const before = findId(overlay.byExample, id);
  return before === undefined ? overlay : without(overlay, id, before);
}

/**
 * A table with an overlay over it, as a version of its own: equal table and equal overlay rows, equal version. `rows` counts the rows
 * of both. `read` makes the truth of an overlay row's text.
 */
export function overlaid(table: TruthTable, overlay: TruthOverlay, read: (text: string) => Truth): TruthTable {
  if (overlay.rows === 0) return table;
  const numbered = (row: number): OverlayRow => findId(overlay.byNumber, idOfNumber(row - table.rows))!.row;
  return {
    version: `${table.version}+${hexadecimal(overlay.content)}`,
    rows: table.rows + overlay.rows,
    rowsOf: table,
    find(exampleId, hash) {
      const found = findId(overlay.byExample, idOf(exampleId));
      return found === undefined ? table.find(exampleId, hash) : table.rows + found.number;
    },
    label: (row) => (row < table.rows ? table.label(row) : numbered(row).label),
    toolCount: (row) => (row < table.rows ? table.toolCount(row) : numbered(row).toolCount),
    read: (row) => (row < table.rows ? table.read(row) : read(numbered(row).text)),
  };
}

/** Truth without rows: what an overlay lies over where there are no files. */
export const noTruth: TruthTable = {
  version: 'none',
  rows: 0,
  find: () => -1,
  label: () => -1,
  toolCount: () => -1,
  read: (row) => {
    throw new RangeError(`row ${row} of 0`);
  },
};

/** No truth, now or later. */
export const withoutTruth: TruthTable = { ...noTruth, version: 'without', isNone: true };

interface Numbered {
  readonly number: number;
  readonly row: OverlayRow;
}

function without(overlay: TruthOverlay, id: Id, { number, row }: Numbered): TruthOverlay {
  return {
    rows: overlay.rows - 1,
    byExample: withoutId(overlay.byExample, id),
    byNumber: withoutId(overlay.byNumber, idOfNumber(number)),
    next: overlay.next,
    content: added(overlay.content, idOf(row.text), -1),
  };
}

const words = new Uint32Array(4);

function idOf(text: string): Id {
  hash128OfText(text, words, 0);
  return [words[0]!, words[1]!, words[2]!, words[3]!];
}

function idOfNumber(number: number): Id {
  return [number >>> 0, Math.floor(number / 2 ** 32), 0, 0];
}

function added(to: Id, id: Id, sign: 1 | -1): Id {
  const sum = (at: 0 | 1 | 2 | 3): number => (to[at] + sign * id[at]) >>> 0;
  return [sum(0), sum(1), sum(2), sum(3)];
}
