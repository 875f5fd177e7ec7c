/** The closed set of decisions an agent can make, in reporting order. */
export const labels = ['direct', 'tool_call', 'request_for_info', 'cannot_answer'] as const;
export type Label = (typeof labels)[number];

/** A label as the fold carries it: its index in `labels`, or `invalid` for what is none of the four. */
export type LabelCode = 0 | 1 | 2 | 3 | 4;
export const direct = 0;
export const toolCall = 1;
export const requestForInfo = 2;
export const cannotAnswer = 3;
export const invalid = 4;

/** How a prediction came by its label (docs/reference/events.md). */
export const labelStatuses = ['given', 'derived', 'inferred', 'missing', 'invalid'] as const;
export type LabelStatus = (typeof labelStatuses)[number];

/** Labels as a confusion matrix names its predicted columns. */
export const predictedNames: readonly string[] = [...labels, 'invalid'];

/** Index of a label in `labels`, or `invalid`. */
export function labelCode(name: string): LabelCode {
  const code = labels.indexOf(name as Label);
  return code < 0 ? invalid : (code as LabelCode);
}
