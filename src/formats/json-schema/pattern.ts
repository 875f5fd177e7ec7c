import { RE2JS } from 're2js';
import { demand, Refused, type Steps, spend, textSteps } from './steps.ts';

/** Returns whether a text holds a match. */
export type Pattern = (text: string, steps: Steps) => boolean;

/**
 * A regular expression of JavaScript, with flag `u`. Refused if it is none, or may take more than linear time: lookaround, back
 * references, more than 1,000 repetitions.
 */
export function patternOf(source: string, reading: Steps): Pattern {
  spend(reading, readSteps + source.length);
  demand(isPattern(source));
  const translated = translate(source);
  let compiled = compile(translated);
  const size = compiled.programSize();
  spend(reading, size);
  let walked = 0;
  return (text, steps) => {
    const work = (text.length + 1) * size;
    spend(steps, textSteps(text) + Math.ceil(work / workOfStep));
    if (walked > walkedMax) {
      compiled = compile(translated);
      walked = 0;
    }
    walked += work;
    return compiled.test(text);
  };
}

/** Steps to read the shortest pattern. */
const readSteps = 100;
/** Characters times instructions in a step. */
const workOfStep = 8;
/** Characters times instructions after which an expression is compiled anew: it caches the states it reached, up to 8 MB of them. */
const walkedMax = 50_000;

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

function compile(translated: string): RE2JS {
  try {
    return RE2JS.compile(translated);
  } catch {
    throw new Refused('a pattern of more than linear time');
  }
}

const space = '\\t-\\r\\x20\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const noSpace =
  '\\x00-\\x08\\x0e-\\x1f\\x21-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** The pattern in the syntax of RE2, whose `.`, `\s` and `\S` are of ASCII only. */
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
