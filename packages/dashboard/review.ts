import type { ReviewItem, Said } from '../../src/formats/summary/review.ts';
import { parseJson } from '../../src/scoring/parse-json.ts';

/** The review of single events by a person: what is listed, and what is being said of one. */
export interface Review {
  readonly items: readonly ReviewItem[];
  /** Index of the item that is shown. */
  readonly at: number;
  /** The verdict that is chosen for it. */
  readonly correct: boolean | undefined;
  /** Expected calls as JSON while they are edited. */
  readonly edit: string | undefined;
  /** Name of the person: of the user who has logged in, else as it was entered. */
  readonly user: string | undefined;
  readonly name: string;
  /** A token for writing; undefined until the service asks for one. */
  readonly token: string | undefined;
  readonly isSending: boolean;
  /** Result of the last step, or the reason why it failed. */
  readonly message: string;
  readonly failed: boolean;
}

/** An empty review by a person. */
export function newReview(name: string): Review {
  const none = { correct: undefined, edit: undefined, user: undefined, token: undefined } as const;
  return {
    ...{ items: [], at: 0, ...none, name },
    ...{ isSending: false, failed: false, message: 'Reading …' },
  };
}

/** Adds items: those that are listed already keep their places, others come behind. */
export function withItems(review: Review, { items, user }: Pick<Review, 'items' | 'user'>): Review {
  const fresh = new Map(items.map((item) => [item.key, item]));
  const held = review.items.map((item) => {
    const now = fresh.get(item.key);
    fresh.delete(item.key);
    return now === undefined ? item : { ...now, said: now.said ?? item.said };
  });
  const isFirst = review.items.length === 0;
  return { ...review, items: [...held, ...fresh.values()], user, ...(isFirst && { message: '' }) };
}

/** The review after a step of the person; `input` is the text of a field. Sending is no step. */
export function stepped(review: Review, action: string, input: string): Review {
  const { items, at, edit } = review;
  const item = items[at];
  switch (action) {
    case 'review-next':
      return shown(review, Math.max(0, Math.min(at + 1, items.length - 1)));
    case 'review-previous':
      return shown(review, Math.max(at - 1, 0));
    case 'review-right':
      return { ...review, correct: true };
    case 'review-wrong':
      return { ...review, correct: false };
    case 'review-edit': {
      if (item === undefined) return review;
      if (edit !== undefined) return { ...review, edit: undefined };
      const { expected, made } = item.review;
      return { ...review, edit: expected ?? made ?? '[]', correct: review.correct ?? false };
    }
    case 'review-calls':
      return { ...review, edit: input };
    case 'review-name':
      return { ...review, name: input };
    case 'review-token':
      return { ...review, token: input };
  }
  return review;
}

function shown(review: Review, at: number): Review {
  return { ...review, at, correct: undefined, edit: undefined, message: '', failed: false };
}

/** A reason why the review cannot be sent yet; undefined where it can. */
export function problemOf({ items, at, correct, edit, user, name }: Review): string | undefined {
  if (items[at] === undefined) return 'There is no event to review.';
  if ((user ?? name).trim() === '') return 'Enter your name.';
  if (correct === undefined && edit === undefined) return 'Choose right or wrong.';
  if (items[at].said?.correct != null && edit === undefined)
    return 'This event was reviewed; edit its expected calls, or go on.';
  try {
    if (Array.isArray(parseJson(edit ?? '[]'))) return undefined;
  } catch {
    // Said below.
  }
  return 'The expected calls are no JSON array. Example: [{"name": "book", "arguments": {"city": "Oslo"}}]';
}

/** The giver of the feedback record. */
function giverOf({ user, name }: Review): string {
  return `human:${(user ?? name).trim()}`;
}

/** The review when the item that is shown was sent: it is marked, and the next item without a review is shown. */
export function afterSending(review: Review): Review {
  const { items, at, correct, edit } = review;
  const { said, key } = items[at]!;
  const verdict = said?.correct ?? correct ?? null;
  const now: Said = {
    by: giverOf(review),
    correct: verdict,
    corrected: edit !== undefined || said?.corrected === true,
  };
  const marked = items.map((item) => (item.key === key ? { ...item, said: now } : item));
  const next = marked.findIndex((item, index) => index > at && item.said === null);
  return {
    ...shown({ ...review, items: marked, isSending: false }, next < 0 ? at : next),
    message: `Sent: ${saidText(now)}.`,
  };
}

/** `right`, `wrong, expected calls given` */
export function saidText({ correct, corrected }: Said): string {
  const verdict = correct === null ? [] : [correct ? 'right' : 'wrong'];
  return [...verdict, ...(corrected ? ['expected calls given'] : [])].join(', ');
}

/** The feedback record. A verdict counts once for an event: beside an earlier one only calls are sent. They stay as they were typed: numbers keep their digits. */
export function recordText(review: Review): string {
  const { items, at, correct, edit } = review;
  const { review: of, said, probability } = items[at]!;
  const isFirst = said?.correct == null && correct !== undefined;
  const record = JSON.stringify({
    about: of.about,
    by: giverOf(review),
    ...(isFirst && { correct, ...(probability !== null && { probability }) }),
  });
  return edit === undefined ? record : `${record.slice(0, -1)},"expected":{"tool_calls":${edit}}}`;
}
