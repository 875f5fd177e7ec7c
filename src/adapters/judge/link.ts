import type { Clock, Log } from '../../ports.ts';
import type { Link, Reply } from './judge.ts';

export interface LinkOptions {
  readonly endpoint: string;
  readonly clock: Clock;
  readonly log: Log;
  /** In [0, 1). */
  readonly random: () => number;
  /** Called when the endpoint seems to be out, and when it answers again. */
  readonly onOutage: (problem: string | undefined) => void;
}

const firstDelayMs = 250;
const longestDelayMs = 10_000;
/** From so many failures one after the other on, one request at a time finds out whether the endpoint is back. */
const outageFrom = 3;
/** A request that fails so often, while others are answered, is at fault itself. */
const attemptsMost = 8;
const timeoutsMost = 3;

interface State {
  /** One after the other, of all requests. */
  failures: number;
  opensMs: number;
  answeredMs: number;
  probe: Promise<unknown> | undefined;
}

/**
 * The way to an endpoint: waits as the endpoint says, else longer and longer with jitter, and holds all requests back while it is out. An outage costs no
 * question: it is asked until there is an answer. A question that times out three times, or fails eight times while others are answered, has failed.
 */
export function createLink(options: LinkOptions): Link {
  const { clock, log, endpoint } = options;
  const state: State = { failures: 0, opensMs: 0, answeredMs: Number.NEGATIVE_INFINITY, probe: undefined };
  return {
    async through(attempt, signal) {
      const begunMs = clock.monotonicMs();
      for (let attempts = 1, timeouts = 0; ; attempts++) {
        if (!(await opened(state, clock, signal))) return undefined;
        const reply = await tried(state, attempt);
        if (reply === undefined) return undefined;
        if (reply.kind === 'answer' || reply.kind === 'refused') {
          succeed(state, options);
          return reply;
        }
        if (reply.kind === 'timeout' && ++timeouts === timeoutsMost) return reply;
        if (attempts >= attemptsMost && state.answeredMs > begunMs) return reply;
        fail(state, options, reply);
      }
    },
    warn: (problem) => log.warn({ endpoint }, `${endpoint}: ${problem}`),
  };
}

/** Waits until a request may be sent; false: the signal was aborted. */
async function opened(state: State, clock: Clock, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const waitMs = state.opensMs - clock.monotonicMs();
    if (waitMs > 0) await clock.sleep(waitMs, signal);
    else if (state.failures >= outageFrom && state.probe !== undefined) await state.probe.catch(() => undefined);
    else return true;
  }
  return false;
}

async function tried(state: State, attempt: () => Promise<Reply | undefined>): Promise<Reply | undefined> {
  if (state.failures < outageFrom) return attempt();
  const probe = attempt();
  state.probe = probe;
  try {
    return await probe;
  } finally {
    if (state.probe === probe) state.probe = undefined;
  }
}

function succeed(state: State, { clock, log, endpoint, onOutage }: LinkOptions): void {
  if (state.failures >= outageFrom) {
    log.info({ endpoint }, `${endpoint} answers again`);
    onOutage(undefined);
  }
  state.failures = 0;
  state.answeredMs = clock.monotonicMs();
}

function fail(state: State, { clock, log, endpoint, random, onOutage }: LinkOptions, reply: Reply): void {
  state.failures++;
  const jitter = 0.5 + random() / 2;
  const usual = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(10, state.failures)) * jitter;
  const askedMs = reply.kind === 'later' ? reply.afterMs : undefined;
  state.opensMs = Math.max(state.opensMs, clock.monotonicMs() + (askedMs ?? usual));
  if (state.failures !== outageFrom) return;
  const why = reply.kind === 'later' ? reply.why : 'no answer in time';
  log.warn({ endpoint }, `${endpoint} does not answer (${why}); trying again until it does`);
  onOutage(why);
}
