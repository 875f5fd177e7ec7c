/** Prefix of a dimension by a tag; the others are `model` and `agent`. */
export const tagPrefix = 'tags.';

/** The value of `model` and `agent` where a record names none. */
export const unknownName = 'unknown';

/** Name of a dimension as a label of Prometheus: a tag's is `tag_<name>`, every other character `_`. `tags.user-tier` -> `tag_user_tier`. */
export function dimensionLabel(dimension: string): string {
  if (!dimension.startsWith(tagPrefix)) return dimension;
  return `tag_${dimension.slice(tagPrefix.length).replace(/[^a-zA-Z0-9_]/gu, '_')}`;
}
