import { isObject } from '../../scoring/json.ts';
import { traceKey } from '../../state/open-runs.ts';
import type { LogRecord } from '../../stream/event.ts';
import { idCharactersMax, isId } from '../bytes/unicode.ts';
import { fitted, idText } from '../inputs/fields.ts';
import { firstOf, type Places, placesOf, tagsOf } from '../inputs/field-places.ts';
import type { InputOptions } from '../inputs/input.ts';
import { type PlaceUses, usedPlaces } from '../inputs/place-use.ts';
import type { Place } from '../inputs/places.ts';
import { exampleIdPlaces, names } from './names.ts';
import { agentNamed, agentPlaces } from './parts.ts';
import type { Span } from './span.ts';

/** The run of a span (configuration: `runs.by`): its trace, or the value at the first of some places that is there. */
export type RunKey = 'trace' | { readonly at: string | readonly string[] };

/** Where the fields of steps lie. */
export interface StepPlaces {
  /** Places as the configuration has them. */
  readonly all: Places;
  /** The same, but for all that a span has not of itself: attributes alone. */
  readonly own: Places;
  /** Places of the key of the run, and those of them that lie on a span itself. Undefined: the trace is the run. */
  readonly run: { readonly all: readonly Place[]; readonly own: readonly Place[] } | undefined;
  /** Fields that the configuration itself places. */
  readonly configured: ReadonlySet<string>;
}

/** Fields of a native event that one span gives: `own` lie on it, `shared` only on what surrounds it. */
export interface StepFields {
  readonly own: Fields;
  readonly shared: Fields;
  /** Time in ms at a place of its own; undefined where there is none. */
  readonly ts: unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The places of fields, with those of our own attributes and of the conventions where the configuration names none. */
export function stepPlaces(fields: InputOptions['fields'], key: RunKey, uses: PlaceUses): StepPlaces {
  const given = { ...defaultPlaces, ...fields };
  const onSpan = (all: string | readonly string[]): string[] =>
    [all].flat().filter((place) => place.startsWith('attribute:'));
  const ownOnly = Object.entries(given).map(([name, all]) => [name, onSpan(all)] as const);
  const keys = key === 'trace' ? [] : [key.at].flat();
  return {
    all: placesOf(given, uses),
    own: placesOf(Object.fromEntries(ownOnly), new Map()),
    run:
      key === 'trace'
        ? undefined
        : { all: usedPlaces(uses, runKeyName, keys), own: usedPlaces(new Map(), runKeyName, onSpan(keys)) },
    configured: new Set(Object.keys(fields)),
  };
}

/** The name of the run's key in notices. */
export const runKeyName = 'runs.by';

const defaultPlaces: InputOptions['fields'] = {
  example_id: exampleIdPlaces,
  agent: agentPlaces,
  run: `attribute:${names.run}`,
  label: `attribute:${names.label}`,
  success: `attribute:${names.success}`,
  'tags.conversation': `attribute:${names.conversation}`,
};

/** The fields that a span gives. */
export function stepFields(span: Span, record: LogRecord, places: StepPlaces): StepFields {
  const { ts, ...all } = fieldsAt(places.all, span, record);
  const alone = { ...span, resource: none };
  const { ts: _, ...own } = fieldsAt(places.own, alone, record);
  if (places.run !== undefined) {
    all['run_key'] = keyAt(places.run.all, span, record);
    own['run_key'] = keyAt(places.run.own, alone, record);
  }
  if (!places.configured.has('agent')) own['agent'] ??= agentNamed(span);
  const shared = without(all, own);
  // The Collector's key of a record is the trace id: no example has that name, unless the configuration says so.
  if (!places.configured.has('example_id') && shared['example_id'] === span.traceId) delete shared['example_id'];
  return { own: present(own), shared: present(shared), ts };
}

/** The run of a span: its trace, which shows the runs of its steps when it is whole; without a trace the key at the place. */
export function runKeyOf({ traceId }: Span, { run }: StepPlaces, { own, shared }: StepFields): string | undefined {
  if (isId(traceId, idCharactersMax)) return run === undefined ? traceId : traceKey(traceId);
  return (own['run_key'] ?? shared['run_key']) as string | undefined;
}

function keyAt(places: readonly Place[], value: Span, record: LogRecord): string | undefined {
  const key = idText(firstOf(places, { value, record }));
  return isId(key, idCharactersMax) ? key : undefined;
}

const none: Span['attributes'] = new Map();

function fieldsAt(places: Places, value: Span, record: LogRecord): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, at] of places.fields) found[name] = fitted(name, firstOf(at, { value, record }));
  const tags = places.tags.length === 0 ? {} : tagsOf({ value, record, places });
  if (Object.keys(tags).length > 0) found['tags'] = { ...(isObject(found['tags']) && found['tags']), ...tags };
  return found;
}

/** The fields that others lack; of tags each. */
function without(all: Fields, own: Fields): Record<string, unknown> {
  const left = Object.fromEntries(Object.entries(all).filter(([name]) => own[name] === undefined));
  const { tags } = all;
  if (isObject(tags) && isObject(own['tags'])) {
    const others = Object.entries(tags).filter(([name]) => !Object.hasOwn(own['tags'] as object, name));
    if (others.length > 0) left['tags'] = Object.fromEntries(others);
  }
  return left;
}

/** The fields that are there. */
export function present(fields: object): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
