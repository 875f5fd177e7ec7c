import { isObject } from '../../scoring/json.ts';
import type { LogRecord } from '../../stream/event.ts';
import { fieldNames, type FieldName, fitted } from '../inputs/fields.ts';
import { firstOf, type Found, type Places, placesOf, type Reading, tagsOf } from '../inputs/input.ts';
import type { Place } from '../inputs/places.ts';
import { idCharactersMax, isId } from '../bytes/unicode.ts';
import { mayNestDeeper, nestsDeeper } from '../json/json-depth.ts';
import { type Choice, choicesOf } from './choices.ts';
import { knownPlaces as at, namesWith } from './known-names.ts';
import type { Names, Span, Spans } from './span.ts';

const attributePrefix = 'attribute:';

/** Places of an example id, unless the configuration names others. */
const exampleIdPlaces: readonly string[] = [
  'attribute:assay.example_id',
  '/example_id',
  '/metadata/example_id',
  'header:example_id',
  'key',
];

/** How the fields of an event are found in a span (configuration: `input.fields`), and how deep one may nest. */
export interface SpanFields {
  readonly names: Names;
  readonly placed: Places;
  /** Where the example id and the run lie, the latter undefined where it is not placed. */
  readonly examplePlaces: readonly Place[];
  readonly runPlaces: readonly Place[] | undefined;
  /** The fields that the configuration places, but for the example id. */
  readonly given: readonly (readonly [name: FieldName, places: readonly Place[]])[];
  readonly depth: number;
}

/** The fields that the configuration places, over what a span says by itself. */
export function spanFields(fields: Readonly<Record<string, string | readonly string[]>>, depth: number): SpanFields {
  const places = Object.values(fields).flat();
  const named = places.flatMap((place) =>
    place.startsWith(attributePrefix) ? [place.slice(attributePrefix.length)] : [],
  );
  const placed = placesOf({ ...fields, example_id: fields['example_id'] ?? exampleIdPlaces });
  const given = fieldNames.flatMap((name) => {
    const at = placed.fields.get(name);
    return at === undefined || name === 'example_id' ? [] : [[name, at] as const];
  });
  const examplePlaces = placed.fields.get('example_id')!;
  const names = namesWith(named);
  return { names, placed, examplePlaces, runPlaces: placed.fields.get('run'), given, depth };
}

/** The events of spans; the spans that are no call of a model are counted. */
export function eventsOf({ spans, documentOf }: Spans, record: LogRecord, fields: SpanFields): Reading {
  const found: Found[] = [];
  let ignored = 0;
  let spansIgnored = 0;
  const add = (one: Found, index: number): void => {
    found.push('event' in one ? one : { ...one, origin: documentOf(index) });
  };
  spans.forEach((span, index) => {
    const choices = choicesOf(span);
    if (choices === undefined) spansIgnored++;
    else if ('problem' in choices) add({ code: 'schema', detail: choices.problem }, index);
    else if (choices.length === 1) add(eventOf(span, record, fields, choices[0], undefined), index);
    else {
      // Where the run is given, the first is read alone.
      const isGiven = runOf(span, record, fields) !== undefined;
      const read = isGiven ? choices.slice(0, 1) : choices;
      ignored += choices.length - read.length;
      for (const [at, choice] of read.entries()) add(eventOf(span, record, fields, choice, at), index);
    }
  });
  return { found, ignored, spansIgnored };
}

/** `index` is that of the choice, where there are several. */
function eventOf(
  span: Span,
  record: LogRecord,
  fields: SpanFields,
  choice: Choice | undefined,
  index: number | undefined,
): Found {
  if (choice === undefined) return { code: 'schema', detail: `message ${index ?? 0} of the span is no object` };
  const { placed, given } = fields;
  const exampleId = firstOf(fields.examplePlaces, { value: span, record });
  if (exampleId === undefined) return { code: 'no_example_id', detail: noExampleId(placed) };
  const { values } = span.attributes;
  // One shape for all events: objects of one shape are read fast.
  const event: { [Field in FieldName | 'refused']: unknown } = {
    example_id: fitted('example_id', exampleId),
    event_id: identityOf(span, index),
    ts: span.endMs,
    model: values[at.responseModel] ?? values[at.requestModel],
    agent: values[at.agent] ?? span.resource.values[at.service],
    tags: undefined,
    run: fitted('run', runOf(span, record, fields)) ?? index,
    label: either(span, at.label),
    tool_calls: choice.tool_calls,
    tools: fitted('tools', values[at.tools]),
    output: choice.output,
    error: errorOf(span),
    success: fitted('success', either(span, at.success)),
    refused: choice.refused || undefined,
  };
  for (const [name, places] of given) event[name] = fitted(name, firstOf(places, { value: span, record }));
  if (placed.tags.length > 0)
    event.tags = { ...(isObject(event.tags) && event.tags), ...tagsOf({ value: span, record, places: placed }) };
  return isTooDeep(event, values, fields) ? { code: 'too_deep', detail: '' } : { event };
}

function errorOf({ failure, attributes }: Span): unknown {
  return failure || (attributes.values[at.errorType] ?? (failure === '' ? 'the span has status ERROR' : undefined));
}

/** The attribute of a span, else of its resource. */
function either({ attributes, resource }: Span, place: number): unknown {
  return attributes.values[place] ?? resource.values[place];
}

function runOf(span: Span, record: LogRecord, { runPlaces }: SpanFields): unknown {
  return (runPlaces === undefined ? either(span, at.run) : firstOf(runPlaces, { value: span, record })) ?? undefined;
}

function identityOf({ traceId, spanId }: Span, index: number | undefined): string | undefined {
  if (traceId === '' || spanId === '') return undefined;
  const id = index === undefined ? `${traceId}-${spanId}` : `${traceId}-${spanId}#${index}`;
  return isId(id, idCharactersMax) ? id : undefined;
}

/** Texts tell cheaply that what was parsed of them does not nest; all else is walked. */
function isTooDeep(event: object, values: readonly unknown[], { given, depth }: SpanFields): boolean {
  const tools = values[at.tools];
  const areFlat = isFlatText(values[at.messages], depth) && (tools === undefined || isFlatText(tools, depth));
  return (given.length > 0 || !areFlat) && nestsDeeper(event, depth);
}

function isFlatText(value: unknown, depth: number): boolean {
  return typeof value === 'string' && !mayNestDeeper(value, depth);
}

function noExampleId({ exampleId }: Places): string {
  return `example_id is at none of ${exampleId}; set the attribute assay.example_id on the span, or say where it lies with input.fields.example_id (replay: --field example_id=PLACE)`;
}
