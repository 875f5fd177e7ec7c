import { sliceId } from '../../src/formats/summary/live-group.ts';
import { dimensionLabel } from '../../src/state/dimension.ts';
import type { Choices } from './state.ts';

const defaultSort = 'decision.accuracy';

/** Choices as the address has them after the `#`: a link shows another person the same. */
export function initialChoices(): Choices {
  const given = new URLSearchParams(location.hash.slice(1));
  const theme = given.get('theme');
  return {
    slice: given.get('by') ?? undefined,
    window: given.get('window') ?? undefined,
    focus: given.get('focus') ?? groupOf(given),
    failed: given.get('failed') ?? undefined,
    filter: given.get('filter') ?? '',
    sort: given.get('sort') ?? defaultSort,
    showAll: given.get('groups') === 'all',
    showFailures: false,
    showReview: given.get('review') === 'open',
    paused: false,
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
  };
}

/** The group that a link from an alert names by its labels, `by=model&model=atlas-mini`; undefined where it names none. */
function groupOf(given: URLSearchParams): string | undefined {
  const dimensions = given.get('by')?.split(',') ?? [];
  const values = dimensions.map((dimension) => [dimension, given.get(dimensionLabel(dimension))] as const);
  if (values.length === 0 || values.some(([, value]) => value === null)) return undefined;
  return sliceId(Object.fromEntries(values as readonly (readonly [string, string])[]));
}

const themes: readonly Choices['theme'][] = ['auto', 'light', 'dark'];

type Change = (choices: Choices, value: string) => Partial<Choices>;

/** The change by each action of the web page; the value is that of its field, or the id of its button. */
const changes: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['slice', (_, slice) => ({ slice, focus: undefined, failed: undefined })],
  ['window', (_, window) => ({ window })],
  ['focus', ({ focus }, id) => ({ focus: focus === id ? undefined : id, failed: undefined })],
  ['watch', lookedAt],
  ['failures', lookedAt],
  ['filter', (_, filter) => ({ filter })],
  ['sort', (_, sort) => ({ sort })],
  ['all-failures', () => ({ failed: undefined })],
  ['show-all', ({ showAll }) => ({ showAll: !showAll })],
  ['show-failures', ({ showFailures }) => ({ showFailures: !showFailures })],
  ['review', ({ showReview }) => ({ showReview: !showReview })],
  ['pause', ({ paused }) => ({ paused: !paused })],
  ['theme', ({ theme }) => ({ theme: themes[(themes.indexOf(theme) + 1) % themes.length]! })],
]);

/** A group of any set of dimensions, and which failures of it: the total is looked at in the set that is shown. */
function lookedAt({ slice }: Choices, target: string): Partial<Choices> {
  const [focus, set, failed] = target.split(' ', 3);
  return { focus, slice: set === '' ? slice : set, failed };
}

/** Does what an action says, and puts the choices into the address. */
export function choose(choices: Choices, action: string, value: string): void {
  Object.assign(choices, changes.get(action)?.(choices, value));
  const { slice, window: name, focus, failed, filter, sort, showAll, showReview, theme } = choices;
  const chosen = {
    by: slice,
    window: name,
    focus,
    failed,
    filter: filter === '' ? undefined : filter,
    sort: sort === defaultSort ? undefined : sort,
    groups: showAll ? 'all' : undefined,
    review: showReview ? 'open' : undefined,
    theme: theme === 'auto' ? undefined : theme,
  };
  history.replaceState(null, '', `#${query(chosen)}`);
}

/** The given values, as the query of an address. */
export function query(values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
}
