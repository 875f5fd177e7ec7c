/**
 * Why a record or an element is refused: a closed list, used alike as metric label, log field and dead-letter header
 * (docs/reference/semantics.md). Code 0 of the columns is "not refused".
 */
export const rejectCodes = [
  'not_utf8',
  'not_json',
  'schema',
  'too_large',
  'too_deep',
  'too_many_elements',
  'too_many_calls',
  'no_example_id',
  'bad_timestamp',
  'future_timestamp',
] as const;
export type RejectCode = (typeof rejectCodes)[number];

/** Column value of a code: its index + 1. */
export function rejectNumber(code: RejectCode): number {
  return rejectCodes.indexOf(code) + 1;
}

/** Code of a column value > 0. */
export function rejectCodeOf(number: number): RejectCode {
  return rejectCodes[number - 1]!;
}
