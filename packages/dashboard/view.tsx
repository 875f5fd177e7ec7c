import type { VNode } from 'preact';
import type { Shown } from './state.ts';
import { GroupsView } from './view-groups.tsx';
import { HeadView } from './view-head.tsx';
import { HistoryView } from './view-history.tsx';
import { MoreView } from './view-more.tsx';
import { NowView } from './view-now.tsx';
import { VerdictView } from './view-verdict.tsx';
import { WhyView } from './view-why.tsx';

/** The whole page: a picture and the person's choices in, elements out. */
export function PageView(shown: Shown): VNode {
  return (
    <>
      <HeadView {...shown} />
      <main class={shown.connection.ok ? undefined : 'is-stale'}>
        <VerdictView {...shown} />
        <NowView {...shown} />
        <WhyView {...shown} />
        <HistoryView {...shown} />
        <GroupsView {...shown} />
        <MoreView {...shown} />
      </main>
      <FootView {...shown} />
    </>
  );
}

function FootView({ picture: { isReport, document } }: Shown): VNode {
  return (
    <footer class="note">
      <p>
        Intervals are Wilson score intervals. They take every prediction as independent; several runs of one task are
        not, so that with repeated runs they are too narrow.
      </p>
      {!isReport && (
        <p>
          Assay {document.version}, mode {document.mode}. <a href="api/v1/summary">Summary</a>,{' '}
          <a href="metrics">metrics</a>, <a href="readyz?verbose">readiness</a>, <a href="livez?verbose">liveness</a>
        </p>
      )}
    </footer>
  );
}
