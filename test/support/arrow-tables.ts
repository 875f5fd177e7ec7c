import {
  type DataType,
  Field,
  LargeList,
  List,
  Schema,
  Struct,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { registerArrowCodecs } from '../../src/formats/arrow/codecs.ts';
import { sharedCopy } from '../../src/formats/bytes/shared-copy.ts';
import { type LoadedTruth, openTruth } from '../../src/formats/truth/open.ts';

await registerArrowCodecs();

/** A column as rows of plain values, and its Arrow type. */
export type Column = readonly [values: readonly unknown[], type: DataType];

/** Bytes of a table as any Arrow writer might make it: nothing of ours but the columns. */
export function arrowBytes(
  columns: Readonly<Record<string, Column>>,
  form: 'file' | 'stream' = 'file',
  metadata: ReadonlyMap<string, string> = new Map(),
): Uint8Array {
  const vectors = Object.entries(columns).map(
    ([name, [values, type]]) => [name, vectorFromArray(values as unknown[], type)] as const,
  );
  const schema = new Schema(
    vectors.map(([name, vector]) => new Field(name, vector.type, true)),
    new Map(metadata),
  );
  return tableToIPC(new Table(schema, Object.fromEntries(vectors)), form);
}

/** Opens bytes as the only truth file, named "t.arrow". */
export function openBytes(bytes: Uint8Array, name = 't.arrow'): LoadedTruth {
  return openTruth([{ name, bytes: sharedCopy([bytes]) }]);
}

export const utf8: Utf8 = new Utf8();

/** The message of what opening some bytes is refused with. */
export function refusal(bytes: Uint8Array, name?: string): string {
  try {
    openBytes(bytes, name);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}

export function structOf(fields: Readonly<Record<string, DataType>>): Struct {
  return new Struct(Object.entries(fields).map(([name, type]) => new Field(name, type, true)));
}

export function listOf(item: DataType, large = false): DataType {
  const field = new Field('item', item, true);
  return large ? new LargeList(field) : new List(field);
}
