import { type FieldName, fieldNames, tagPrefix } from '../inputs/fields.ts';
import { outputAt, unreadAt } from '../inputs/form.ts';
import { fieldWords, rowWordsOf, type ScannedField, valueTypes } from '../prediction/scanner.ts';
import { knownPlaces as at } from './known-names.ts';
import type { Names } from './span.ts';

/** How spans are read by their bytes: what is looked for in their attributes, and what of an event it may be. */
export interface SpanPlan {
  /** The attributes, by their places. */
  readonly fields: readonly ScannedField[];
  /** Where an event has its columns: of several attributes the first that is there counts. Undefined: the span has it itself. */
  readonly columns: Readonly<Record<(typeof columns)[number], readonly number[] | undefined>>;
  /** The same of its tags, by their names. */
  readonly tags: ReadonlyMap<string, readonly number[]>;
  /** What it depends on: hashes by two plans are never to be taken for each other. */
  readonly text: string;
}

const columns = ['example_id', 'event_id', 'ts', 'model', 'agent', 'run'] as const;

/** In place of words: whatever lies elsewhere than in an attribute. */
export const elsewhere = -1;

export const attributePrefix = 'attribute:';

/** Where an example id lies, unless the configuration says so. */
export const exampleIdPlaces: readonly string[] = [
  'attribute:assay.example_id',
  '/example_id',
  '/metadata/example_id',
  'header:example_id',
  'key',
];

/** What is read of messages but for the ids of calls, with what they say apart. */
const messageTexts = [
  ...[outputAt('[].parts[].content'), outputAt('[].content'), outputAt('[].content[].text')],
  unreadAt('[].parts[].id'),
];

/** The plan of how spans are read; undefined where all of them have to be parsed. `given`: `input.fields`. */
export function spanPlan(
  given: Readonly<Record<string, string | readonly string[]>>,
  names: Names,
): SpanPlan | undefined {
  const others = fieldNames.filter((name) => !(columns as readonly FieldName[]).includes(name));
  if (others.some((name) => name in given)) return undefined;
  const rowWords = rowWordsOf(names.size);
  const own = (place: number): number => fieldWords * place;
  const either = (place: number): number[] => [own(place), rowWords + own(place)];
  const placed = (places: string | readonly string[]): readonly number[] =>
    [places].flat().flatMap((place) => {
      const name = names.get(place.slice(attributePrefix.length));
      return place.startsWith(attributePrefix) && name !== undefined ? either(name) : [elsewhere];
    });
  const column = (name: FieldName, usual: readonly number[] | undefined) =>
    given[name] === undefined ? usual : placed(given[name]);
  const tags = Object.keys(given).filter((name) => name.startsWith(tagPrefix));
  return {
    fields: [...names].map(([name, place]) => ({ name, types: valueTypes, elements: valueTypes, ...read(place) })),
    columns: {
      example_id: column('example_id', placed(exampleIdPlaces)),
      event_id: column('event_id', undefined),
      ts: column('ts', undefined),
      model: column('model', [own(at.responseModel), own(at.requestModel)]),
      agent: column('agent', [own(at.agent), rowWords + own(at.service)]),
      run: column('run', either(at.run)),
    },
    tags: new Map(tags.map((name) => [name.slice(tagPrefix.length), placed(given[name]!)])),
    text: `spans ${JSON.stringify(given)}`,
  };
}

function read(place: number): Partial<ScannedField> {
  if (place === at.messages) return { hash: 'both', texts: messageTexts, isJsonText: true };
  if (place === at.tools) return { hash: 'first', isJsonText: true };
  return { hash: contentPlaces.includes(place) ? 'first' : 'alone' };
}

/** What an event is read from, besides. */
const contentPlaces: readonly number[] = [at.label, at.success, at.errorType];
