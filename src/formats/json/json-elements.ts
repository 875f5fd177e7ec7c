import { endOfString } from '../../scoring/parse-json.ts';

/**
 * Where the elements of a JSON array lie in its text: [start, end) pairs, without surrounding white space. The text must be a
 * JSON array that parses.
 */
export function elementSpans(text: string): number[] {
  const spans: number[] = [];
  let depth = 0;
  let start = -1;
  let end = -1;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isSpace(unit)) continue;
    const closes = unit === 0x5d || unit === 0x7d;
    if (closes) depth--;
    if (start >= 0 && (depth === 0 || (depth === 1 && unit === 0x2c))) {
      spans.push(start, end);
      start = -1;
      continue;
    }
    if (depth > 0 && start < 0) start = i;
    if (unit === 0x5b || unit === 0x7b) depth++;
    else if (unit === 0x22) i = endOfString(text, i);
    end = i + 1;
  }
  return spans;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}
