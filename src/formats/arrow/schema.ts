import {
  Bool,
  type DataType,
  Dictionary,
  Field,
  Float64,
  Int8,
  Int32,
  Int64,
  List,
  Map_,
  Schema,
  Struct,
  TimestampMillisecond,
  Utf8,
} from 'apache-arrow';

/**
 * Content of a column: `json` is utf8 holding JSON text, `category` a dictionary of utf8 that all batches share, `label` one of at most
 * 127 texts, `time` a timestamp in ms without a zone (UTC), given as ms; a `map` is given as an object, its keys are texts.
 */
export type ColumnKind =
  | 'utf8'
  | 'json'
  | 'category'
  | 'label'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float64'
  | 'time'
  | { readonly list: ColumnKind; readonly itemsRequired?: true }
  | { readonly map: ColumnKind }
  | { readonly struct: Columns };

/** Columns, or the fields of a struct, by name. */
export type Columns = Readonly<Record<string, Column>>;

export interface Column {
  readonly kind: ColumnKind;
  /** Never null; whatever lies within a struct or a list may be. */
  readonly required?: true;
  /** Value of a field of a struct where a row does not name the field; else null. */
  readonly absent?: boolean;
}

/** An Arrow schema of some columns. */
export function arrowSchema(columns: Columns, metadata: ReadonlyMap<string, string> = new Map()): Schema {
  return new Schema(fieldsOf(columns), new Map(metadata));
}

function fieldsOf(columns: Columns): Field[] {
  return Object.entries(columns).map(([name, { kind, required }]) => new Field(name, typeOf(kind), !required));
}

function typeOf(kind: ColumnKind): DataType {
  if (typeof kind === 'object') {
    if ('struct' in kind) return new Struct(fieldsOf(kind.struct));
    if ('map' in kind) {
      const entry = new Struct<{ key: Utf8; value: DataType }>(fieldsOf(entryColumns(kind.map)));
      return new Map_(new Field('entries', entry, false));
    }
    return new List(new Field('item', typeOf(kind.list), !kind.itemsRequired));
  }
  return plainTypes[kind]();
}

/** Key and value of an entry of a map. */
export function entryColumns(value: ColumnKind) {
  return { key: { kind: 'utf8', required: true }, value: { kind: value } } as const;
}

const plainTypes = {
  utf8: () => new Utf8(),
  json: () => new Utf8(),
  category: () => new Dictionary(new Utf8(), new Int32()),
  label: () => new Dictionary(new Utf8(), new Int8()),
  bool: () => new Bool(),
  int32: () => new Int32(),
  int64: () => new Int64(),
  float64: () => new Float64(),
  time: () => new TimestampMillisecond(),
} as const;
