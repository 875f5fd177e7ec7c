import type { VNode } from 'preact';
import type { ReviewItem } from '../../src/formats/summary/review.ts';
import { percent, printable } from './format.ts';
import { titleInSentence } from './metric-about.ts';
import { Action, Section } from './parts.tsx';
import { type Review, saidText } from './review.ts';
import type { Shown } from './state.ts';
import { FailureCard } from './failure-card.tsx';

/** The review of single events, one after the other, where the service takes feedback. */
export function ReviewView({ picture, review }: Shown): VNode | null {
  if (picture.document.service?.has_review !== true) return null;
  return (
    <Section name="review" title="Review" note="truth from people">
      <Action action="review" aria-expanded={review !== undefined}>
        {review === undefined ? 'Review events' : 'Close the review'}
      </Action>
      {review !== undefined && openReview(review)}
    </Section>
  );
}

function openReview(review: Review): VNode {
  const { items, at, message, failed } = review;
  const item = items[at];
  return (
    <section class="reviewed" aria-label="Event to review" tabindex={-1}>
      <p role="status" class={failed ? 'problem' : undefined}>
        {message || (item === undefined ? 'There is no event to review yet.' : '')}
      </p>
      {item !== undefined && (
        <>
          <p>
            {`${at + 1} of ${items.length}: ${reasonText(item)}`}
            {item.said !== null && (
              <strong>
                {'. Reviewed by '}
                <bdi>{printable(item.said.by.replace(/^human:/, ''))}</bdi>
                {`: ${saidText(item.said)}`}
              </strong>
            )}
          </p>
          <FailureCard key={item.key} of={item.event} isOpen />
          {!item.review.is_alone && (
            <p class="note">The event has no event_id: what you say counts for every event of its task or run.</p>
          )}
          {controls(review)}
        </>
      )}
    </section>
  );
}

const reasonTexts: Readonly<Record<ReviewItem['reason'], string>> = {
  alarm: 'a case of the alarm',
  suspect: 'its truth may be wrong',
  failure: 'a failure',
  random: 'chosen by chance',
};

function reasonText({ reason, watch, probability }: ReviewItem): string {
  if (watch !== null) return `${reasonTexts[reason]} on ${titleInSentence(watch)}`;
  return probability === null ? reasonTexts[reason] : `${reasonTexts[reason]} (${percent(probability)})`;
}

function controls({ correct, edit, user, name, token }: Review): VNode {
  return (
    <>
      {edit !== undefined && (
        <label class="field">
          Expected calls (JSON; Shift+Enter: a new line)
          <textarea class="code" rows={6} spellcheck={false} data-action="review-calls" value={edit} />
        </label>
      )}
      <div class="row">
        <Action action="review-previous">Previous (k)</Action>
        <Action action="review-next">Next (j)</Action>
        <Action action="review-right" aria-pressed={correct === true}>
          Right (1)
        </Action>
        <Action action="review-wrong" aria-pressed={correct === false}>
          Wrong (2)
        </Action>
        <Action action="review-edit" aria-pressed={edit !== undefined}>
          Edit expected calls (e)
        </Action>
        <Action action="review-send">Send (Enter)</Action>
      </div>
      {user === undefined && (
        <label class="field">
          Your name
          <input type="text" data-action="review-name" autocomplete="name" value={name} />
        </label>
      )}
      {token !== undefined && (
        <label class="field">
          Token
          <input type="password" data-action="review-token" autocomplete="off" value={token} />
        </label>
      )}
    </>
  );
}
