import type { Json, JsonObject } from '../../scoring/json.ts';
import { pick, type Random, seeded } from '../../statistics/random.ts';

/** A call that an agent of the demonstration decided on. */
export type DemoCall = { readonly name: string; readonly arguments: JsonObject };

/** Shares: of calls whose tool fails, of failed calls that the agent makes again, and of second calls that fail too. */
const shares = { fails: 0.03, retries: 0.8, failsAgain: 0.25 };
const errors: readonly string[] = [
  'timeout after 10 s',
  'HTTP 503: service unavailable',
  'HTTP 429: too many requests',
];

/**
 * Fields of a native event for an agent that works in steps: it calls one tool after the other, makes a call again where its tool failed, and answers
 * at the end. Draws are of the number of the event alone: they change no other.
 */
export function workOf(decided: readonly DemoCall[], number: number): Record<string, Json> {
  const random = seeded(number);
  const calls: DemoCall[] = [];
  const results: JsonObject[] = [];
  let seconds = 0.4 + random();
  const make = (call: DemoCall, share: number): boolean => {
    const ok = random() >= share;
    const outcome = ok ? { ok, output: 'done' } : { ok, error: pick(random, errors) };
    results.push({ call: calls.length, ...outcome });
    calls.push(call);
    seconds += 0.5 + 2 * random();
    return ok;
  };
  for (const call of decided) if (!make(call, shares.fails) && random() < shares.retries) make(call, shares.failsAgain);
  return {
    tool_calls: calls,
    results,
    steps: calls.length + 1,
    run_seconds: Math.round(1000 * seconds) / 1000,
    output: answerOf(random, results),
  };
}

function answerOf(random: Random, results: readonly JsonObject[]): string {
  if (results.at(-1)?.['ok'] === true) return 'Done: all of it is arranged.';
  return pick(random, ['That did not work, please try again later.', 'Done.']);
}
