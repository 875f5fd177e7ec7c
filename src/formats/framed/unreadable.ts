import type { RejectCode } from '../../state/reject.ts';

/** Why a value or a schema cannot be read: ends its reading, and becomes a refusal. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly code: RejectCode;

  constructor(code: RejectCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Bounds of a value, so that a few bytes never become a great deal of text. */
export interface ValueLimits {
  readonly depth: number;
  readonly values: number;
}

/** The part of the bounds that is left. */
export interface Budget {
  readonly limits: ValueLimits;
  depth: number;
  values: number;
}

/** The whole budget. Few values take no byte, so the number of bytes bounds the number of values. */
export function budgetOf(limits: ValueLimits, bytes: number): Budget {
  return { limits, depth: 0, values: Math.min(limits.values, 1_000 + 4 * bytes) };
}

/** Takes one value of the budget. */
export function spend(budget: Budget): void {
  if (--budget.values < 0)
    throw new Unreadable('too_large', 'it holds more values than limits.values allows, or than its bytes can hold');
}

/** The text of an object or array, which nests one deeper. */
export function nested(budget: Budget, text: () => string): string {
  if (++budget.depth > budget.limits.depth)
    throw new Unreadable('too_deep', `it nests deeper than ${budget.limits.depth}; flatten it, or raise limits.depth`);
  const inner = text();
  budget.depth--;
  return inner;
}

/** A number as JSON; NaN and infinity are texts, as in the JSON form of Protobuf. */
export function numberText(number: number): string {
  return Number.isFinite(number) ? String(number) : `"${number}"`;
}

/** An integer as JSON: a number where that is exact, else its decimal text. */
export function integerText(integer: number | bigint): string {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? String(number) : `"${integer}"`;
}
