import { RE2JS } from 're2js';
import { type Steps, spend, textSteps } from './steps.ts';

/** Whether a text holds a match; false, too, once no step is left. */
export type Pattern = (text: string, steps: Steps) => boolean;

/**
 * A regular expression of JavaScript, with flag `u`; `undefined` where it is none, or has what takes more than linear time: lookaround, back
 * references, more than 1,000 repetitions.
 */
export function patternOf(source: string, reading: Steps): Pattern | undefined {
  if (!spend(reading, readSteps + source.length)) return undefined;
  const translated = isPattern(source) ? translate(source) : undefined;
  let compiled = translated === undefined ? undefined : compile(translated);
  if (compiled === undefined) return undefined;
  const size = compiled.programSize();
  if (!spend(reading, size)) return undefined;
  let walked = 0;
  return (text, steps) => {
    const work = (text.length + 1) * size;
    if (!spend(steps, textSteps(text) + Math.ceil(work / workOfStep))) return false;
    if (walked > walkedMax) {
      compiled = compile(translated!)!;
      walked = 0;
    }
    walked += work;
    return compiled!.test(text);
  };
}

/** Steps to read the shortest one. */
const readSteps = 100;
/** Characters times instructions that are matched in a step. */
const workOfStep = 8;
/** After so many an expression is made anew: it remembers the states it met, as much as 8 MB of them. */
const walkedMax = 50_000;

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

function compile(translated: string): RE2JS | undefined {
  try {
    return RE2JS.compile(translated);
  } catch {
    return undefined;
  }
}

const space = '\\t-\\r\\x20\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const noSpace =
  '\\x00-\\x08\\x0e-\\x1f\\x21-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** In the syntax of RE2, whose `.`, `\s` and `\S` know ASCII only. */
function translate(source: string): string {
  let inClass = false;
  return RE2JS.translateRegExp(
    source.replace(/\\.|[.[\]]/gsu, (part) => {
      if (part === '[' || part === ']') inClass = part === '[';
      if (part === '.' && !inClass) return '[^\\n\\r\\x{2028}\\x{2029}]';
      if (part === '\\s') return inClass ? space : `[${space}]`;
      if (part === '\\S') return inClass ? noSpace : `[${noSpace}]`;
      return part;
    }),
  );
}
