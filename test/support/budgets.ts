import { budgetedRates } from '../../src/scoring/families.ts';

/** Budget by kind of hallucination. */
export const budgets = Object.fromEntries(budgetedRates().map(({ kind, metric }) => [kind, metric.budget])) as Readonly<
  Record<'tool' | 'param' | 'answer', number>
>;
