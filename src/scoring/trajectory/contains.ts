/** Returns whether either text contains the other; the empty text is contained in every one. Linear in the lengths of both. */
export function eitherContains(a: string, b: string): boolean {
  return a.length < b.length ? contains(b, a) : contains(a, b);
}

/** Knuth, Morris & Pratt, "Fast pattern matching in strings" (1977), over code units. */
function contains(text: string, pattern: string): boolean {
  if (pattern === '') return true;
  const borders = bordersOf(pattern);
  let matched = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    while (matched > 0 && pattern.charCodeAt(matched) !== unit) matched = borders[matched - 1]!;
    if (pattern.charCodeAt(matched) === unit) matched++;
    if (matched === pattern.length) return true;
  }
  return false;
}

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function bordersOf(pattern: string): Int32Array {
  const borders = new Int32Array(pattern.length);
  let border = 0;
  for (let i = 1; i < pattern.length; i++) {
    const unit = pattern.charCodeAt(i);
    while (border > 0 && pattern.charCodeAt(border) !== unit) border = borders[border - 1]!;
    if (pattern.charCodeAt(border) === unit) border++;
    borders[i] = border;
  }
  return borders;
}
