import { getOrPut } from '../../state/containers/get-or-put.ts';
import type { Reply } from './reply.ts';

/** However many ask, and whatever they do with it: a reply is made so often, and is one buffer for all. */
export const replyAgeMaxMs = 250;

/** Gives whoever asks for the same within 250 ms, or while it is made, the same reply. One that fails is not kept. */
export function sharedReplies(make: (key: string) => Promise<Reply>): (key: string) => Promise<Reply> {
  const replies = new Map<string, Shared>();
  const begin = (key: string): Shared => {
    const shared: Shared = { sinceMs: performance.now(), made: false, reply: makeSoon(key) };
    shared.reply.then(
      () => {
        shared.made = true;
      },
      () => replies.delete(key),
    );
    return shared;
  };
  // Requests that arrive in the same turn of the event loop get in before the work starts.
  const makeSoon = async (key: string): Promise<Reply> => {
    await new Promise((resolve) => setImmediate(resolve));
    return make(key);
  };
  return (key) => {
    const nowMs = performance.now();
    for (const [other, { made, sinceMs }] of replies)
      if (made && nowMs - sinceMs >= replyAgeMaxMs) replies.delete(other);
    return getOrPut(replies, key, () => begin(key)).reply;
  };
}

interface Shared {
  /** No number of the reply is older. */
  readonly sinceMs: number;
  made: boolean;
  readonly reply: Promise<Reply>;
}
