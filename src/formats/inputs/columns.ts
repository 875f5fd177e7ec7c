import { fieldNames } from './fields.ts';
import { forms } from './forms.ts';
import type { InputOptions } from './input.ts';

const readNames: ReadonlySet<string> = new Set([...fieldNames, ...Object.values(forms).map(({ mark }) => mark)]);

/** Returns a function that returns whether a column of a table is read: a field, a part of a provider's answer, or a place of the options. */
export function columnsRead({ response, request, fields }: Omit<InputOptions, 'format'>): (name: string) => boolean {
  const named = [response, request, ...Object.values(fields).flat()].map(
    (place) => /^\/([^/]*)/.exec(place ?? '')?.[1],
  );
  return (name) => name !== '' && (readNames.has(name) || name.startsWith('tags.') || named.includes(name));
}
