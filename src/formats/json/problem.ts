import * as z from 'zod';
import { shortened } from './shortened.ts';

/** The first problem of a value, in the words of its schema: "tools[0].name: must be a text, is 5". */
export function problemOf(schema: z.ZodType, value: unknown): string | undefined {
  const issue = z.safeParse(schema, value).error?.issues[0];
  if (issue === undefined) return undefined;
  let found = value;
  for (const step of issue.path) found = (found as Record<PropertyKey, unknown>)[step];
  return `${pathText(issue.path)}: ${issue.message}, is ${shortened(found)}`;
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${String(step)}`))
    .join('');
}
