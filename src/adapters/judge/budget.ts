import type { Clock } from '../../ports.ts';
import { type Budget, EndpointError, type Usage } from './judge.ts';

export interface BudgetOptions {
  /** US dollars for a million tokens. */
  readonly price: { readonly input: number; readonly output: number };
  /** US dollars a day, UTC; undefined: any. */
  readonly usdPerDay: number | undefined;
  readonly clock: Clock;
  /** Spent today before. */
  readonly spentUsd: number;
  /** Called when nothing more fits into the day, and when something does again. */
  readonly onWait: (waits: boolean) => void;
}

const dayMs = 86_400_000;

/**
 * Money for a day. The most that a question can cost is put aside before it is asked, and what it did not cost is given back: so the sum is not
 * passed, however many answers are under way. What was asked before midnight and answered after it counts for the day before.
 */
export function createBudget({ price, usdPerDay, clock, spentUsd, onWait }: BudgetOptions): Budget {
  const dayOf = (): number => Math.floor(clock.nowMs() / dayMs);
  const state = { day: dayOf(), usd: spentUsd, under: 0, spent: false, changed: deferred() };
  const usd = ({ inputTokens, outputTokens }: Usage): number =>
    (inputTokens * price.input + outputTokens * price.output) / 1e6;
  const add = (day: number, amount: number): void => {
    if (day === state.day) state.usd += amount;
    state.changed.resolve();
    state.changed = deferred();
  };
  const fits = (amount: number): boolean => {
    const today = dayOf();
    if (today !== state.day) Object.assign(state, { day: today, usd: 0 });
    return usdPerDay === undefined || state.usd + amount <= usdPerDay;
  };
  const tell = (spent: boolean): void => {
    if (spent !== state.spent) onWait(spent);
    state.spent = spent;
  };
  return {
    usd,
    async reserve(most, signal) {
      const amount = usd(most);
      if (usdPerDay !== undefined && amount > usdPerDay)
        throw new EndpointError(`budget_usd_per_day is ${usdPerDay}, and one question can cost ${amount.toFixed(6)}`);
      while (!signal.aborted && !fits(amount)) {
        // Questions under way may give something back.
        if (state.under === 0) tell(true);
        await untilChange(state.changed.promise, clock, signal);
      }
      if (signal.aborted) return undefined;
      tell(false);
      const { day } = state;
      state.under++;
      add(day, amount);
      return {
        settle(spent) {
          state.under--;
          add(day, spent === undefined ? 0 : usd(spent) - amount);
        },
      };
    },
  };
}

/** Until something is given back, or the next day. */
async function untilChange(change: Promise<void>, clock: Clock, signal: AbortSignal): Promise<void> {
  const woken = new AbortController();
  const nextDay = clock.sleep(dayMs - (clock.nowMs() % dayMs) + 1, AbortSignal.any([signal, woken.signal]));
  await Promise.race([change, nextDay]);
  woken.abort();
}

function deferred(): { readonly promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
