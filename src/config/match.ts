import * as z from 'zod';
import type { Json } from '../scoring/json.ts';
import { profileNames } from '../scoring/match/profiles.ts';
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

const modes = ['exact', 'superset', 'subset', 'ignore'] as const;

const overrides = z.record(z.string(), z.union([z.enum(modes), z.array(z.string()).min(1)]), {
  error: `is no map of tools to one of ${modes.join(', ')} or a list of paths; write it as {search: subset, book: [city]}`,
});

const settings = z.strictObject({
  enabled: key(flag().default(true), false, 'Whether the family is scored and reported.'),
  order: key(
    choice('any', 'in_order', 'exact').default('any'),
    'in_order',
    'Order of the calls: any; in the expected order, with others between; or each at its place.',
  ),
  extra_calls: key(choice('wrong', 'allowed').default('wrong'), 'allowed', 'Calls that are not expected.'),
  missing_calls: key(choice('wrong', 'allowed').default('wrong'), 'allowed', 'Expected calls that are not made.'),
  arguments: key(
    choice(...modes).default('exact'),
    'superset',
    'Which arguments must be there: those expected and no others; superset: more are fine; subset: fewer are fine; or none.',
  ),
  defaults: key(
    flag().default(true),
    false,
    "Whether an argument that is equal to the default of its tool's schema equals its absence.",
  ),
  null_is_absent: key(
    z.union([flag(), z.literal('auto')], { error: 'is neither true, false nor auto' }).default('auto'),
    true,
    'Whether null equals the absence of an argument that is not required; auto: where null is a value of the parameter by the schema of its tool.',
  ),
  rules: key(rules.default({}), rulesExample, 'What else is equal, by tool (a glob), then by path of the argument.'),
  forbidden: key(list(text(), '["delete_*"]').default([]), ['delete_*'], 'Tools (globs) that must not be called.'),
  profile: key(
    choice(...profileNames).optional(),
    'agentevals.superset',
    'Verdicts as another system gives them, instead of order, extra_calls, missing_calls, defaults, null_is_absent and rules.',
  ),
  overrides: key(
    overrides.optional(),
    { search: 'subset', book: ['city'] },
    'With a profile of agentevals: the mode of arguments of single tools, or the paths that count.',
  ),
});

/** `metrics.match`. A profile says what other keys say, which are refused beside it. */
export const match = settings.superRefine((given, context) => {
  const { profile, overrides: own = {}, arguments: mode } = given;
  const refuse = (name: keyof typeof given, message: string): void =>
    context.addIssue({ code: 'custom', path: [name], message });
  const isOf = (system: string): boolean => profile?.startsWith(`${system}.`) ?? false;
  if (Object.keys(own).length > 0 && !isOf('agentevals'))
    refuse('overrides', 'is of the profiles agentevals.* alone; leave it out');
  if (profile === undefined) return;
  const said = {
    order: 'any',
    extra_calls: 'wrong',
    missing_calls: 'wrong',
    defaults: true,
    null_is_absent: 'auto',
  } as const;
  for (const [name, usual] of Object.entries(said) as [keyof typeof said, unknown][])
    if (given[name] !== usual) refuse(name, `is said by profile ${profile}; leave one of them out`);
  if (Object.keys(given.rules).length > 0) refuse('rules', `is said by profile ${profile}; leave one of them out`);
  const allowed = isOf('agentevals') ? modes : isOf('adk') ? (['exact', 'ignore'] as const) : (['exact'] as const);
  if (!(allowed as readonly string[]).includes(mode))
    refuse('arguments', `is ${allowed.join(' or ')} with profile ${profile}`);
});
