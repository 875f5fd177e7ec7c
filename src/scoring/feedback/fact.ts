/** Kinds of those who give feedback: the part of `by` before the colon; any other is `other`. */
export const feedbackKinds = ['human', 'shadow', 'system', 'other'] as const;
export type FeedbackKind = (typeof feedbackKinds)[number];

/** One fact of a feedback record: that the agent did right or not, or a named outcome. */
export type FeedbackFact =
  | {
      readonly kind: FeedbackKind;
      readonly correct: boolean;
      /** The chance with which its event was chosen, above 0, at most 1; undefined where that is not known. */
      readonly probability?: number | undefined;
    }
  | { readonly outcome: string; readonly value: boolean | number };
