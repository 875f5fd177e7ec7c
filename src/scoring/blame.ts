/** What of a tool a bad case can be blamed on: the tool, or that it was not called, was not expected, or does not exist. */
export const toolBlames = ['tool', 'missing_tool', 'extra_tool', 'invented_tool'] as const;
/** What of an argument: where a family names its errors, by error. */
export const argumentBlames = [
  'argument',
  'missing_argument',
  'unexpected_argument',
  'wrong_type',
  'wrong_value',
] as const;
export const blameKinds = [...toolBlames, ...argumentBlames] as const;
export type BlameKind = (typeof blameKinds)[number];

/** What a bad case is blamed on. */
export interface Blamed {
  readonly kind: BlameKind;
  readonly tool: string;
  /** Path in the arguments of the tool; `""` where the kind is one of a tool. */
  readonly argument: string;
}
