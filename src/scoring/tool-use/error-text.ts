const charactersMax = 120;

/**
 * The text of an error as errors are counted by it: its first line, shortened, with each number as `#`, since ids and amounts differ from one
 * error to the next.
 *
 * `Error: flight HAT030 not available on date 2024-05-13` is `Error: flight HAT# not available on date #-#-#`.
 */
export function countedError(error: string): string {
  const line = error
    .trimStart()
    .slice(0, 4 * charactersMax)
    .split(/[\r\n]/, 1)[0]!;
  const folded = line.trimEnd().replace(/\d+/g, '#');
  return folded.length > charactersMax
    ? `${folded.slice(0, charactersMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
    : folded;
}
