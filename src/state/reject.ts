/** Reasons to refuse a record or an element: a closed list, used alike as metric label, log field and dead-letter header (docs/reference/semantics.md). */
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
  'no_decision',
] as const;
export type RejectCode = (typeof rejectCodes)[number];
