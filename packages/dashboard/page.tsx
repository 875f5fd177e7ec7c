import { render } from 'preact';
import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import type { LiveGroup } from '../../src/formats/summary/live-group.ts';
import { choose } from './choices.ts';
import {
  type Choices,
  type Connection,
  livePicture,
  type Look,
  type Picture,
  reportPicture,
  sortedGroups,
} from './state.ts';
import { PageView } from './view.tsx';

/** The page in the browser. */
export interface Page {
  showReading(reading: LiveDocument): void;
  showReport(report: LiveDocument): void;
  /** There is no answer: what is here stays, and is marked. */
  showProblem(problem: string): void;
  picture(): Picture | undefined;
  /** Calls back when the person chose what only the service can show. */
  onChoice(ask: () => void): void;
}

interface State {
  picture: Picture | undefined;
  report: LiveDocument | undefined;
  connection: Connection;
  /** Groups in the order of the last drawing. */
  sorted: readonly LiveGroup[];
  isPrinted: boolean;
  ask: () => void;
}

/** A page in an element; `choices` change as the person acts. */
export function createPage(root: Element, choices: Choices): Page {
  const state: State = {
    picture: undefined,
    report: undefined,
    connection: { ok: true, problem: '' },
    sorted: [],
    isPrinted: false,
    ask: () => undefined,
  };
  const draw = (): void => drawPage(root, choices, state);
  const act = (action: string, value: string): void => {
    choose(choices, action, value);
    state.sorted = [];
    if (state.report !== undefined) state.picture = reportPicture(state.report, choices);
    draw();
    if (asked.has(action)) state.ask();
  };
  listen(root, act);
  darkSystem.addEventListener('change', draw);
  for (const [event, isPrinted] of [
    ['beforeprint', true],
    ['afterprint', false],
  ] as const)
    addEventListener(event, () => {
      state.isPrinted = isPrinted;
      draw();
    });
  return {
    showReading(reading) {
      state.picture = withHeldFailures(root, livePicture(reading, state.picture), state.picture);
      state.connection = { ok: true, problem: '' };
      draw();
    },
    showReport(report) {
      state.report = report;
      state.picture = reportPicture(report, choices);
      draw();
    },
    showProblem(problem) {
      state.connection = { ok: false, problem };
      draw();
    },
    picture: () => state.picture,
    onChoice(ask) {
      state.ask = ask;
    },
  };
}

function drawPage(root: Element, choices: Choices, state: State): void {
  const { picture, connection, isPrinted } = state;
  const look = lookOf(choices, isPrinted);
  document.documentElement.dataset['theme'] = look.theme;
  if (picture === undefined) {
    const text = connection.ok ? 'Reading …' : `${connection.problem}. Trying again.`;
    render(<p class="waiting quiet" role="status" children={text} />, root);
    return;
  }
  state.sorted = orderedGroups(picture, choices, isRead(root, '.groups') ? state.sorted : []);
  render(
    <PageView picture={picture} choices={choices} connection={connection} sorted={state.sorted} look={look} />,
    root,
  );
}

const darkSystem = matchMedia('(prefers-color-scheme: dark)');

/** Of the style sheet for paper. */
const printedChartWidth = 320;

/** On paper the page is light, whatever the screen is. */
function lookOf({ theme }: Choices, isPrinted: boolean): Look {
  if (isPrinted) return { theme: 'light', chartWidth: printedChartWidth };
  return { theme: theme !== 'auto' ? theme : darkSystem.matches ? 'dark' : 'light', chartWidth: undefined };
}

/** The failures of before, while they are being read. */
function withHeldFailures(root: Element, picture: Picture, before: Picture | undefined): Picture {
  const isSameGroup = before?.focus?.id === picture.focus?.id && before?.slice === picture.slice;
  if (before === undefined || !isSameGroup || !isRead(root, '.failures')) return picture;
  return { ...picture, failures: before.failures };
}

/** Somebody points at it, or is in it with the keyboard: it must not move under them. */
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

/** What only the service can show. */
const asked: ReadonlySet<string> = new Set(['slice', 'window', 'focus', 'pause']);

/** Buttons and fields tell their actions in `data-action`. */
function listen(root: Element, act: (action: string, value: string) => void): void {
  root.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('button[data-action]');
    if (button === null) return;
    act(button.dataset['action']!, button.dataset['id'] ?? '');
    if (button.closest('.alarms') !== null) root.querySelector('.history, .detail')?.scrollIntoView();
  });
  root.addEventListener('input', ({ target }) => {
    const { dataset, value } = target as HTMLInputElement | HTMLSelectElement;
    if (dataset['action'] !== undefined) act(dataset['action'], value);
  });
}
