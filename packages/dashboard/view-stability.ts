import type { JsonObject } from '../../src/scoring/json.ts';
import type { Mean, Rate } from '../../src/scoring/reading.ts';
import { count, interval, percent, type Reading, score, numberIn } from './format.ts';
import { exact, readingTitle } from './view-parts.ts';
import { h, type VNode } from './vnode.ts';

interface Stability {
  readonly k: number;
  readonly groups_seen: number;
  readonly groups_complete: number;
  readonly stable_correct: Rate;
  readonly stable_wrong: Rate;
  readonly stability: Rate;
  readonly pass_hat_k: Readonly<Record<string, Mean>>;
}

const measures: readonly {
  readonly path: string;
  readonly title: string;
  readonly meaning: string;
  readonly isShare?: true;
}[] = [
  { path: 'mode_correct', title: 'Most frequent decision right', meaning: 'of the tasks', isShare: true },
  { path: 'mean_accuracy', title: 'Mean accuracy', meaning: 'of the runs of a task', isShare: true },
  {
    path: 'mean_consistency',
    title: 'Mean consistency',
    meaning: 'share of the most frequent decision',
    isShare: true,
  },
  { path: 'flip_rate', title: 'Flips', meaning: 'the next run decides otherwise', isShare: true },
  { path: 'entropy_norm', title: 'Entropy', meaning: '0 always alike, 1 evenly mixed' },
];

/** Whether the agent decides the same again, over the runs of one task. */
export function stabilityView(block: Readonly<Record<string, unknown>> | JsonObject): VNode {
  const stability = block as unknown as Stability & Readonly<Record<string, Reading>>;
  const { k, groups_complete: complete, groups_seen: seen } = stability;
  return h(
    'div',
    { class: 'stability block' },
    h('h3', {}, 'Does it decide the same again?', h('span', { class: 'quiet' }, ' all time')),
    h('p', { class: 'quiet' }, `${count(complete)} of ${count(seen)} tasks have all ${k} runs.`),
    complete > 0 && [
      partsBar(stability),
      h(
        'dl',
        { class: 'pairs' },
        measures.map(({ path, title, meaning, isShare }) =>
          h(
            'div',
            { key: path },
            h('dt', {}, title, ' ', h('small', {}, meaning)),
            h(
              'dd',
              { ...exact(`stability.${path}`, stability[path]), title: readingTitle(stability[path]) },
              isShare ? percent(numberIn(stability[path])) : score(numberIn(stability[path])),
            ),
          ),
        ),
      ),
      passTable(stability),
    ],
  );
}

function partsBar({ stable_correct: right, stable_wrong: wrong, stability }: Stability): VNode {
  const unstable = 1 - (stability.value ?? 0);
  const parts = [
    { name: 'always right', share: right.value ?? 0, kind: 'is-right', of: right, path: 'stability.stable_correct' },
    {
      name: 'always the same, wrong',
      share: wrong.value ?? 0,
      kind: 'is-wrong',
      of: wrong,
      path: 'stability.stable_wrong',
    },
    { name: 'differs', share: unstable, kind: 'is-mixed', of: undefined, path: 'stability.unstable' },
  ];
  return h(
    'div',
    { class: 'parts' },
    h(
      'div',
      { class: 'parts-bar', 'aria-hidden': 'true' },
      parts.map(({ kind, share }) => h('span', { class: kind, vars: { share: share.toFixed(4) } })),
    ),
    h(
      'ul',
      { class: 'parts-key' },
      parts.map(({ name, share, kind, of, path }) =>
        h(
          'li',
          { key: kind, class: kind, title: readingTitle(of) },
          h('strong', of === undefined ? {} : exact(path, of), percent(share)),
          of?.lower != null &&
            of.upper !== null &&
            h('small', { class: 'interval' }, ` ${interval(of.lower, of.upper)}`),
          ` ${name}`,
        ),
      ),
    ),
  );
}

/** pass^j: the chance that j runs of a task all succeed. */
function passTable({ pass_hat_k: pass }: Stability): VNode | undefined {
  const runs = Object.entries(pass).filter(([, { value }]) => value !== null);
  if (runs.length === 0) return undefined;
  return h(
    'table',
    { class: 'pass' },
    h('caption', {}, 'All of so many runs succeed (pass^k)'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        runs.map(([j]) => h('th', { scope: 'col', class: 'number' }, j)),
      ),
    ),
    h(
      'tbody',
      {},
      h(
        'tr',
        {},
        runs.map(([j, mean]) =>
          h(
            'td',
            {
              class: 'number bar-cell',
              vars: { share: (mean.value ?? 0).toFixed(3) },
              ...exact(`stability.pass_hat_k.${j}`, mean),
            },
            score(mean.value),
          ),
        ),
      ),
    ),
  );
}
