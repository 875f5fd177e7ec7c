import type { VNode } from 'preact';
import { type Facets, facetNames } from '../../src/formats/summary/failure-facts.ts';
import type { Shown as LiveShown } from '../../src/formats/summary/live-document.ts';
import { FailureCard, failureKey } from './failure-card.tsx';
import { count, printable, timeNear } from './format.ts';
import { titleInSentence } from './metric-about.ts';
import { Action, Section } from './parts.tsx';
import { type Choices, nameOf, type Shown } from './state.ts';
import { hasNoData } from './view-empty.tsx';

/** Failures shown before one asks for all. */
const shownMax = 3;

/** The section "Why?": failed events of the group in focus, of a rate and a time where these are chosen, with filters. */
export function WhyView({ picture, choices }: Shown): VNode | null {
  const { failures, isReport, focus, total, document } = picture;
  const { kept, shown } = document;
  if (isReport || focus === undefined || kept === null || hasNoData(picture)) return null;
  const { showFailures, find } = choices;
  const isNarrowed = shown?.failed != null || Object.values(find).some((value) => value !== undefined);
  const listed = showFailures ? failures : failures.slice(0, shownMax);
  const of = focus.id === total?.id ? 'of all traffic' : `of ${nameOf(focus)}`;
  return (
    <Section name="why" title="Why?" note={`failed events ${of}, the newest first`}>
      {shown?.failed && <p>{failedText(shown.failed, document.at)}</p>}
      <div class="filters row">
        {facetNames.map((name) => (
          <FacetField key={name} name={name} facets={kept.facets} find={find} />
        ))}
        <input
          type="search"
          data-action="find-text"
          aria-label="Text in failed events"
          placeholder="text"
          maxlength={300}
          value={find.text ?? ''}
          autocomplete="off"
        />
        {isNarrowed && <Action action="all-failures">Show all failures</Action>}
      </div>
      {failures.length === 0 && <p class="quiet">{emptyText(isNarrowed)}</p>}
      <div class={showFailures ? 'cards' : 'cards is-short'}>
        {listed.map((failure) => (
          <FailureCard key={failureKey(failure)} of={failure} />
        ))}
      </div>
      {failures.length > shownMax && (
        <Action action="show-failures" aria-expanded={showFailures}>
          {showFailures ? 'Show fewer' : `Show ${count(failures.length)} of ${count(kept.count)} that are kept`}
        </Action>
      )}
    </Section>
  );
}

const fieldTexts: Readonly<Record<keyof Facets, readonly [label: string, any: string]>> = {
  kind: ['Kind of error', 'any error'],
  tool: ['Tool', 'any tool'],
  argument: ['Argument', 'any argument'],
  value: ['Model, agent or tag', 'any model or tag'],
};

interface FacetProps {
  readonly name: keyof Facets;
  readonly facets: Facets;
  readonly find: Choices['find'];
}

/** A field with the values that there are, each with its number of failures. */
function FacetField({ name, facets, find }: FacetProps): VNode | null {
  const [label, any] = fieldTexts[name];
  const chosen = find[name] ?? '';
  const listed = facets[name];
  if (listed.length === 0 && chosen === '') return null;
  const isListed = chosen === '' || listed.some((facet) => facet.name === chosen);
  return (
    <select data-action={`find-${name}`} aria-label={label} value={chosen}>
      <option value="">{any}</option>
      {!isListed && <option value={chosen}>{printable(chosen)} (0)</option>}
      {listed.map((facet) => (
        <option key={facet.name} value={facet.name}>
          {`${printable(facet.name)} (${count(facet.count)})`}
        </option>
      ))}
    </select>
  );
}

/** `Bad cases of tool hallucination from 14:00:10 to 14:05:00.` */
function failedText({ watch, since, until }: NonNullable<LiveShown['failed']>, at: string): string {
  const from = Date.parse(since) === 0 ? '' : ` from ${timeNear(since, at)}`;
  const to = until === null ? ' on' : ` to ${timeNear(until, at)}`;
  return `${watch === null ? 'Failures' : `Bad cases of ${titleInSentence(watch)}`}${from}${to}, by event time.`;
}

function emptyText(isNarrowed: boolean): string {
  return isNarrowed
    ? 'None of the failures that are kept fits. The score rows hold all of them.'
    : 'None since the start, or they are not shown (http.samples).';
}
