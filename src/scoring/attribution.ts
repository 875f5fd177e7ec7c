/** Attributions to a tool: the tool, or that it was not called, was not expected, does not exist, or failed with an error. */
export const toolAttributions = ['tool', 'missing_tool', 'extra_tool', 'invented_tool', 'tool_error'] as const;
/** Attributions to an argument: where a family names its errors, by error. */
export const argumentAttributions = [
  'argument',
  'missing_argument',
  'unexpected_argument',
  'wrong_type',
  'wrong_value',
] as const;
export const attributionKinds = [...toolAttributions, ...argumentAttributions] as const;
export type AttributionKind = (typeof attributionKinds)[number];

/** The attribution of a bad case. */
export interface Attributed {
  readonly kind: AttributionKind;
  readonly tool: string;
  /** Path in the arguments of the tool; the error where it failed; `""` where the kind is another one of a tool. */
  readonly argument: string;
}
