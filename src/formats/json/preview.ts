import type { Json, JsonObject } from '../../scoring/json.ts';
import { longText } from '../../scoring/long-number.ts';

export interface PreviewOptions {
  /** Characters of the text; a longer one ends in an ellipsis. */
  readonly charactersMax: number;
  /** Fields whose values are not shown, wherever they lie. */
  readonly redact: Redacted;
}

/** Names of fields whose values are hidden, or all values. */
export type Redacted = ReadonlySet<string> | 'all';

/** Returns whether a value of a field is hidden. */
export function isHidden(redact: Redacted, name: string): boolean {
  return redact === 'all' || redact.has(name);
}

/** Returns whether anything is hidden. Texts without names of fields are hidden then. */
export function hidesSome(redact: Redacted): boolean {
  return redact === 'all' || redact.size > 0;
}

/** The text in place of a hidden value. */
export const hiddenValue = '[hidden]';

/**
 * The beginning of a value's JSON text, for a person to read. Its cost grows with the text shown, not with the value: walks with a stack of
 * its own and stops when the text is long enough.
 *
 * `{"to": "x@y", "n": [1, 2]}` with `to` redacted is `{"to": [hidden], "n": [1, 2]}`.
 */
export function previewText(value: Json, options: PreviewOptions): string {
  const { charactersMax, redact } = options;
  if (redact === 'all') return hiddenValue;
  const stack: Part[] = [{ value }];
  let text = '';
  while (stack.length > 0 && text.length <= charactersMax) {
    const part = stack.pop()!;
    if ('text' in part) text += part.text;
    else if (typeof part.value === 'string') text += JSON.stringify(part.value.slice(0, charactersMax + 1));
    else if (typeof part.value === 'bigint') text += longText(part.value);
    else if (typeof part.value !== 'object' || part.value === null) text += String(part.value);
    else stack.push(...partsOf(part.value, options).reverse());
  }
  return shortText(text, charactersMax);
}

/** A text cut to a length, without half a surrogate pair at its end. */
export function shortText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const cut = text.slice(0, charactersMax);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

type Part = { readonly text: string } | { readonly value: Json };

/** The text of a container; of a large one no more than can be shown. */
function partsOf(container: readonly Json[] | JsonObject, { charactersMax, redact }: PreviewOptions): Part[] {
  const separator = { text: ', ' };
  if (Array.isArray(container)) {
    const items = (container as readonly Json[]).slice(0, charactersMax + 1);
    return [
      { text: '[' },
      ...items.flatMap((value, at) => (at === 0 ? [{ value }] : [separator, { value }])),
      { text: ']' },
    ];
  }
  const object = container as JsonObject;
  const fields = Object.keys(object)
    .slice(0, charactersMax + 1)
    .flatMap((key, at) => [
      ...(at === 0 ? [] : [separator]),
      { text: `${JSON.stringify(key.slice(0, charactersMax + 1))}: ` },
      isHidden(redact, key) ? { text: hiddenValue } : { value: object[key]! },
    ]);
  return [{ text: '{' }, ...fields, { text: '}' }];
}
