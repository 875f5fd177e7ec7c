import { historyMetrics } from '../../src/formats/summary/history.ts';
import { spanPoints } from './history.ts';
import { duration, plural } from './format.ts';
import { nameOf, type Picture } from './state.ts';
import { nameNode } from './view-parts.ts';
import { h, type VNode } from './vnode.ts';

/** Where the charts go, one for each metric that has a history; `charts.ts` draws them. */
export function historyView(picture: Picture): VNode | undefined {
  const { history, counts, focus, groups } = picture;
  if (history === undefined || history.at.length < 2 || focus === undefined) return undefined;
  const shown = historyMetrics.filter(({ path }) => hasValues(picture, path));
  const others = [...history.groups.keys()].filter(
    (id) => id !== focus.id && groups.some((group) => group.id === id),
  ).length;
  const span =
    counts === undefined
      ? ''
      : `, each point the ${duration(counts.every_ms * spanPoints)} before it, by time of scoring`;
  return h(
    'section',
    { class: 'history', key: 'history' },
    h('h2', {}, 'History', h('span', { class: 'quiet' }, ` ${duration(history.at.at(-1)! - history.at[0]!)}${span}`)),
    h(
      'p',
      { class: 'key' },
      h('span', { class: 'key-focus' }, nameNode(nameOf(focus))),
      h('span', { class: 'key-band' }, 'its interval'),
      others > 0 && h('span', { class: 'key-other' }, plural(others, 'other group')),
      picture.alarms.changes.length > 0 && h('span', { class: 'key-alarm' }, 'clearly worse than before'),
    ),
    h(
      'div',
      { class: 'charts' },
      shown.map(({ path, title }) =>
        h(
          'div',
          { class: 'chart', key: path },
          h('h3', {}, title, h('span', { class: 'readout quiet', island: true, 'data-readout': path })),
          h('div', {
            class: 'plot',
            island: true,
            'data-chart': path,
            role: 'img',
            'aria-label': chartLabel(picture, path, title),
          }),
        ),
      ),
    ),
  );
}

function hasValues({ history }: Picture, path: string): boolean {
  return [...history!.groups.values()].some((byPath) => byPath.get(path)?.some(({ value }) => value !== null));
}

/** A chart in words: where its line begins, ends, and lies between. */
function chartLabel({ history, focus }: Picture, path: string, title: string): string {
  const known =
    history!.groups
      .get(focus!.id)
      ?.get(path)
      ?.flatMap(({ value }) => (value === null ? [] : [value])) ?? [];
  const name = nameOf(focus!);
  if (known.length === 0) return `${title} of ${name}: no values`;
  const text = (value: number): string => `${(100 * value).toFixed(0)} percent`;
  return `${title} of ${name}: now ${text(known.at(-1)!)}, lowest ${text(Math.min(...known))}, highest ${text(Math.max(...known))}`;
}
