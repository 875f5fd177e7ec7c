import { once } from 'node:events';
import { type TransferListItem, Worker } from 'node:worker_threads';

/** A thread that answers what it is asked (`standing-worker.ts`), one thing after the other. */
export interface StandingThread<Request, Answer> {
  /** Rejects with what the thread throws; it is gone then, and the next request begins another. */
  ask(request: Request, transferred?: readonly TransferListItem[]): Promise<Answer>;
  /** Ends it, and rejects what it is at. */
  close(): Promise<void>;
}

/** Loading and compiling is most of what a thread costs that is asked once; but one that stays keeps the memory that it needed last. */
const staysMs = 15_000;

/** A thread that begins with the first request, and ends when none has come for a while. Only what it was asked keeps the process alive. */
export function standingThread<Request, Answer>(script: URL): StandingThread<Request, Answer> {
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function begun(): Worker {
    const thread = new Worker(script);
    const forget = (): void => void (worker === thread && (worker = undefined));
    // The waiting caller receives the error.
    return thread.on('error', forget).on('exit', forget);
  }

  async function end(): Promise<void> {
    clearTimeout(timer);
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  async function answerTo(request: Request, transferred: readonly TransferListItem[]): Promise<Answer> {
    clearTimeout(timer);
    worker ??= begun();
    const asked = worker;
    asked.ref();
    try {
      const answer = answerOf<Answer>(asked);
      asked.postMessage(request, transferred);
      return await answer;
    } finally {
      // One that is being ended is waited for.
      if (worker === asked) {
        asked.unref();
        timer = setTimeout(end, staysMs).unref();
      }
    }
  }

  return {
    ask(request, transferred = []) {
      const answer = last.then(() => answerTo(request, transferred));
      last = answer.catch(() => undefined);
      return answer;
    },
    close: end,
  };
}

/** The next message of a thread. Rejects where the thread fails, or ends without one. */
async function answerOf<Answer>(worker: Worker): Promise<Answer> {
  const settled = new AbortController();
  const { signal } = settled;
  const ended = once(worker, 'exit', { signal }).then(([code]) => {
    throw new Error(`the thread ended with code ${code}`);
  });
  try {
    const [answer] = await Promise.race([once(worker, 'message', { signal }), ended]);
    return answer as Answer;
  } finally {
    settled.abort();
  }
}
