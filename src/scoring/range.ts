/** Least and greatest value of a number. */
export type Range = readonly [least: number, greatest: number];

/** Options of a family, as the configuration has them. */
export type FamilyOptions = Readonly<Record<string, unknown>>;

/** The range of a number, which options of the family may set. */
export type RangeOf = Range | ((options: FamilyOptions) => Range);

/** The range of a share, and of every number that names no other. */
export const shareRange: Range = [0, 1];

/** The range that a metric declares, under the options of its family. */
export function rangeOf({ range = shareRange }: { readonly range?: RangeOf }, options: FamilyOptions): Range {
  return typeof range === 'function' ? range(options) : range;
}
