import type { ComponentChildren, VNode } from 'preact';
import { plural } from './format.ts';
import { nameOf, type Shown } from './state.ts';
import { DetailView } from './view-detail.tsx';
import { IncidentsView } from './view-incidents.tsx';
import { IngestView } from './view-ingest.tsx';
import { InputView } from './view-input.tsx';
import { ReviewView } from './view-review.tsx';
import { SuspectsView } from './view-suspects.tsx';

/** Everything else, each behind a click; a report has it open, for paper. */
export function MoreView(shown: Shown): VNode | null {
  const { focus, total, document, isReport } = shown.picture;
  const { incidents, suspects, service, records } = document;
  const fold = (title: string, note: string, children: ComponentChildren): VNode => (
    <details class="fold" open={isReport || undefined}>
      <summary>
        <h3>{title}</h3> <span class="quiet">{note}</span>
      </summary>
      {children}
    </details>
  );
  const of = focus === undefined || focus.id === total?.id ? 'all traffic' : nameOf(focus);
  return (
    <section class="more" aria-label="More">
      <InputView {...shown} />
      {focus?.detail != null &&
        fold('Closely', `${of}: confusion, stability, arguments, tools, judges`, <DetailView {...shown} />)}
      {incidents.length > 0 &&
        fold('Incidents', `${plural(incidents.length, 'incident')} of the last 24 h`, <IncidentsView {...shown} />)}
      {suspects.length > 0 &&
        fold('Truth that may be wrong', plural(suspects.length, 'example'), <SuspectsView {...shown} />)}
      <ReviewView {...shown} />
      {(service !== null || records !== null) &&
        fold(isReport ? 'Records' : 'Ingest', 'records, coverage, checks, partitions', <IngestView {...shown} />)}
    </section>
  );
}
