import { headlines } from '../../src/formats/summary/live-group.ts';
import { worsePaths } from './alarms.ts';
import { count, interval, isRate, numberIn } from './format.ts';
import type { Picture } from './state.ts';
import { rangeBar, readingNode, sparkline } from './view-parts.ts';
import { h, type VNode } from './vnode.ts';

/** What each number means, in words that need no manual. */
const meanings: Readonly<Record<string, string>> = {
  'decision.accuracy': 'decided as the truth says',
  'decision.macro_f1': 'mean F1 of the four decisions',
  'decision.tool_hall': 'called a tool and had none',
  'decision.param_hall': 'called a tool and should have asked',
  'decision.answer_hall': 'answered itself and should not have',
  'decision.unknown_tool': 'calls of tools that do not exist',
  'stability.stability': 'same decision in every run of a task',
};

const titles: Readonly<Record<string, string>> = {
  'decision.tool_hall': 'Tool hallucination',
  'decision.param_hall': 'Parameter hallucination',
  'decision.answer_hall': 'Answer hallucination',
};

/** The total of everything, in large numbers. */
export function totalView(picture: Picture): VNode | undefined {
  const { total, window, alarms } = picture;
  if (total === undefined) return undefined;
  const worse = worsePaths(alarms, total.id);
  const shown = headlines.filter(
    ({ path }) => meanings[path] !== undefined && numberIn(total.headlines[path]) !== null,
  );
  return h(
    'section',
    { class: 'total', key: 'total' },
    h(
      'h2',
      {},
      'Everything',
      h('span', { class: 'quiet' }, ` ${windowText(window)}, ${count(total.n)} decisions scored`),
    ),
    h(
      'dl',
      { class: 'tiles' },
      shown.map(({ path, title, better, allOnly }) => {
        const reading = total.headlines[path]!;
        const values = picture.history?.groups.get(total.id)?.get(path);
        const name = titles[path] ?? title;
        return h(
          'div',
          { class: worse.has(path) ? 'tile is-alarm' : 'tile', key: path },
          h('dt', {}, name, allOnly && window !== 'all' && h('small', {}, ' all time')),
          h('dd', { class: 'big' }, readingNode(path, reading)),
          h('dd', { class: 'interval' }, intervalText(reading)),
          isRate(reading) ? h('dd', {}, rangeBar(reading)) : h('dd', { class: 'no-range' }),
          trendNode(sparkline(values, better, `${name}, over time`)),
          h('dd', { class: 'meaning' }, meanings[path]!),
        );
      }),
    ),
  );
}

/** Without a history there is no room for one. */
function trendNode(line: VNode | undefined): VNode {
  return line === undefined ? h('dd', { class: 'no-trend' }) : h('dd', { class: 'trend' }, line);
}

function intervalText(reading: Parameters<typeof isRate>[0]): string {
  if (!isRate(reading) || reading.lower === null || reading.upper === null) return ' ';
  return `${interval(reading.lower, reading.upper)}`;
}

/** How a window is spoken of. */
export function windowText(window: string): string {
  return window === 'all' ? 'all time' : `last ${window}`;
}
