import type { LiveGroup } from '../../src/formats/summary/live-group.ts';
import type { Choices, Connection, Picture } from './state.ts';
import { historyView } from './view-history.ts';
import { detailView } from './view-detail.ts';
import { failuresView } from './view-failures.ts';
import { groupsView } from './view-groups.ts';
import { alarmsView, headView } from './view-head.ts';
import { ingestView } from './view-ingest.ts';
import { totalView } from './view-total.ts';
import { type Child, h, type VNode } from './vnode.ts';

/** The whole page: a picture and the person's choices in, elements out. `sorted` are the groups in the order shown. */
export function pageView(
  picture: Picture,
  choices: Choices,
  connection: Connection,
  sorted: readonly LiveGroup[],
): readonly Child[] {
  const sections = [
    alarmsView(picture),
    totalView(picture),
    groupsView(picture, choices, sorted),
    historyView(picture),
    detailView(picture),
    failuresView(picture, choices),
    ingestView(picture),
  ];
  return [
    ...headView(picture, choices, connection),
    h(
      'main',
      { key: 'main', class: connection.ok ? undefined : 'is-stale' },
      sections.filter((section) => section !== undefined),
    ),
    footer(picture),
  ];
}

function footer({ isReport, document }: Picture): VNode {
  return h(
    'footer',
    { key: 'footer' },
    h(
      'p',
      {},
      'Intervals are Wilson score intervals. They take every prediction as independent; several runs of one task are not, so that with repeated runs they are too narrow.',
    ),
    !isReport &&
      h(
        'p',
        {},
        `Assay ${document.version}, mode ${document.mode}. `,
        h('a', { href: 'api/v1/summary' }, 'Summary'),
        ', ',
        h('a', { href: 'metrics' }, 'metrics'),
        ', ',
        h('a', { href: 'readyz?verbose' }, 'readiness'),
        ', ',
        h('a', { href: 'livez?verbose' }, 'liveness'),
      ),
  );
}
