import { setTimeout as sleep } from 'node:timers/promises';
import { getOrPut } from '../../state/containers/get-or-put.ts';
import { type Reply, textReply } from './reply.ts';

/** Age up to which a reply is shared: all requests within it get one buffer. */
export const replyAgeMaxMs = 250;

/** Different replies of one route within that time; a request for another one is refused. */
export const repliesMax = 16;

/** Gives requests for the same within 250 ms, or while it is made, the same reply. One that fails is not kept. */
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
    if (replies.size >= repliesMax && !replies.has(key)) return Promise.resolve(tooMany);
    return getOrPut(replies, key, () => begin(key)).reply;
  };
}

const tooMany = textReply(429, 'too many different replies are asked for; come again in a second', {
  'retry-after': '1',
});

/**
 * Makes one reply after the other, and rests before the next for four times as long as the last one took: to make them takes a fifth of the time
 * at most, however many different ones are asked for.
 */
export function inTurn(make: (key: string) => Promise<Reply>): (key: string) => Promise<Reply> {
  let rested: Promise<unknown> = Promise.resolve();
  return (key) => {
    const begun = rested.then(() => performance.now());
    const reply = begun.then(() => make(key));
    const rest = async (): Promise<void> => sleep(Math.min(restMaxMs, restShare * (performance.now() - (await begun))));
    rested = reply.then(rest, rest);
    return reply;
  };
}

const restShare = 4;
const restMaxMs = 1_000;

interface Shared {
  /** No number of the reply is older. */
  readonly sinceMs: number;
  made: boolean;
  readonly reply: Promise<Reply>;
}
