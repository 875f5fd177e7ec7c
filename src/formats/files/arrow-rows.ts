import { type Data, DataType, type Field, type RecordBatch, RecordBatchReader, Vector } from 'apache-arrow';
import { checkStructure } from '../arrow/structure.ts';
import { rising } from '../truth/layout.ts';
import type { RowGroup } from './row-group.ts';

/** The batches of an Arrow file or stream. Throws TruthError where it is damaged, or of a type that cannot be read. */
export function* arrowRowGroups(bytes: Uint8Array, path: string): Generator<RowGroup> {
  checkStructure(path, bytes);
  const reader = RecordBatchReader.from(bytes);
  let [batch, read] = [reader.next(), 0];
  while (!batch.done) {
    const next = reader.next();
    read++;
    yield rowsOf(batch.value, next.done ? 1 : read / (read + 1));
    batch = next;
  }
}

type CellOf = (row: number) => unknown;

/** The rows of a batch; `share`: part of the file that is read with it. */
export function rowsOf({ schema, data, numRows }: RecordBatch, share: number): RowGroup {
  const columns = data.children.map(cellsOf);
  const names = schema.fields.map(({ name }) => name);
  return { names, rows: numRows, cellOf: (row, column) => columns[column]!(row), share };
}

/** Reads the cells of a column, for `rowText`; those of a type that JSON does not have are absent. */
function cellsOf(data: Data): CellOf {
  const { type } = data;
  if (DataType.isStruct(type)) {
    const fields = data.children.map((child, at) => [type.children[at]!.name, cellsOf(child)] as const);
    return unlessNull(data, (row) => Object.fromEntries(fields.map(([name, cell]) => [name, cell(row)])));
  }
  if (DataType.isMap(type)) return unlessNull(data, mapsOf(data));
  if (DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type))
    return unlessNull(data, listsOf(data, cellsOf(data.children[0]!)));
  if (DataType.isDictionary(type)) {
    const { values, dictionary } = data;
    return unlessNull(data, (row) => dictionary?.get(Number((values as ArrayLike<number | bigint>)[row])));
  }
  const vector = new Vector([data]);
  if (DataType.isTimestamp(type) || DataType.isDate(type)) return unlessNull(data, (row) => timeAt(vector, row));
  return readableTypes.some((isOfType) => isOfType(type)) ? (row) => vector.get(row) : () => undefined;
}

/** Absent where it is no time: seconds beyond 2^53 ms are a `TypeError` of the library. */
function timeAt(vector: Vector, row: number): Date | undefined {
  try {
    return new Date(Number(vector.get(row)));
  } catch {
    return undefined;
  }
}

/** Returns whether cells of a type are read, also those inside it. */
export function isReadable(type: DataType): boolean {
  if (DataType.isDictionary(type)) return isReadable(type.dictionary);
  if (DataType.isNull(type) || DataType.isTimestamp(type) || DataType.isDate(type)) return true;
  if (readableTypes.some((isOfType) => isOfType(type))) return true;
  const isNested = [DataType.isStruct, DataType.isMap, DataType.isList, DataType.isLargeList, DataType.isFixedSizeList];
  return isNested.some((isOfType) => isOfType(type)) && type.children.every((child: Field) => isReadable(child.type));
}

const readableTypes: readonly ((type: DataType) => boolean)[] = [
  DataType.isUtf8,
  DataType.isLargeUtf8,
  DataType.isUtf8View,
  DataType.isBool,
  DataType.isInt,
  DataType.isFloat,
  DataType.isBinary,
  DataType.isLargeBinary,
  DataType.isBinaryView,
];

function unlessNull(data: Data, cellOf: CellOf): CellOf {
  return (row) => (data.getValid(row) ? cellOf(row) : null);
}

function listsOf(data: Data, itemOf: CellOf): (row: number) => unknown[] {
  const [startOf, endOf] = boundsOf(data);
  return (row) => Array.from({ length: endOf(row) - startOf(row) }, (_, at) => itemOf(startOf(row) + at));
}

function mapsOf(data: Data): CellOf {
  const entries = listsOf(data, cellsOf(data.children[0]!));
  return (row) =>
    Object.fromEntries(entries(row).map((entry) => Object.values(entry as object) as [PropertyKey, unknown]));
}

/** Where the items of a list begin and end; they lie within the child, and no two lists share one. */
function boundsOf({
  type,
  length,
  valueOffsets,
  children,
}: Data): readonly [(row: number) => number, (row: number) => number] {
  const items = children[0]!.length;
  if (DataType.isFixedSizeList(type)) {
    const { listSize } = type;
    if (length * listSize > items) throw new RangeError(`${items} items for ${length} lists of ${listSize}`);
    return [(row) => row * listSize, (row) => (row + 1) * listSize];
  }
  const offsets = rising(valueOffsets, length, items);
  return [(row) => offsets[row]!, (row) => offsets[row + 1]!];
}
