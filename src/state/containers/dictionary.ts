/** A dictionary that only grows: text to code, in order of first appearance. */
export interface Dictionary {
  readonly list: string[];
  readonly codes: Map<string, number>;
  /** Texts from this code on are not in the last checkpoint. */
  saved: number;
}

/** An empty dictionary. */
export function createDictionary(): Dictionary {
  return { list: [], codes: new Map(), saved: 0 };
}

/** Code of a text, new where it was unknown. */
export function codeOf(dictionary: Dictionary, text: string): number {
  const known = dictionary.codes.get(text);
  if (known !== undefined) return known;
  const code = dictionary.list.length;
  dictionary.list.push(text);
  dictionary.codes.set(text, code);
  return code;
}
