import type { ReviewDocument } from '../../src/formats/summary/review.ts';
import { programName } from '../../src/name.ts';
import { parseJson } from '../../src/scoring/parse-json.ts';
import { afterSending, newReview, problemOf, recordText, type Review, stepped, withItems } from './review.ts';

/** The running review of a page. */
export interface Reviewing {
  setOpen(isOpen: boolean): void;
  /** Takes an action of a button or a field; returns whether it belongs to the review. */
  act(action: string, value: string): boolean;
}

/** The actions by key, while the keyboard is in the review and in no field. */
const actions: ReadonlyMap<string, string> = new Map([
  ['j', 'review-next'],
  ['k', 'review-previous'],
  ['1', 'review-right'],
  ['2', 'review-wrong'],
  ['e', 'review-edit'],
  ['Enter', 'review-send'],
]);

const nameKey = `${programName}-name`;

/** Runs the review in an element: its steps, keys and requests. `show` draws it, undefined where it is closed. */
export function reviewing(root: Element, show: (review: Review | undefined) => void): Reviewing {
  const held: { review: Review | undefined } = { review: undefined };
  const change = (to: (review: Review) => Review): void => {
    if (held.review === undefined) return;
    held.review = to(held.review);
    show(held.review);
  };
  const read = async (): Promise<void> => {
    const update = await fetchItems().then(
      (items) => (review: Review) => withItems(review, items),
      ({ message }: Error) => failing(message),
    );
    change(update);
  };
  const send = async (review: Review): Promise<void> => {
    const problem = problemOf(review);
    if (problem !== undefined) return change(failing(problem));
    change((now) => ({ ...now, isSending: true }));
    const after = await sent(review).catch(({ message }: Error) => failing(message)(review));
    change(() => after);
    focus(root, after.token === '' ? 'input[type=password]' : undefined);
    if (!after.failed) await read();
  };
  const act = (action: string, value: string): boolean => {
    if (!action.startsWith('review-')) return false;
    const { review } = held;
    if (review === undefined || review.isSending) return true;
    if (action === 'review-send') void send(review);
    else change(() => stepped(review, action, value));
    if (action === 'review-name') localStorage.setItem(nameKey, value);
    if (action === 'review-edit') focus(root, 'textarea');
    return true;
  };
  listenToKeys(root, (action) => held.review !== undefined && act(action, ''));
  return {
    setOpen(isOpen) {
      if (isOpen === (held.review !== undefined)) return;
      held.review = isOpen ? newReview(localStorage.getItem(nameKey) ?? '') : undefined;
      show(held.review);
      if (!isOpen) return;
      focus(root, undefined);
      void read();
    },
    act,
  };
}

/** Has keys act that have an action; one that does does nothing else. */
function listenToKeys(root: Element, act: (action: string) => boolean): void {
  root.addEventListener('keydown', (event) => {
    const action = actionOf(event as KeyboardEvent);
    if (action !== undefined && act(action)) event.preventDefault();
  });
}

/** The review after a step that failed. */
function failing(message: string): (review: Review) => Review {
  return (review) => ({ ...review, isSending: false, failed: true, message });
}

/** The action of a key: in fields Enter alone has one, and on a button it presses that, unless it is pressed already. */
function actionOf({ key, target, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): string | undefined {
  const element = target as Element;
  if (element.closest('.reviewed') === null || shiftKey || ctrlKey || altKey || metaKey) return undefined;
  const isEnter = key === 'Enter';
  if (!isEnter && element.matches('input, textarea')) return undefined;
  if (isEnter && element.matches('a, summary, button:not([aria-pressed=true])')) return undefined;
  return actions.get(key);
}

/** Puts the keyboard into a field of the review, or, where it is nowhere, into the review. */
function focus(root: Element, field: string | undefined): void {
  const place = root.querySelector<HTMLElement>(field === undefined ? '.reviewed' : `.reviewed ${field}`);
  if (field !== undefined || root.querySelector('.reviewed :focus') === null) place?.focus();
}

/** Reads the items, and the name of the user who has logged in. Rejects with a text for people. */
async function fetchItems(): Promise<Pick<Review, 'items' | 'user'>> {
  const response = await fetch('api/v1/review', { cache: 'no-store' });
  if (!response.ok) throw new Error(await problemIn(response));
  const { items } = parseJson(await response.text()) as unknown as ReviewDocument;
  const user = response.headers.get(`x-${programName}-user`);
  return { items, user: user === null ? undefined : decodeURIComponent(user) };
}

/** Sends the review of the item that is shown. Where it is not taken the message says why. */
async function sent(review: Review): Promise<Review> {
  const { token } = review;
  const response = await fetch('v1/feedback', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: recordText(review),
  });
  if (response.ok) return afterSending(review);
  if (response.status === 401 && response.headers.get('www-authenticate')?.startsWith('Bearer'))
    return { ...failing('Enter a token that may write, and send again.')(review), token: '' };
  return failing(await problemIn(response))(review);
}

async function problemIn(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { error, remedy, rejected } = JSON.parse(text) as {
      readonly error: string;
      readonly remedy: string;
      readonly rejected?: readonly { readonly detail: string }[];
    };
    return rejected?.[0]?.detail ?? `${error}; ${remedy}`;
  } catch {
    return `The service answered with status ${response.status}`;
  }
}
