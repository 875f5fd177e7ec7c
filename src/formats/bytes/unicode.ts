// Node 20 has both; the es2023 library of TypeScript does not declare them.
declare global {
  interface String {
    isWellFormed(): boolean;
    toWellFormed(): string;
  }
}

/** Returns whether a text has 1..`most` characters (code points, not UTF-16 units) and no lone surrogate. */
export function isId(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length > 0 && fits(value, most) && value.isWellFormed();
}

/** Returns whether a text has at most `most` characters (code points). */
export function fits(text: string, most: number): boolean {
  if (text.length <= most) return true;
  return text.length <= 2 * most && codePoints(text) <= most;
}

/** Longest id, in characters (docs/reference/events.md). */
export const idCharactersMax = 512;

/** Number of code points of a text; a lone surrogate is one. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) {
      count--;
      i++;
    }
  }
  return count;
}
