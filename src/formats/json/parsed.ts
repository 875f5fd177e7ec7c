import type { Json } from '../../scoring/json.ts';
import { parseJson, withoutNonFinite } from '../../scoring/parse-json.ts';

/**
 * The value of a JSON text. NaN, Infinity and -Infinity, as Python writes them outside strings, are null, and `noted` is called. Throws
 * SyntaxError for any other text.
 */
export function readJson(text: string, noted?: () => void, parse: (text: string) => Json = parseJson): Json {
  try {
    return parse(text);
  } catch (error) {
    const standard = withoutNonFinite(text);
    if (standard === undefined) throw error;
    const value = parse(standard);
    noted?.();
    return value;
  }
}

/** The value of a JSON text as `readJson` gives it; undefined where the text is no JSON. */
export function jsonIn(text: string, noted?: () => void): Json | undefined {
  try {
    return readJson(text, noted);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; any other text or value as it is. */
export function parsedOr(given: unknown): unknown {
  const value = typeof given === 'string' ? jsonIn(given) : undefined;
  return value === undefined ? given : value;
}
