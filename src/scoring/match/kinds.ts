/** Errors of arguments, by path. */
export const argumentErrors = ['missing_argument', 'unexpected_argument', 'wrong_type', 'wrong_value'] as const;
export type ArgumentError = (typeof argumentErrors)[number];

/** Errors of calls, each named once. */
export const callErrors = [
  ...(['missing_call', 'extra_call', 'wrong_tool', 'wrong_order', 'malformed_call', 'forbidden_call'] as const),
  ...argumentErrors,
] as const;
export type CallErrorKind = (typeof callErrors)[number];
