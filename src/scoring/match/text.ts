import { distance } from 'fastest-levenshtein';
import { RE2JS } from 're2js';
import { spend, type Steps } from './steps.ts';

/** How texts are changed on both sides before they are compared (docs/reference/matching.md, "Rules"). */
export interface TextChanges {
  readonly ignoreCase: boolean;
  readonly trim: boolean;
  readonly collapseSpaces: boolean;
  /** A single quote is a double one. */
  readonly quotesAlike: boolean;
  /** Characters that are left out. */
  readonly ignored: ReadonlySet<string> | undefined;
}

/** Returns whether a whole text matches; false, too, where no steps are left. */
export type Pattern = (text: string, steps: Steps) => boolean;

/** A text with the changes applied: characters left out, lower case, runs of white space as one space, ends trimmed. */
export function changed(text: string, { ignoreCase, trim, collapseSpaces, quotesAlike, ignored }: TextChanges): string {
  let changing = text;
  if (ignored) changing = [...changing].filter((character) => !ignored.has(character)).join('');
  if (ignoreCase) changing = changing.toLowerCase();
  if (collapseSpaces) changing = changing.replace(/\s+/gu, ' ');
  if (quotesAlike) changing = changing.replaceAll("'", '"');
  return trim ? changing.trim() : changing;
}

/** A pattern in the syntax of RE2, which is matched in time linear to the text; undefined where it is none. */
export function patternOf(source: string, ignoreCase: boolean): Pattern | undefined {
  try {
    const compiled = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    const size = compiled.programSize();
    return (text, steps) =>
      spend(steps, Math.ceil(((text.length + 1) * size) / patternWorkOfStep)) && compiled.matches(text);
  } catch {
    return undefined;
  }
}

/** Characters times instructions that are looked at in a step. */
const patternWorkOfStep = 16;

/**
 * Returns whether 1 - Levenshtein distance / greater length of two texts is at least `least`, in code points. False where no steps are left.
 *
 * `kitten` and `sitting` have a distance of 3, so that their similarity is 4/7.
 */
export function isSimilar(left: string, right: string, least: number, steps: Steps): boolean {
  const [a, b] = inUnits(left, right);
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return true;
  if (1 - Math.abs(a.length - b.length) / longer < least) return false;
  if (!spend(steps, Math.ceil((a.length * b.length) / cellsOfStep))) return false;
  return 1 - distance(a, b) / longer >= least;
}

/** Cells of the table of distances that are filled in a step. */
const cellsOfStep = 32;

/** Two texts with one unit of UTF-16 for each code point: the distance is counted in units. */
function inUnits(left: string, right: string): readonly [string, string] {
  if (!hasPairs(left) && !hasPairs(right)) return [left, right];
  const units = new Map<string, string>();
  const mapped = (text: string): string =>
    Array.from(text, (character) => {
      let unit = units.get(character);
      if (unit === undefined) units.set(character, (unit = String.fromCharCode(units.size & 0xffff)));
      return unit;
    }).join('');
  return [mapped(left), mapped(right)];
}

function hasPairs(text: string): boolean {
  return /[\ud800-\udbff]/.test(text);
}
