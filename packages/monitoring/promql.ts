/** PromQL, piece by piece. Pieces may have many lines. */

/** Each further line of a piece indented by as much as the first. */
export function indented(text: string, by = 2): string {
  return text
    .split('\n')
    .map((line) => ' '.repeat(by) + line)
    .join('\n');
}

/** `a / b`, over lines; no series where the divisor is 0. */
export function ratio(numerator: string, denominator: string): string {
  return `${indented(numerator)}\n/\n${indented(`(${denominator} > 0)`)}`;
}

/** `and` of conditions, over lines. */
export function all(...conditions: readonly string[]): string {
  return conditions.map((condition) => indented(condition)).join('\nand\n');
}

/** A pattern of a label's values, which stand under a key of each of a list. */
export function alternatives<Key extends string>(list: readonly Readonly<Record<Key, string>>[], key: Key): string {
  return list.map((one) => one[key]).join('|');
}

/**
 * Lower end of the Wilson score interval of a share, one-sided at 95 % (z = 1.6449): Wilson, "Probable inference, the law of succession, and
 * statistical inference", 1927. Example: 120 of 120 gives 1 / (1 + 2.7055/120) = 0.9780.
 */
export function wilsonLower(share: string, count: string): string {
  const z = 1.6449;
  const square = 2.7055;
  return `(
    ${share} + ${square} / (2 * ${count})
  -
    ${z} * sqrt((${share} * (1 - ${share}) + ${square} / (4 * ${count})) / ${count})
)
/
  (1 + ${square} / ${count})`;
}
