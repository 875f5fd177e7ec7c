import { type RecordBatch, RecordBatchReader } from 'apache-arrow';
import { checkStructure } from '../arrow/structure.ts';
import { rowsOf } from '../files/arrow-rows.ts';
import { rowText } from '../files/row-text.ts';
import type { EventTable, TableReading } from '../prediction/event-table.ts';
import { nearNames } from '../prediction/near-names.ts';
import { LayoutError } from '../truth/layout.ts';
import { TruthError } from '../truth/error.ts';
import { checkCells } from './check.ts';
import { type Opening, usualColumns } from './columns.ts';

/**
 * Opens Arrow streams and files of events (docs/reference/events.md, "Arrow tables"): the tables of its batches. `bytesMax`: of all cells together, where a
 * dictionary has them many times over. Nothing in a table outlives what it was opened from, of which it has a copy.
 */
export function arrowTables(bytesMax: number): TableReading {
  const opening: Opening = { scratch: { bytes: new Uint8Array(4_096), length: 0 }, nearName: nearNames() };
  return (value) => {
    // A copy: columns need an alignment that a value in a fetch response lacks.
    const bytes = new Uint8Array(value);
    try {
      checkStructure(place, bytes, { compressed: false });
      const batches = [...RecordBatchReader.from(bytes)];
      checkCells(batches, bytesMax);
      let rows = 0;
      return batches.map((batch) => {
        rows += batch.numRows;
        return tableOf(batch, rows - batch.numRows, opening);
      });
    } catch (error) {
      return problemOf(error);
    }
  };
}

const place = 'the record';

function tableOf(batch: RecordBatch, first: number, opening: Opening): EventTable {
  const { names, rows, cellOf } = rowsOf(batch, 1);
  return {
    first,
    rows,
    textOf: (row) => rowText(names, (column) => cellOf(row, column)),
    usual: usualColumns(batch, opening),
  };
}

function problemOf(error: unknown): string {
  if (error instanceof TruthError) return error.message;
  if (error instanceof LayoutError) return `${place}: ${error.message}`;
  return `${place} cannot be read as Arrow (${(error as Error).message}); it is damaged or cut short, send it again`;
}
