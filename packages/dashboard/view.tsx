import type { VNode } from 'preact';
import type { Shown } from './state.ts';
import { AlarmsView } from './view-alarms.tsx';
import { DetailView } from './view-detail.tsx';
import { FailuresView } from './view-failures.tsx';
import { GroupsView } from './view-groups.tsx';
import { HeadView } from './view-head.tsx';
import { HistoryView } from './view-history.tsx';
import { IncidentsView } from './view-incidents.tsx';
import { IngestView } from './view-ingest.tsx';
import { InputView } from './view-input.tsx';
import { ReviewView } from './view-review.tsx';
import { SuspectsView } from './view-suspects.tsx';
import { TotalView } from './view-total.tsx';

/** The whole page: a picture and the person's choices in, elements out. */
export function PageView(shown: Shown): VNode {
  const { isReport, document } = shown.picture;
  return (
    <>
      <HeadView {...shown} />
      <main class={shown.connection.ok ? undefined : 'is-stale'}>
        <AlarmsView {...shown} />
        <IncidentsView {...shown} />
        <InputView {...shown} />
        <TotalView {...shown} />
        <GroupsView {...shown} />
        <HistoryView {...shown} />
        <DetailView {...shown} />
        <SuspectsView {...shown} />
        <ReviewView {...shown} />
        <FailuresView {...shown} />
        <IngestView {...shown} />
      </main>
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
    </>
  );
}
