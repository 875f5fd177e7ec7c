import * as z from 'zod';
import { commonNames, type NameRule } from '../scoring/tool-names.ts';
import { key, list, pattern, text } from './fields.ts';

const renameForm =
  "is neither common nor a list of rules; write them as [{strip: '^functions[.]'}, {replace: '[.]', with: _}, {from: get-weather, to: get_weather}]";

const ruleForm = 'is no rule; write {strip: PATTERN}, {replace: PATTERN, with: TEXT} or {from: NAME, to: NAME}';
const ruleKeys = ['strip', 'replace,with', 'from,to'];

const rule = z
  .strictObject({
    strip: pattern().optional(),
    replace: pattern().optional(),
    with: z.string({ error: 'is no text' }).optional(),
    from: text().optional(),
    to: text().optional(),
  })
  .refine((given) => ruleKeys.includes(Object.keys(given).join()), { error: ruleForm })
  .transform((given) => given as NameRule);

/** `tools`: names of tools, before anything compares them. The preset becomes its rules: they say how numbers are made. */
export const tools = z.strictObject({
  rename: key(
    z
      .union([z.literal('common'), z.array(rule)], { error: renameForm })
      .transform((given) => (given === 'common' ? [...commonNames] : given))
      .prefault([]),
    'common',
    'Changes of names that are one tool, on both sides, in order: common, or a list of rules.',
  ),
  known: key(
    list(text(), '[get_weather]').default([]),
    ['get_weather'],
    'Tools that exist, where neither event nor truth says which do.',
  ),
});
