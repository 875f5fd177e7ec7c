import { meanOf, rateWith, z95 } from '../../src/scoring/reading.ts';
import type { SummaryGroup, SummaryGroups } from '../../src/view/summary-lookup.ts';

const rate = rateWith(z95);

/** A group of a summary with blocks of all shapes. */
export function group(slice: Record<string, string>, right: number, window = 'all'): SummaryGroup {
  return {
    slice,
    window,
    decision: {
      n: 20,
      accuracy: rate(right, 20),
      macro_f1: 0.5,
      macro_f1_present: null,
      param_hall: rate(0, 0),
      per_class: { tool_call: { precision: 0.25, recall: 0.75, f1: 0.375, support: 4 } },
    },
    tool_calls: { strict: { f1: meanOf(9, 12), band: 'good' }, skipped: 3 },
    trajectory: { tools: { 'db.query': { success: rate(3, 4) }, 'a:b': { success: rate(1, 4) } }, missing_tools: {} },
    arguments: { args_exact_rate: rate(right, 20) },
    structured: null,
    stability: { stability: rate(1, 2), pass_hat_k: { '1': meanOf(1, 2) } },
  };
}

export const summary: SummaryGroups = {
  groups: [
    group({}, 1, '5m'),
    group({}, 17),
    group({ model: 'gpt-4o' }, 18),
    group({ model: 'llama3:8b' }, 10),
    group({ model: 'x', agent: 'a,b' }, 19),
    group({ 'tags.team': '' }, 4),
  ],
};
