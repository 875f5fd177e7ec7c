import { isObject } from '../../scoring/json.ts';
import { type ArgumentError, argumentErrors } from '../../scoring/match/kinds.ts';
import { anyIndex } from '../../scoring/match/paths.ts';
import type { Failure } from './failure.ts';
import type { MatchError } from './match-errors.ts';

/** An argument of a tool that goes wrong, with some of the latest events in which it does. */
export interface WrongArgument {
  readonly tool: string;
  readonly path: string;
  readonly counts: Readonly<Record<ArgumentError, number>>;
  readonly examples: readonly WrongExample[];
}

export interface WrongExample
  extends Pick<Failure, 'example_id' | 'ts' | 'link'>,
    Pick<MatchError, 'error' | 'expected' | 'actual' | 'rule'> {}

/** An event with arguments that do not match. */
export interface WrongEvent extends Pick<Failure, 'example_id' | 'ts' | 'slice' | 'link' | 'errors'> {}

const argumentsMax = 8;
const examplesMax = 2;

/** The arguments that go wrong most often, of a block `match`; equal ones in the order of the summary. */
export function wrongArguments(match: unknown, failures: readonly WrongEvent[]): WrongArgument[] {
  const byTool = isObject(match) && isObject(match['arguments']) ? match['arguments'] : {};
  const all = Object.entries(byTool).flatMap(([tool, paths]) =>
    Object.entries(paths as Record<string, WrongArgument['counts']>).map(([path, counts]) => ({ tool, path, counts })),
  );
  const total = ({ counts }: { readonly counts: WrongArgument['counts'] }): number =>
    argumentErrors.reduce((sum, error) => sum + counts[error], 0);
  return all
    .sort((a, b) => total(b) - total(a))
    .slice(0, argumentsMax)
    .map((one) => ({ ...one, examples: examplesOf(one.tool, one.path, failures) }));
}

/** The part of a failure that is cached. */
export function wrongEvent({ example_id, ts, slice, link, errors }: Failure): WrongEvent {
  return { example_id, ts, slice, link, errors };
}

/** The failures with different values: the same mistake twice says no more than once. */
function examplesOf(tool: string, path: string, failures: readonly WrongEvent[]): WrongExample[] {
  const found = new Map<string, WrongExample>();
  for (const { example_id, ts, link, errors } of failures) {
    const wrong = errors.find((one) => one.tool === tool && anyIndex(one.path) === path);
    if (wrong === undefined) continue;
    const { error, expected, actual, rule } = wrong;
    const key = JSON.stringify([expected, actual]);
    if (!found.has(key)) found.set(key, { example_id, ts, link, error, expected, actual, rule });
    if (found.size === examplesMax) break;
  }
  return [...found.values()];
}
