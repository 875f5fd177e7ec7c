import type { Cause } from './summary.ts';

/** A cause in a few words, for people, logs and labels: `model atlas-mini`, `cannot_answer → tool_call`, `wrong value book_flight.date`. */
export function causeText({ part }: Cause): string {
  if ('dimension' in part) return `${part.dimension} ${part.value || '(none)'}`;
  if ('gold' in part) return `${part.gold} → ${part.predicted}`;
  const { kind, tool, argument } = part;
  return `${kind.replaceAll('_', ' ')} ${tool || '(none)'}${argument && `.${argument}`}`;
}
