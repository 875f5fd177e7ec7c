import * as z from 'zod';
import type { Json } from '../scoring/json.ts';
import { rulesProblem } from '../scoring/match/rules.ts';
import { choice, flag, key, list, text } from './fields.ts';

const rulesExample = { 'search_*': { query: { ignore_case: true }, 'filters.page': { ignore: true } } };

const rules = z
  .record(z.string(), z.unknown(), {
    error: 'is no map of tools; write it as {"search_*": {query: {ignore_case: true}}}',
  })
  .superRefine((given, context) => {
    for (const [tool, byPath] of Object.entries(given)) {
      const message = rulesProblem(byPath as Json, true);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [tool], message });
    }
  });

/** `metrics.match`. */
export const match = z.strictObject({
  enabled: key(flag().default(true), false, 'Whether the family is scored and reported.'),
  order: key(
    choice('any', 'in_order', 'exact').default('any'),
    'in_order',
    'Order of the calls: any; in the expected order, with others between; or each at its place.',
  ),
  extra_calls: key(choice('wrong', 'allowed').default('wrong'), 'allowed', 'Calls that are not expected.'),
  missing_calls: key(choice('wrong', 'allowed').default('wrong'), 'allowed', 'Expected calls that are not made.'),
  arguments: key(
    choice('exact', 'superset', 'subset', 'ignore').default('exact'),
    'superset',
    'Which arguments must be there: those expected and no others; superset: more are fine; subset: fewer are fine; or none.',
  ),
  defaults: key(
    flag().default(true),
    false,
    "Whether an argument that is equal to the default of its tool's schema equals its absence.",
  ),
  rules: key(rules.default({}), rulesExample, 'What else is equal, by tool (a glob), then by path of the argument.'),
  forbidden: key(list(text(), '["delete_*"]').default([]), ['delete_*'], 'Tools (globs) that must not be called.'),
});
