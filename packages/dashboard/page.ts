import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import type { LiveGroup } from '../../src/formats/summary/live-group.ts';
import { createCharts } from './charts.ts';
import { nextTheme, rememberChoices } from './choices.ts';
import { patch } from './patch.ts';
import { type Choices, type Connection, livePicture, type Picture, reportPicture, sortedGroups } from './state.ts';
import { pageView } from './view.ts';
import { h } from './vnode.ts';

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

interface Shown {
  picture: Picture | undefined;
  report: LiveDocument | undefined;
  connection: Connection;
  /** Ids of the groups in the order of the last drawing. */
  order: readonly string[];
  ask: () => void;
}

/** A page in an element; `choices` change as the person acts. */
export function createPage(root: Element, choices: Choices): Page {
  const charts = createCharts();
  const shown: Shown = {
    picture: undefined,
    report: undefined,
    connection: { ok: true, problem: '' },
    order: [],
    ask: () => undefined,
  };
  const draw = (resort = false): void => {
    const { picture, connection } = shown;
    document.documentElement.dataset['theme'] = choices.theme;
    if (picture === undefined) {
      patch(root, [waiting(connection)]);
      return;
    }
    const groups = orderedGroups(picture, choices, shown.order, !resort && isRead(root, '.groups'));
    shown.order = groups.map(({ id }) => id);
    patch(root, pageView(picture, choices, connection, groups));
    charts.draw(root, picture);
  };
  const redraw = (): void => {
    if (shown.report !== undefined) shown.picture = reportPicture(shown.report, choices);
    draw(true);
  };
  listen(root, choices, shown, redraw, () => charts.restyle());
  watchTheme(charts.restyle);
  return {
    showReading(reading) {
      shown.picture = withHeldFailures(root, livePicture(reading, shown.picture), shown.picture);
      shown.connection = { ok: true, problem: '' };
      draw();
    },
    showReport(report) {
      shown.report = report;
      redraw();
    },
    showProblem(problem) {
      shown.connection = { ok: false, problem };
      draw();
    },
    picture: () => shown.picture,
    onChoice(ask) {
      shown.ask = ask;
    },
  };
}

function waiting({ ok, problem }: Connection) {
  return h('p', { key: 'waiting', class: 'waiting', role: 'status' }, ok ? 'Reading …' : `${problem}. Trying again.`);
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

/** The groups by the chosen column, or in the order in which they are being read. */
function orderedGroups(
  picture: Picture,
  choices: Choices,
  order: readonly string[],
  hold: boolean,
): readonly LiveGroup[] {
  const sorted = sortedGroups(picture, choices);
  if (!hold) return sorted;
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ id }: LiveGroup): number => places.get(id) ?? order.length;
  return [...sorted].sort((a, b) => placeOf(a) - placeOf(b));
}

function listen(root: Element, choices: Choices, shown: Shown, redraw: () => void, restyle: () => void): void {
  const act = (action: string | undefined, value: string): void => {
    if (action === undefined) return;
    choose(choices, action, value);
    rememberChoices(choices);
    redraw();
    if (action === 'theme') restyle();
    if (asked.has(action)) shown.ask();
  };
  root.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('button[data-action]');
    act(button?.dataset['action'], button?.dataset['id'] ?? '');
    if (button?.closest('.alarms') != null) root.querySelector('.history, .detail')?.scrollIntoView();
  });
  root.addEventListener('input', (event) => {
    const field = event.target as HTMLInputElement | HTMLSelectElement;
    act(field.dataset['action'], field.value);
  });
}

/** What only the service can show. */
const asked: ReadonlySet<string> = new Set(['slice', 'window', 'focus', 'pause']);

function choose(choices: Choices, action: string, value: string): void {
  if (action === 'slice') Object.assign(choices, { slice: value, focus: undefined });
  else if (action === 'window') choices.window = value;
  else if (action === 'focus') choices.focus = choices.focus === value ? undefined : value;
  else if (action === 'filter') choices.filter = value;
  else if (action === 'sort') choices.sort = value;
  else if (action === 'show-all') choices.showAll = !choices.showAll;
  else if (action === 'show-failures') choices.showFailures = !choices.showFailures;
  else if (action === 'pause') choices.paused = !choices.paused;
  else if (action === 'theme') choices.theme = nextTheme(choices.theme);
}

/** Of the style sheet for paper. */
const printedChartWidth = 320;

function watchTheme(restyle: (width?: number) => void): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => restyle());
  // On paper the page is light, whatever the screen is.
  const theme = { before: '' };
  addEventListener('beforeprint', () => {
    theme.before = document.documentElement.dataset['theme'] ?? 'auto';
    document.documentElement.dataset['theme'] = 'light';
    restyle(printedChartWidth);
  });
  addEventListener('afterprint', () => {
    document.documentElement.dataset['theme'] = theme.before;
    restyle();
  });
}
