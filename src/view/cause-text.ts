import type { Cause } from './summary.ts';

/** A cause in a few words, for people, logs and labels: `model atlas-mini`, `cannot_answer → tool_call`. */
export function causeText({ part }: Cause): string {
  return 'dimension' in part ? `${part.dimension} ${part.value || '(none)'}` : `${part.gold} → ${part.predicted}`;
}
