import { headlines, type LiveGroup } from '../../src/formats/summary/live-group.ts';
import type { Headline } from '../../src/scoring/families.ts';
import { worsePaths } from './alarms.ts';
import { count, interval, isRate, plural, type Reading, reading, numberIn } from './format.ts';
import { type Choices, nameOf, type Picture } from './state.ts';
import { exact, groupName, readingTitle, sparkline } from './view-parts.ts';
import { windowText } from './view-total.ts';
import { h, type VNode } from './vnode.ts';

/** Groups shown before one asks for all. */
const shownMax = 12;

/** The table of groups, the worst first; `sorted` are those that the filter leaves, in order. */
export function groupsView(picture: Picture, choices: Choices, sorted: readonly LiveGroup[]): VNode | undefined {
  const { slice, window, groups, document } = picture;
  if (slice === '' || groups.length === 0) return undefined;
  const columns = headlines.filter(({ path }) => groups.some((group) => numberIn(group.headlines[path]) !== null));
  const shown = choices.showAll || choices.filter !== '' ? sorted : sorted.slice(0, shownMax);
  return h(
    'section',
    { class: 'groups', key: 'groups' },
    h(
      'h2',
      {},
      title(slice),
      h('span', { class: 'quiet' }, ` ${windowText(window)}, ${plural(groups.length, 'group')}, the worst first`),
    ),
    groupTools(choices, columns, groups.length),
    h(
      'div',
      { class: 'scroll', role: 'region', 'aria-label': `Table: by ${slice}`, tabindex: 0 },
      h(
        'table',
        { class: 'group-table', role: 'table' },
        h(
          'caption',
          { class: 'hidden-text' },
          `Rates by ${slice}, ${windowText(window)}. Choose a name to see its details below.`,
        ),
        h('thead', { role: 'rowgroup' }, headRow(picture, columns, choices)),
        h(
          'tbody',
          { role: 'rowgroup' },
          shown.map((group) => groupRow(picture, group, columns)),
        ),
      ),
    ),
    shown.length === 0 && h('p', { class: 'quiet' }, 'No name holds this text.'),
    sorted.length > shownMax && choices.filter === '' && showAllButton(choices.showAll, sorted.length),
    document.groups_left_out > 0 &&
      h(
        'p',
        { class: 'quiet' },
        `${plural(document.groups_left_out, 'group')} with fewer predictions are left out; the summary has them.`,
      ),
  );
}

function title(slice: string): string {
  return slice === 'model' ? 'Models' : slice === 'agent' ? 'Agents' : `By ${slice.replaceAll(',', ' and ')}`;
}

function groupTools(choices: Choices, columns: readonly Headline[], number: number): VNode {
  return h(
    'div',
    { class: 'group-tools' },
    number > shownMax &&
      h(
        'label',
        { class: 'field', key: 'filter' },
        h('span', {}, 'Filter'),
        h('input', { type: 'search', 'data-action': 'filter', placeholder: 'name', autocomplete: 'off' }),
      ),
    h(
      'label',
      { class: 'field sorter', key: 'sort' },
      h('span', {}, 'Worst by'),
      h(
        'select',
        { 'data-action': 'sort' },
        columns.map(({ path, title }) => h('option', { value: path, selected: path === choices.sort }, title)),
      ),
    ),
  );
}

function headRow({ history, window }: Picture, columns: readonly Headline[], { sort }: Choices): VNode {
  return h(
    'tr',
    { role: 'row' },
    h('th', { scope: 'col', role: 'columnheader', class: 'first' }, 'Name'),
    h('th', { scope: 'col', role: 'columnheader', class: 'number' }, 'Decisions'),
    columns.map(({ path, title, better, allOnly }) =>
      h(
        'th',
        {
          key: path,
          scope: 'col',
          role: 'columnheader',
          class: 'number',
          'aria-sort': path === sort ? (better === 'higher' ? 'ascending' : 'descending') : undefined,
        },
        h(
          'button',
          { type: 'button', class: 'sort', 'data-action': 'sort', 'data-id': path, title: 'Sort, the worst first' },
          title,
        ),
        allOnly && window !== 'all' && h('small', { class: 'under' }, 'all time'),
      ),
    ),
    history !== undefined && h('th', { scope: 'col', role: 'columnheader', class: 'spark-cell' }, 'Accuracy over time'),
  );
}

function groupRow(picture: Picture, group: LiveGroup, columns: readonly Headline[]): VNode {
  const isFocus = group.id === picture.focus?.id;
  const worse = worsePaths(picture.alarms, group.id);
  return h(
    'tr',
    { key: group.id, role: 'row', class: isFocus ? 'is-focus' : undefined },
    h(
      'th',
      { scope: 'row', role: 'rowheader', class: 'first' },
      h(
        'button',
        { type: 'button', class: 'link', 'data-action': 'focus', 'data-id': group.id, 'aria-pressed': String(isFocus) },
        groupName(group),
      ),
    ),
    h('td', { role: 'cell', class: 'number', 'data-label': 'Decisions' }, count(group.n)),
    columns.map(({ path, title }) => numberCell(path, title, group.headlines[path], worse.has(path))),
    picture.history !== undefined &&
      h(
        'td',
        { role: 'cell', class: 'spark-cell', 'data-label': 'History' },
        sparkline(
          picture.history.groups.get(group.id)?.get('decision.accuracy'),
          'higher',
          `Accuracy of ${nameOf(group)}, over time`,
        ) ?? '',
      ),
  );
}

function numberCell(path: string, title: string, of: Reading | undefined, isAlarm: boolean): VNode {
  const ends =
    of !== undefined && isRate(of) && of.lower !== null && of.upper !== null ? interval(of.lower, of.upper) : '';
  return h(
    'td',
    {
      key: path,
      role: 'cell',
      class: isAlarm ? 'number is-alarm' : 'number',
      'data-label': title,
      title: readingTitle(of),
      ...exact(path, of),
    },
    isAlarm && h('span', { class: 'mark' }, '▲', h('span', { class: 'hidden-text' }, 'clearly worse than before: ')),
    h('span', { class: 'value' }, reading(of)),
    h('small', { class: 'interval' }, ends),
  );
}

function showAllButton(showAll: boolean, number: number): VNode {
  return h(
    'button',
    { type: 'button', class: 'tool', 'data-action': 'show-all', 'aria-expanded': String(showAll) },
    showAll ? `Show the worst ${shownMax} only` : `Show all ${number}`,
  );
}
