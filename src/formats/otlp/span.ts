/** What is read of a span, whatever its encoding. Ids are lower-case hexadecimal, empty where there is none. */
export interface Span {
  readonly names: Names;
  readonly traceId: string;
  readonly spanId: string;
  /** Its end in ms since 1970, below the millisecond cut; undefined where it has none. */
  readonly endMs: number | undefined;
  readonly attributes: Attributes;
  readonly resource: Attributes;
  readonly events: readonly SpanEvent[];
  /** The message of a status ERROR, which may be empty; undefined for any other status. */
  readonly failure: string | undefined;
}

export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/** Values of attributes as plain JSON, each at the place of its name; undefined for one that is absent. */
export interface Attributes {
  readonly values: readonly unknown[];
  /** The attributes of numbered messages, which have no places. */
  readonly numbered: readonly (readonly [name: string, value: unknown])[];
}

/** The spans of a record in order, and each as a document of OTLP/JSON of its own. */
export interface Spans {
  readonly spans: readonly Span[];
  documentOf(index: number): unknown;
}

/** Places of the attributes that are read, by name; the values of others are not looked at. */
export type Names = ReadonlyMap<string, number>;

/** Of the attributes of numbered messages. */
export const numberedPrefix = 'gen_ai.completion.';

/** Attributes that are being read. */
export interface AttributesWriter {
  readonly values: unknown[];
  numbered: [name: string, value: unknown][];
}

/** A set of attributes without any. */
export function noAttributes(names: Names): AttributesWriter {
  return { values: new Array(names.size).fill(undefined), numbered: none };
}

/** Adds an attribute of a numbered message. */
export function addNumbered(attributes: AttributesWriter, name: string, value: unknown): void {
  if (attributes.numbered === none) attributes.numbered = [];
  attributes.numbered.push([name, value]);
}

/** Most spans have no numbered messages: they share the empty list. */
const none: [name: string, value: unknown][] = [];

/** The attribute of a span, else of its resource; undefined where neither has it, or the value is no span. */
export function attributeOf(value: unknown, name: string): unknown {
  if (!isSpan(value)) return undefined;
  const place = value.names.get(name);
  return place === undefined ? undefined : (value.attributes.values[place] ?? value.resource.values[place]);
}

/** No value that JSON gives holds a Map. */
function isSpan(value: unknown): value is Span {
  return typeof value === 'object' && value !== null && 'names' in value && value.names instanceof Map;
}
