import type { Cause } from './summary.ts';

/** A cause in a few words, for people, logs and labels: `model atlas-mini`, `cannot_answer → tool_call`, `wrong value book_flight.date`. */
export function causeText({ part }: Cause): string {
  if ('dimension' in part) return `${part.dimension} ${part.value || '(none)'}`;
  if ('gold' in part) return `${part.gold} → ${part.predicted}`;
  const { kind, tool, argument } = part;
  if (kind === 'tool_error') return `${tool || '(none)'} failed${argument && `: ${argument}`}`;
  return `${kind.replaceAll('_', ' ')} ${tool || '(none)'}${argument && `.${argument}`}`;
}
