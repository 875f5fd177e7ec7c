import type { LiveGroup } from '../../src/formats/summary/live-group.ts';
import type { Change } from './alarms.ts';
import { dateAndTime, duration, percent, plural, timeOfDay } from './format.ts';
import type { Choices, Connection, Picture } from './state.ts';
import { nameOf } from './state.ts';
import { groupName, nameNode } from './view-parts.ts';
import { h, type VNode } from './vnode.ts';

/** What the page is, how current it is, and what can be chosen. */
export function headView(picture: Picture, choices: Choices, connection: Connection): VNode[] {
  return [
    h(
      'header',
      { class: 'top', key: 'top' },
      h(
        'div',
        { class: 'brand' },
        h('h1', {}, picture.isReport ? 'Assay report' : 'Assay'),
        h('p', { class: 'tagline' }, 'How often agents decide rightly, call the right tools, and hallucinate.'),
      ),
      picture.isReport ? reportStatus(picture) : liveStatus(picture, choices, connection),
    ),
    h(
      'nav',
      { class: 'choices', key: 'choices', 'aria-label': 'What is shown' },
      picture.document.sets.length > 0 && chooser('slice', 'By', sliceOptions(picture), choices.slice ?? picture.slice),
      windowsOf(picture).length > 1 &&
        chooser('window', 'Window', windowsOf(picture), choices.window ?? picture.window),
      h(
        'div',
        { class: 'tools' },
        !picture.isReport &&
          h(
            'button',
            { type: 'button', class: 'tool', 'data-action': 'pause', 'aria-pressed': String(choices.paused) },
            choices.paused ? 'Resume' : 'Pause',
          ),
        h('button', { type: 'button', class: 'tool', 'data-action': 'theme' }, `Theme: ${choices.theme}`),
      ),
    ),
  ];
}

function liveStatus({ document }: Picture, { paused }: Choices, { ok, problem }: Connection): VNode {
  const state = paused ? 'Paused' : ok ? 'Live' : 'No answer';
  const at = h('time', { datetime: document.at, title: dateAndTime(document.at) }, timeOfDay(document.at));
  return h(
    'p',
    { class: ok && !paused ? 'status' : 'status is-stale' },
    h('strong', { class: ok && !paused ? 'dot is-live' : 'dot' }, state),
    ok ? ' at ' : ' since ',
    at,
    !ok && !paused && h('span', { class: 'problem' }, ` ${problem}. Trying again.`),
    document.as_of !== null && h('span', { class: 'event-time' }, behindText(document.as_of, document.at)),
  );
}

/** How far event time lies behind the wall clock; it may lie ahead of it. */
function behindText(asOf: string, at: string): string {
  const behind = new Date(at).getTime() - new Date(asOf).getTime();
  return behind < 2000 ? '' : `, event time ${duration(behind)} behind`;
}

function reportStatus({ document }: Picture): VNode {
  const { as_of: asOf, truth, version, mode } = document;
  return h(
    'p',
    { class: 'status' },
    asOf === null ? 'Nothing was read' : ['As of ', h('time', { datetime: asOf, title: asOf }, dateAndTime(asOf))],
    truth !== null && `, truth of ${plural(truth.rows, 'row')} `,
    truth !== null && nameNode(truth.version.slice(0, 12), 'hash'),
    `, Assay ${version}, mode ${mode}`,
  );
}

interface Option {
  readonly value: string;
  readonly text: string;
}

function sliceOptions({ document }: Picture): Option[] {
  return document.sets.map((value) => ({ value, text: value }));
}

/** Windows that have groups: the shortest first, `all` last. */
function windowsOf({ document, isReport }: Picture): Option[] {
  const used = new Set(document.groups.map(({ window }) => window));
  const [all, ...windows] = document.windows;
  return [...windows, all!].filter((window) => !isReport || used.has(window)).map((value) => ({ value, text: value }));
}

function chooser(name: string, legend: string, options: readonly Option[], chosen: string): VNode {
  return h(
    'fieldset',
    { class: 'chooser' },
    h('legend', {}, legend),
    options.map(({ value, text }) =>
      h(
        'label',
        { key: value, class: 'choice' },
        h('input', { type: 'radio', name, value, 'data-action': name, checked: value === chosen }),
        h('span', {}, text),
      ),
    ),
  );
}

/** What stands out. Numbers change all the time, so only names and metrics are announced, when they come and go. */
export function alarmsView(picture: Picture): VNode | undefined {
  if (picture.isReport) return undefined;
  const { service } = picture.alarms;
  const groups = worseGroups(picture);
  const announced = [
    ...service.map(({ title }) => title),
    ...groups.map(
      ({ group, changes }) => `${nameOf(group)} is worse: ${changes.map(({ metric }) => metric.title).join(', ')}`,
    ),
  ];
  return h(
    'section',
    { class: 'alarms', key: 'alarms', 'aria-label': 'What stands out' },
    h('p', { class: 'hidden-text', role: 'status' }, announced.join('. ')),
    announced.length === 0
      ? h('p', { class: 'calm' }, 'Nothing stands out: every check holds, and no rate is clearly worse than before.')
      : h(
          'ul',
          {},
          service.map(({ key, title, text }) =>
            h('li', { key, class: 'alarm' }, h('strong', {}, title), h('span', { class: 'alarm-text' }, text)),
          ),
          groups.slice(0, shownMax).map(({ group, changes }) => alarmItem(group, changes)),
        ),
    groups.length > shownMax && h('p', { class: 'more' }, `and ${plural(groups.length - shownMax, 'more group')}`),
  );
}

const shownMax = 6;

interface WorseGroup {
  readonly group: LiveGroup;
  readonly changes: readonly Change[];
}

/** Groups with what became worse in them; of the total only what no single group explains. */
function worseGroups({ alarms, document, total }: Picture): readonly WorseGroup[] {
  const explained = new Set(alarms.changes.filter(({ id }) => id !== total?.id).map(({ metric }) => metric));
  const shown = alarms.changes.filter(({ id, metric }) => id !== total?.id || !explained.has(metric));
  return [...new Set(shown.map(({ id }) => id))].flatMap((id) => {
    const group = document.groups.find((one) => one.id === id);
    return group === undefined ? [] : [{ group, changes: shown.filter((change) => change.id === id) }];
  });
}

function alarmItem(group: LiveGroup, changes: readonly Change[]): VNode {
  return h(
    'li',
    { key: group.id, class: 'alarm' },
    h('button', { type: 'button', class: 'link', 'data-action': 'focus', 'data-id': group.id }, groupName(group)),
    h('span', { class: 'quiet' }, 'is worse:'),
    changes.map(({ metric, before, now, sinceMs }) =>
      h(
        'span',
        { class: 'change', key: metric.path, title: 'its rate until then, in the history shown below, and since' },
        metric.title.toLowerCase(),
        ' ',
        h('strong', {}, `${percent(before)} → ${percent(now)}`),
        ` since ${timeOfDay(sinceMs)}`,
      ),
    ),
  );
}
