import { render } from 'preact';
import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import type { LiveGroup } from '../../src/formats/summary/live-group.ts';
import { rangeChosen } from './charts.tsx';
import { choose, initialChoices, onReturn } from './choices.ts';
import { poll } from './poll.ts';
import type { Review } from './review.ts';
import { reviewing } from './reviewing.ts';
import { type Choices, livePicture, type Picture, reportPicture, type Shown, sortedGroups } from './state.ts';
import { PageView } from './view.tsx';

interface State extends Pick<Shown, 'connection'> {
  /** Groups in the order of the last drawing. */
  sorted: readonly LiveGroup[];
  picture: Picture | undefined;
  isPrinted: boolean;
  review: Review | undefined;
}

/** The page in an element: of a report, or of the service that it came from. */
export function createPage(root: Element, report: LiveDocument | undefined): void {
  const choices = initialChoices();
  const connection = { ok: true, problem: '' };
  const state: State = { picture: undefined, connection, sorted: [], isPrinted: false, review: undefined };
  const update = (change: Partial<State>): void => {
    Object.assign(state, change);
    draw(root, choices, state);
  };
  const showReading = (reading: LiveDocument): void => {
    const picture = withHeldFailures(root, livePicture(reading, state.picture), state.picture);
    update({ picture, connection: { ok: true, problem: '' } });
  };
  const ask =
    report === undefined
      ? poll(
          choices,
          () => state.picture,
          showReading,
          (problem) => update({ connection: { ok: false, problem } }),
        )
      : () => update({ picture: reportPicture(report, choices) });
  const review = reviewing(root, (review) => update({ review }));
  const showChoices = (): void => {
    if (report === undefined) review.setOpen(choices.showReview);
    update({ sorted: [] });
  };
  showChoices();
  listen(root, (action, value) => {
    if (review.act(action, value)) return;
    choose(choices, action, value);
    showChoices();
    if (report !== undefined || asked.test(action)) ask();
  });
  onReturn(choices, () => {
    showChoices();
    ask();
  });
  darkSystem.addEventListener('change', () => update({}));
  addEventListener('beforeprint', () => update({ isPrinted: true }));
  addEventListener('afterprint', () => update({ isPrinted: false }));
  ask();
}

/** The parts that only the service can show. */
const asked = /^(slice|window|focus|watch|failures|range|from|until|find-.*|all-failures|pause)$/;

const darkSystem = matchMedia('(prefers-color-scheme: dark)');

function draw(root: Element, choices: Choices, state: State): void {
  const { picture, connection, isPrinted, review } = state;
  // On paper the page is light, whatever the screen is.
  const system = darkSystem.matches ? 'dark' : 'light';
  const theme = isPrinted ? 'light' : choices.theme === 'auto' ? system : choices.theme;
  document.documentElement.dataset['theme'] = theme;
  if (picture !== undefined) {
    const sorted = orderedGroups(picture, choices, isRead(root, '.groups') ? state.sorted : []);
    state.sorted = sorted;
    render(<PageView {...{ picture, choices, connection, sorted, review }} />, root);
    return;
  }
  render(
    <p class="waiting quiet" role="status">
      {connection.ok ? 'Reading …' : `${connection.problem}. Trying again.`}
    </p>,
    root,
  );
}

/** The failures of before, and the values to choose from, while they are being read. */
function withHeldFailures(root: Element, picture: Picture, before: Picture | undefined): Picture {
  const shown = ({ document }: Picture): string => JSON.stringify(document.shown);
  const isSame = before !== undefined && shown(before) === shown(picture);
  if (!isSame || !isRead(root, '.why')) return picture;
  return { ...picture, document: { ...picture.document, kept: before.document.kept }, failures: before.failures };
}

/** The pointer or the keyboard is in it: it must not move. */
function isRead(root: Element, selector: string): boolean {
  const element = root.querySelector(selector);
  if (element === null) return false;
  return element.matches(':focus-within') || (matchMedia('(hover: hover)').matches && element.matches(':hover'));
}

/** The groups by the chosen column, those that are held as they stood. */
function orderedGroups(picture: Picture, choices: Choices, held: readonly LiveGroup[]): readonly LiveGroup[] {
  const places = new Map(held.map(({ id }, place) => [id, place]));
  const placeOf = ({ id }: LiveGroup): number => places.get(id) ?? held.length;
  return sortedGroups(picture, choices).sort((a, b) => placeOf(a) - placeOf(b));
}

/** Where an action leads on the page. */
const places: ReadonlyMap<string, string> = new Map([
  ['watch', '.verdict'],
  ['failures', '.why'],
  ['review', '.review'],
]);

/** Buttons and fields tell their actions in `data-action`. */
function listen(root: Element, act: (action: string, value: string) => void): void {
  root.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('button[data-action]');
    if (button === null) return;
    act(button.dataset['action']!, button.dataset['id'] ?? '');
    const place = places.get(button.dataset['action']!);
    if (place !== undefined) root.querySelector(place)?.scrollIntoView();
  });
  root.addEventListener('input', ({ target }) => {
    const field = target as HTMLInputElement | HTMLSelectElement;
    const action = field.dataset['action'];
    if (action !== undefined) act(action, valueIn(field, action));
  });
  root.addEventListener(rangeChosen, (event) => act('range', (event as CustomEvent<string>).detail));
}

/** The value of a field. An end of the time range stops at the other end, and is empty where the history ends. */
function valueIn(field: HTMLInputElement | HTMLSelectElement, action: string): string {
  if (!(field instanceof HTMLInputElement) || field.type !== 'range') return field.value;
  const { min, max, step, dataset } = field;
  const value = Math.max(Number(dataset['least']), Math.min(Number(dataset['most']), Number(field.value)));
  // The greatest value is a whole number of steps from the least.
  const isOpen = action === 'from' ? value <= Number(min) : Number(max) - value < Number(step);
  return isOpen ? '' : String(value);
}
