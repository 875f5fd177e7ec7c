import type { Json, JsonObject } from '../../scoring/json.ts';

/** A span of either encoding. Ids are lower-case hexadecimal; an absent id or name is the empty text. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  /** Number of the enum `SpanKind`; 0 where it is absent. */
  readonly kind: number;
  /** Times in ms since 1970, without their fraction; undefined where they are absent. */
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly status: { readonly isError: boolean; readonly message: string };
  readonly attributes: Attributes;
  readonly resource: Attributes;
  readonly events: readonly SpanEvent[];
  /** The parts of OTLP/JSON that the span was made from. */
  readonly source: SpanSource;
}

export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/** `isLog`: the part is a log record, which is read as a span of its own within the span that it is of. */
export interface SpanSource {
  readonly span: JsonObject;
  readonly resource: Json | undefined;
  readonly isLog?: true;
}

/** Values of attributes as plain JSON, by name; undefined for an empty value. */
export type Attributes = ReadonlyMap<string, unknown>;

/** The attribute of a span, else of its resource; undefined where neither has it, or the value is no span. */
export function attributeOf(value: unknown, name: string): unknown {
  return isSpan(value) ? eitherOf(value, name) : undefined;
}

/** The attribute of a span, else of its resource. */
export function eitherOf({ attributes, resource }: Span, name: string): unknown {
  return attributes.get(name) ?? resource.get(name);
}

/** Values of JSON hold no Map. */
function isSpan(value: unknown): value is Span {
  return typeof value === 'object' && value !== null && 'attributes' in value && value.attributes instanceof Map;
}
