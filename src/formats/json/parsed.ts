import type { Json } from '../../scoring/json.ts';

/** The value of a JSON text; undefined where the text is no JSON. */
export function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; any other text or value as it is. */
export function parsedOr(given: unknown): unknown {
  const value = typeof given === 'string' ? jsonIn(given) : undefined;
  return value === undefined ? given : value;
}
