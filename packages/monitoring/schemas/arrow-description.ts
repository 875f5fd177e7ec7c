import { DataType, type Field, type Schema } from 'apache-arrow';

/** A column of an Arrow file, or a field in it, as other programs name its type. */
export interface ArrowFieldDescription {
  readonly name: string;
  /** `utf8`, `int64`, `timestamp[ms]`, `dictionary<utf8, int32>`, `list`, `struct`, … */
  readonly type: string;
  readonly nullable: boolean;
  /** Fields of a struct, the item of a list, or the entries of a map. */
  readonly fields?: readonly ArrowFieldDescription[];
}

/** Describes a schema in plain JSON. */
export function describeArrow(schema: Schema): ArrowFieldDescription[] {
  return schema.fields.map(describe);
}

function describe({ name, type, nullable }: Field): ArrowFieldDescription {
  const children = (DataType.isDictionary(type) ? null : type.children) as Field[] | null;
  const fields = children?.map(describe) ?? [];
  return { name, type: typeName(type), nullable, ...(fields.length === 0 ? {} : { fields }) };
}

function typeName(type: DataType): string {
  if (DataType.isDictionary(type)) return `dictionary<${typeName(type.dictionary)}, ${typeName(type.indices)}>`;
  if (DataType.isTimestamp(type)) return `timestamp[${['s', 'ms', 'us', 'ns'][type.unit]}]`;
  if (DataType.isList(type)) return 'list';
  if (DataType.isMap(type)) return 'map';
  if (DataType.isStruct(type)) return 'struct';
  return String(type).toLowerCase();
}
