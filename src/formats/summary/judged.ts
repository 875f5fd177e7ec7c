import { isObject } from '../../scoring/json.ts';
import type { Estimate, Rate } from '../../scoring/reading.ts';
import type { PlainGroup } from './summary-document.ts';

/** The judgements of one name, as the web page shows them. */
export interface Judged {
  readonly name: string;
  /** Path of its numbers in the group. */
  readonly path: string;
  /** With a score, and without one. */
  readonly n: number;
  readonly failed: number;
  /** The estimate for all traffic. */
  readonly pass: Estimate;
  readonly corrected: Estimate;
  /** With the rules. */
  readonly agreement: Rate;
  readonly kappa: number | null;
  /** Pairs of judges of the same events, in `all`. */
  readonly pairs: readonly JudgePair[];
  /** US dollars, in `all`. */
  readonly usd: number;
}

export interface JudgePair {
  readonly judges: readonly [string, string];
  readonly n: number;
  readonly agreement: Rate;
  readonly kappa: number | null;
}

const pairsMax = 8;

/** The judgements of a group in a window, with the numbers that only `all` has. */
export function judgedOf(group: PlainGroup, all: PlainGroup): Judged[] {
  const named = namesOf(group['judgements']).map(
    ([name, block]) => [name, `judgements.names.${name}`, block, undefined] as const,
  );
  const fixed = ['semantic', 'judge'].map((name) => [name, name, group[name], all[name]] as const);
  return [...fixed, ...named].flatMap(([name, path, block, inAll]) =>
    isObject(block) ? [judged(name, path, block as unknown as Block, inAll as Partial<Block> | undefined)] : [],
  );
}

interface Block extends Pick<Judged, 'n' | 'corrected' | 'agreement' | 'kappa'> {
  readonly failed: Readonly<Record<string, number>>;
  readonly traffic: { readonly pass: Estimate };
  readonly judges?: Readonly<Record<string, Readonly<Record<string, Omit<JudgePair, 'judges'>>>>>;
  readonly cost?: Readonly<Record<string, { readonly usd: number }>>;
}

function judged(name: string, path: string, block: Block, inAll: Partial<Block> | undefined): Judged {
  const { n, failed, traffic, corrected, agreement, kappa } = block;
  const pairs = Object.entries(inAll?.judges ?? {}).flatMap(([first, others]) =>
    Object.entries(others).map(([second, numbers]): JudgePair => ({ judges: [first, second], ...numbers })),
  );
  return {
    ...{ name, path, n, corrected, agreement, kappa },
    failed: sum(Object.values(failed)),
    pass: traffic.pass,
    pairs: pairs.sort((a, b) => b.n - a.n).slice(0, pairsMax),
    usd: sum(Object.values(inAll?.cost ?? {}).map(({ usd }) => usd)),
  };
}

function namesOf(judgements: unknown): [string, unknown][] {
  return isObject(judgements) && isObject(judgements['names']) ? Object.entries(judgements['names']) : [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
