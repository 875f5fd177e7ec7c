/** A dictionary that only grows: text to code, in order of first appearance. */
export interface Texts {
  readonly list: string[];
  readonly codes: Map<string, number>;
  /** Texts from here on are new since the last cut. */
  cut: number;
}

/** An empty dictionary. */
export function createTexts(): Texts {
  return { list: [], codes: new Map(), cut: 0 };
}

/** Code of a text, new where it was unknown. */
export function codeOf(texts: Texts, text: string): number {
  const known = texts.codes.get(text);
  if (known !== undefined) return known;
  const code = texts.list.length;
  texts.list.push(text);
  texts.codes.set(text, code);
  return code;
}
