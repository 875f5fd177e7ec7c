import { Buffer } from 'node:buffer';
import { usualFields } from '../prediction/fields.ts';
import { nameBytesMax, type ScannedField, type ScannedText, valueTypes } from '../prediction/scanner.ts';
import { type FieldName, fieldNames } from './fields.ts';
import type { Form } from './form.ts';
import { forms, isOpen, providedForms } from './forms.ts';
import type { InputOptions } from './input.ts';

/** How records of other forms are told and read by their bytes: which fields are looked for, and what of an event each of them may be. */
export interface ScanPlan {
  /** Those of the native event come first. */
  readonly fields: readonly ScannedField[];
  readonly forms: readonly FormPlan[];
  /** Whether all of `tags` lies where it is looked for. */
  readonly hasTags: boolean;
  /** What the fields depend on: hashes by two plans are never to be taken for each other. */
  readonly text: string;
}

/** Where an event of one form has its columns: indexes of fields, of which the first that is there counts. */
export interface FormPlan extends Readonly<Record<ScannedColumn, readonly number[]>> {
  readonly form: Form;
  /** The answer's own identity, where the event has none. */
  readonly own_id: readonly number[];
  /** Those that have to be objects, and those that may not be there. */
  readonly objects: readonly number[];
  readonly absent: readonly number[];
}

type ScannedColumn = (typeof columns)[number];
const columns = ['example_id', 'event_id', 'ts', 'model', 'agent', 'run', 'tags'] as const;

/** In place of an index: whatever lies elsewhere than in the record's value. */
export const elsewhere = -1;

/** The plan of how records are read; undefined where all of them have to be parsed. */
export function scanPlan(options: InputOptions): ScanPlan | undefined {
  const { format, response, request, fields: given } = options;
  const wanted: readonly Form[] = format === 'auto' ? providedForms : [forms[format]];
  const scanned = wanted.filter((form) => form.scanned !== undefined);
  if (scanned.length === 0) return undefined;
  const fields = scannedFields(format === 'auto');
  if (format === 'auto') for (const path of decisive(response ?? '')) fields.leaf(path, 'typed');
  for (const name of contentNames) {
    const isRead = scanned.some(isOpen) || !answerNames.includes(name);
    if (isRead) for (const path of besides(name, request)) fields.leaf(path, name === 'output' ? 'both' : 'first');
    for (const place of [given[name] ?? []].flat()) {
      if (place.startsWith('/')) fields.leaf(place, 'first');
      else if (!place.startsWith('=')) return undefined;
    }
  }
  if (request !== undefined) fields.leaf(`${request}/toolConfig`, 'first');
  const plans = scanned.map((form) => formPlan(fields, form, options));
  const hasTags = !Object.keys(given).some((name) => name.startsWith('tags.'));
  return fields.isPossible() ? { fields: fields.all, forms: plans, hasTags, text: JSON.stringify(options) } : undefined;
}

const contentNames = fieldNames.filter((name) => !(columns as readonly string[]).includes(name));
/** What answers say, and nothing beside them. */
const answerNames: readonly FieldName[] = ['tool_calls', 'output'];

/** What tells in `auto` what an answer is, besides what its form reads. */
function decisive(answer: string): readonly string[] {
  const inAnswer = ['example_id', 'label', 'tool_calls', 'data', 'lc', 'kwargs'];
  return ['/resourceSpans', ...inAnswer.map((name) => `${answer}/${name}`)];
}

/** Where a field lies beside an answer. */
function besides(name: FieldName, request: string | undefined): readonly string[] {
  const beside = [`/${name}`, `/metadata/${name}`];
  return request !== undefined && (name === 'model' || name === 'tools') ? [`${request}/${name}`, ...beside] : beside;
}

function formPlan(fields: Fields, form: Form, { response, request, fields: given }: InputOptions): FormPlan {
  const answer = response ?? '';
  const { event_id, ts, model, content, absent = [] } = form.scanned!;
  const own: Partial<Record<ScannedColumn, readonly string[]>> = { ts, model };
  const columnOf = (name: ScannedColumn): readonly number[] => {
    const places = given[name];
    if (places !== undefined) return [places].flat().flatMap((place) => placed(fields, place));
    const usual = [...(own[name] ?? []).map((at) => answer + at), ...besides(name, request)];
    return [...usual.map((path) => fields.leaf(path, 'alone')), ...(name === 'example_id' ? [elsewhere] : [])];
  };
  for (const [at, texts] of Object.entries(content))
    fields.leaf(answer + at, texts.some(({ apart }) => apart) ? 'both' : 'first', texts);
  const found = Object.fromEntries(columns.map((name) => [name, columnOf(name)])) as Record<
    ScannedColumn,
    readonly number[]
  >;
  return {
    form,
    ...found,
    own_id: given['event_id'] === undefined ? event_id.map((at) => fields.leaf(answer + at, 'alone')) : [],
    objects: response === undefined ? [] : [fields.open(response)],
    absent: absent.map((at) => fields.leaf(answer + at, 'first')),
  };
}

/** A place as the configuration writes it. A record that is no span has no attributes. */
function placed(fields: Fields, place: string): readonly number[] {
  if (place.startsWith('attribute:')) return [];
  return [place.startsWith('/') ? fields.leaf(place, 'alone') : elsewhere];
}

type Hash = NonNullable<ScannedField['hash']>;
type Writable = { -readonly [Key in keyof ScannedField]: ScannedField[Key] };

/** Fields that are being gathered. */
type Fields = ReturnType<typeof scannedFields>;

/** `isNativeToo`: native events are read by these fields as well, and all of their output is hashed with it. */
function scannedFields(isNativeToo: boolean) {
  const all: Writable[] = usualFields.map((field) => ({ ...field }));
  const byPath = new Map(all.map(({ name }, index) => [`/${name}`, index]));
  // Whatever may lie elsewhere may be absent.
  all[byPath.get('/example_id')!]!.types = valueTypes;
  let isPossible = true;

  function at(path: string): number {
    const known = byPath.get(path);
    if (known !== undefined) return known;
    const end = path.lastIndexOf('/');
    const within = end === 0 ? undefined : open(path.slice(0, end));
    const name = path
      .slice(end + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');
    isPossible &&= name !== '' && Buffer.byteLength(name) <= nameBytesMax;
    all.push({ name, within, types: valueTypes, elements: valueTypes });
    byPath.set(path, all.length - 1);
    return all.length - 1;
  }

  function open(path: string): number {
    const index = at(path);
    isPossible &&= all[index]!.hash === undefined;
    all[index]!.isOpen = true;
    return index;
  }

  function leaf(path: string, hash: Hash, texts: readonly ScannedText[] = []): number {
    const index = at(path);
    const field = all[index]!;
    const one = merged(field.hash, hash);
    isPossible &&= field.isOpen !== true && one !== undefined;
    field.hash = one;
    const known = field.texts ?? [];
    const more = texts.filter(({ at: place }) => !known.some((text) => text.at === place));
    const isOutput = isNativeToo && path === '/output';
    field.texts = [...known, ...more.map((text) => (isOutput ? { ...text, apart: true } : text))];
    return index;
  }

  return { all, open, leaf, isPossible: () => isPossible };
}

/** How a field is hashed that is read in two ways; undefined where it cannot be. */
function merged(a: Hash | undefined, b: Hash): Hash | undefined {
  if (a === undefined || a === b) return b;
  const both = [a, b];
  const isApart = both.includes('both') || both.includes('second');
  if (both.includes('alone') || both.includes('typed'))
    return isApart ? undefined : both.includes('first') ? 'first' : 'typed';
  return isApart ? 'both' : 'first';
}
