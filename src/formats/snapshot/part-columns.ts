import { type Data, Struct } from 'apache-arrow';
import { sizeOf } from '../../scoring/json.ts';
import { sharedIntegers } from '../../state/containers/shared-arrays.ts';
import { growingColumn } from '../arrow/growing-column.ts';
import { rowBlocks } from '../arrow/row-columns.ts';
import { arrowSchema, type Columns } from '../arrow/schema.ts';
import { takenRows } from '../arrow/taken-rows.ts';
import type { ScoredRow, ScoreRow } from './score-row.ts';

/** What score rows say beside their events, as columns: once for all rows that are alike. */
export interface PartColumns {
  /** Where the parts of a row lie. */
  placeOf(row: ScoredRow): number;
  /** The bytes that they take, about. */
  bytesAt(place: number): number;
  /** The columns of rows whose parts lie in these places. */
  take(places: readonly number[]): readonly Data[];
}

/** Beyond so many bytes, about those of all remembered results, columns begin anew: whoever is at a batch goes on with those that it began with. */
const columnBytes = 16 * 2 ** 20;

/** Gives the columns that rows share, to those who write such files in turn. */
export function sharedParts(columns: Columns): () => PartColumns {
  let shared = partColumns(columns);
  return () => {
    if (shared.bytes() >= columnBytes) shared = partColumns(columns);
    return shared;
  };
}

function partColumns(columns: Columns): PartColumns & { bytes(): number } {
  const column = growingColumn({ struct: columns }, new Struct(arrowSchema(columns).fields));
  const places = new WeakMap<object, number>();
  const sizes: number[] = [];
  let bytes = 0;
  const blocks = rowBlocks(column.push);
  const placeOfNew = (parts: ScoreRow): number => {
    const size = sizeOf(parts);
    bytes += size;
    blocks.add(parts);
    return sizes.push(size) - 1;
  };
  return {
    bytes: () => bytes,
    bytesAt: (place) => sizes[place]!,
    placeOf({ like, parts }) {
      if (like === undefined) return placeOfNew(parts());
      const known = places.get(like);
      if (known !== undefined) return known;
      const place = placeOfNew(parts());
      places.set(like, place);
      return place;
    },
    take(taken) {
      blocks.settle();
      const rows = sharedIntegers(taken.length);
      rows.set(taken);
      return column.read().children.map((child) => takenRows(child, rows));
    },
  };
}
