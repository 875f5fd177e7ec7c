import { facetNames } from '../../src/formats/summary/failure-facts.ts';
import { sliceId } from '../../src/formats/summary/live-group.ts';
import { dimensionLabel } from '../../src/state/dimension.ts';
import type { Choices } from './state.ts';

/** Choices as the address has them after the `#` (docs/reference/http.md, "The web page"): a link shows another person the same. */
export function initialChoices(): Choices {
  const given = new URLSearchParams(location.hash.slice(1));
  const theme = given.get('theme');
  return {
    slice: given.get('by') ?? undefined,
    window: given.get('window') ?? undefined,
    focus: given.get('focus') ?? groupOf(given),
    failed: given.get('failed') ?? undefined,
    from: timeOf(given.get('from')),
    until: timeOf(given.get('until')),
    find: Object.fromEntries(findNames.flatMap((name) => (given.get(name) ? [[name, given.get(name)!]] : []))),
    chart: given.get('chart') ?? undefined,
    filter: given.get('filter') ?? '',
    sort: given.get('sort') ?? undefined,
    showAll: given.get('groups') === 'all',
    showFailures: false,
    showReview: given.get('review') === 'open',
    paused: false,
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
  };
}

const findNames = [...facetNames, 'text'] as const;

/** The group that a link names by its labels, `by=model&model=atlas-mini`; undefined where it names none. */
function groupOf(given: URLSearchParams): string | undefined {
  const dimensions = given.get('by')?.split(',') ?? [];
  const values = dimensions.map((dimension) => [dimension, given.get(dimensionLabel(dimension))] as const);
  if (values.length === 0 || values.some(([, value]) => value === null)) return undefined;
  return sliceId(Object.fromEntries(values as readonly (readonly [string, string])[]));
}

/** A time of a link, ISO 8601 or ms since 1970, as ms. */
function timeOf(text: string | null): number | undefined {
  const ms = /^\d{1,15}$/.test(text ?? '') ? Number(text) : Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

const themes: readonly Choices['theme'][] = ['auto', 'light', 'dark'];

type Change = (choices: Choices, value: string) => Partial<Choices>;

const wholeTime = { from: undefined, until: undefined };

/** The change by each action of the web page; the value is that of its field, or the id of its button. */
const changes: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['slice', (_, slice) => ({ slice, focus: undefined, failed: undefined, find: {} })],
  ['window', (_, window) => ({ window })],
  ['focus', ({ focus }, id) => ({ focus: focus === id ? undefined : id, failed: undefined, find: {} })],
  ['watch', lookedAt],
  ['failures', lookedAt],
  ['range', (_, ends) => rangeOf(ends)],
  ['from', ({ until }, from) => rangeOf(`${from},${until ?? ''}`)],
  ['until', ({ from }, until) => rangeOf(`${from ?? ''},${until}`)],
  ...findNames.map((name): [string, Change] => [
    `find-${name}`,
    ({ find }, value) => ({ find: { ...find, [name]: value === '' ? undefined : value } }),
  ]),
  ['chart', (_, chart) => ({ chart })],
  ['filter', (_, filter) => ({ filter })],
  ['sort', (_, sort) => ({ sort })],
  ['all-failures', () => ({ failed: undefined, find: {}, ...wholeTime })],
  ['show-all', ({ showAll }) => ({ showAll: !showAll })],
  ['show-failures', ({ showFailures }) => ({ showFailures: !showFailures })],
  ['review', ({ showReview }) => ({ showReview: !showReview })],
  ['pause', ({ paused }) => ({ paused: !paused })],
  ['theme', ({ theme }) => ({ theme: themes[(themes.indexOf(theme) + 1) % themes.length]! })],
]);

/** A group of any set of dimensions, and which failures of it: the total is looked at in the set that is shown. */
function lookedAt({ slice }: Choices, target: string): Partial<Choices> {
  const [focus, set, failed] = target.split(' ', 3);
  return { focus, slice: set === '' ? slice : set, failed, find: {}, ...wholeTime };
}

/** The ends of a time range, `<from>,<until>` in ms, the earlier one first; an empty one is open. */
function rangeOf(ends: string): Pick<Choices, 'from' | 'until'> {
  const [from, until] = ends.split(',').map((end) => (end === '' ? undefined : Number(end)));
  return from !== undefined && until !== undefined && from > until ? { from: until, until: from } : { from, until };
}

/** Actions that Back does not undo by themselves: texts come letter by letter, and a theme is nothing that is looked at. */
const replacing = /^(filter|find-text|theme)$/;

/** Fields that move through many values on the way to one choice: all of them are one entry. */
const moving = /^(from|until)$/;

/** Does what an action says, and puts the choices into the address: as an entry of its own, to which Back returns. */
export function choose(choices: Choices, action: string, value: string): void {
  const before = addressOf(choices);
  Object.assign(choices, changes.get(action)?.(choices, value));
  const address = addressOf(choices);
  if (address === before) return;
  const isSameEntry = replacing.test(action) || (moving.test(action) && history.state === action);
  if (isSameEntry) history.replaceState(history.state, '', address);
  else history.pushState(action, '', address);
}

/** Calls a function when Back or Forward has led to other choices, which are in place then. The theme stays, and so does what no address has. */
export function onReturn(choices: Choices, then: () => void): void {
  addEventListener('popstate', () => {
    const { theme, paused, showFailures } = choices;
    Object.assign(choices, initialChoices(), { theme, paused, showFailures });
    history.replaceState(history.state, '', addressOf(choices));
    then();
  });
}

function addressOf(choices: Choices): string {
  const { slice, window: name, focus, failed, from, until, find, chart, filter, sort, theme } = choices;
  const { showAll, showReview } = choices;
  const chosen = {
    by: slice,
    window: name,
    focus,
    failed,
    from: isoOf(from),
    until: isoOf(until),
    ...find,
    chart,
    filter: filter === '' ? undefined : filter,
    sort,
    groups: showAll ? 'all' : undefined,
    review: showReview ? 'open' : undefined,
    theme: theme === 'auto' ? undefined : theme,
  };
  return `#${query(chosen)}`;
}

/** The failures that the service is asked for, `<path>,<since>,<until>`: a chosen time range goes before that of the incident. */
export function failedIn({ failed, from, until }: Pick<Choices, 'failed' | 'from' | 'until'>): string | undefined {
  if (from === undefined && until === undefined) return failed;
  return `${failed?.split(',')[0] ?? ''},${isoOf(from ?? 0)},${isoOf(until) ?? ''}`;
}

function isoOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** The given values, as the query of an address. */
export function query(values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
}
