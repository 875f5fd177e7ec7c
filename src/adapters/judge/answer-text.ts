/** Score and reason in the text of an answer; undefined where it has no score. */
export interface Said {
  readonly score: number;
  readonly reason: string | undefined;
}

/**
 * Reads the score of an answer: a JSON object, alone, in a code fence or between other words. A whole number outside the scale is clamped; any
 * other score is none.
 */
export function scoreIn(text: string, [least, greatest]: readonly [number, number]): Said | undefined {
  for (const part of partsOf(text)) {
    const value = objectIn(part);
    if (value === undefined) continue;
    const { score: given, reason } = value;
    const score = typeof given === 'string' && /^-?\d+$/.test(given.trim()) ? Number(given) : given;
    if (!Number.isInteger(score)) return undefined;
    const clamped = Math.min(greatest, Math.max(least, score as number));
    return { score: clamped, reason: typeof reason === 'string' ? reason : undefined };
  }
  return undefined;
}

/** Where the object may lie, likeliest first; what a model thought before it answered is left out. */
function partsOf(text: string): string[] {
  const said = text.slice(text.lastIndexOf('</think>') + 1 && text.lastIndexOf('</think>') + '</think>'.length);
  const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(said)?.[1];
  const between = said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1);
  return [said, ...(fenced === undefined ? [] : [fenced]), between];
}

function objectIn(text: string): { readonly score?: unknown; readonly reason?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
