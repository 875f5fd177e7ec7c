/**
 * As much of the flatbuffers of an Arrow message as the library does not tell: how long a message is, and which columns
 * have a type that it cannot read. Layout: https://arrow.apache.org/docs/format/Columnar.html and format/Message.fbs,
 * Schema.fbs.
 */

/**
 * Length of the body that follows the message whose metadata lie at `start`. Throws RangeError on metadata that make no
 * sense.
 */
export function bodyLength(view: DataView, start: number): number {
  const at = slot(view, rootTable(view, start), 3);
  const length = at === 0 ? 0 : Number(view.getBigInt64(at, true));
  if (length < 0) throw new RangeError('negative body length');
  return length;
}

export interface UnreadableColumn {
  /** Top-level column, and the path to the field within it where that is not the column itself. */
  readonly column: string;
  readonly path: string;
  readonly type: string;
}

/** The first field of the schema message at `start` whose type apache-arrow 21 refuses. Throws RangeError on a damaged schema. */
export function unreadableColumn(view: DataView, start: number): UnreadableColumn | undefined {
  const header = slot(view, rootTable(view, start), 2);
  if (header === 0) return undefined;
  for (const field of tables(view, slot(view, follow(view, header), 1))) {
    const column = nameOf(view, field);
    const found = unreadableField(view, field, column, column, 0);
    if (found !== undefined) return found;
  }
  return undefined;
}

const unreadable: ReadonlyMap<number, string> = new Map([
  [22, 'run_end_encoded'],
  [25, 'list_view'],
  [26, 'large_list_view'],
]);

const depthMax = 64;

function unreadableField(
  view: DataView,
  field: number,
  column: string,
  path: string,
  depth: number,
): UnreadableColumn | undefined {
  if (depth > depthMax) throw new RangeError('schema nests too deep');
  const typeAt = slot(view, field, 2);
  const type = unreadable.get(typeAt === 0 ? 0 : view.getUint8(typeAt));
  if (type !== undefined) return { column, path, type };
  for (const child of tables(view, slot(view, field, 5))) {
    const found = unreadableField(view, child, column, `${path}.${nameOf(view, child)}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function rootTable(view: DataView, start: number): number {
  return start + view.getUint32(start, true);
}

/** Position of field `index` of a table; 0 where the table does not have it. */
function slot(view: DataView, table: number, index: number): number {
  const vtable = table - view.getInt32(table, true);
  const entry = 4 + 2 * index;
  if (entry >= view.getUint16(vtable, true)) return 0;
  const offset = view.getUint16(vtable + entry, true);
  return offset === 0 ? 0 : table + offset;
}

function follow(view: DataView, at: number): number {
  return at + view.getUint32(at, true);
}

/** Positions of the tables of a vector of tables. */
function tables(view: DataView, at: number): number[] {
  if (at === 0) return [];
  const vector = follow(view, at);
  const count = view.getUint32(vector, true);
  if (count > (view.byteLength - vector) / 4) throw new RangeError('vector runs beyond the file');
  return Array.from({ length: count }, (_, index) => follow(view, vector + 4 + 4 * index));
}

function nameOf(view: DataView, field: number): string {
  const at = slot(view, field, 0);
  if (at === 0) return '';
  const start = follow(view, at);
  const bytes = new Uint8Array(view.buffer, view.byteOffset + start + 4, view.getUint32(start, true));
  return new TextDecoder().decode(bytes.slice());
}
