/** Attributions to a tool: the tool, or that it was not called, was not expected, or does not exist. */
export const toolAttributions = ['tool', 'missing_tool', 'extra_tool', 'invented_tool'] as const;
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
  /** Path in the arguments of the tool; `""` where the kind is one of a tool. */
  readonly argument: string;
}
