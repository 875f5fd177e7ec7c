import { type Data, DataType, type RecordBatch } from 'apache-arrow';
import { isUtf8Text } from '../bytes/utf8.ts';
import { isTextType, LayoutError, rising, textCells } from '../truth/layout.ts';

/**
 * Refuses texts that are no UTF-8, and what would make much of few bytes: a dictionary or a view whose texts stand for many cells, and items that
 * need no bytes. Throws LayoutError.
 */
export function checkCells(batches: readonly RecordBatch[], bytesMax: number): void {
  let bytes = 0;
  for (const { schema, data, numRows } of batches)
    data.children.forEach((column, at) => {
      const { name } = schema.fields[at]!;
      if (column.length !== numRows) throw new LayoutError(`column ${name} has ${column.length} of ${numRows} rows`);
      if (DataType.isDictionary(column.type)) bytes += dictionaryBytes(name, column);
      else checkColumn(name, column, bytesMax);
    });
  if (bytes > bytesMax)
    throw new LayoutError(`its dictionaries stand for ${bytes} bytes, more than ${bytesMax}; send fewer rows at once`);
}

function dictionaryBytes(name: string, column: Data): number {
  const { type } = column;
  if (!isTextType(type) || (DataType.isDictionary(type) && isView(type.dictionary)))
    throw new LayoutError(`column ${name}: type ${type} is not read in records; cast it to text`);
  for (const texts of (column.dictionary?.data ?? []) as readonly Data[]) checkText(name, texts);
  const cells = textCells(column, new Map());
  let bytes = 0;
  if (cells?.codes === undefined) return bytes;
  const { offsets } = cells.entries;
  for (const code of cells.codes) if (code >= 0) bytes += (offsets[code + 1] ?? 0) - (offsets[code] ?? 0);
  return bytes;
}

function checkColumn(path: string, column: Data, itemsMax: number): void {
  const { type, length, children } = column;
  if (isText(type)) checkText(path, column);
  if (isView(type) || DataType.isDictionary(type))
    throw new LayoutError(`column ${path}: type ${type} is not read in records; cast it to text or list`);
  const isList =
    DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type) || DataType.isMap(type);
  children.forEach((child, at) => {
    if (isList && child.length > itemsMax)
      throw new LayoutError(`column ${path} has ${child.length} items, more than ${itemsMax}; send fewer rows at once`);
    if (!isList && child.length < length)
      throw new LayoutError(`column ${path} has a field of ${child.length} cells for ${length} rows`);
    checkColumn(`${path}.${type.children[at]!.name}`, child, itemsMax);
  });
}

function checkText(path: string, { values, valueOffsets, length }: Data): void {
  const bytes = values as Uint8Array;
  const offsets = rising(valueOffsets, length, bytes.length);
  const end = offsets[length] ?? 0;
  let isWhole = isUtf8Text(bytes, 0, end);
  // Two texts may share a character that neither has whole.
  for (let row = 0; row < length; row++)
    if ((bytes[offsets[row]!]! & 0xc0) === 0x80 && offsets[row]! < end) isWhole = false;
  if (!isWhole) throw new LayoutError(`column ${path}: its text is not UTF-8`);
}

function isText(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type);
}

function isView(type: DataType): boolean {
  return DataType.isUtf8View(type) || DataType.isBinaryView(type);
}
