/** The keys of a map from first to last, whole numbers, in any order. Costs as little as the shorter of map and range; neither end need be finite. */
export function keysBetween(map: ReadonlyMap<number, unknown>, first: number, last: number): number[] {
  if (!(last - first < map.size)) return [...map.keys()].filter((key) => key >= first && key <= last);
  const found: number[] = [];
  for (let key = first; key <= last; key++) if (map.has(key)) found.push(key);
  return found;
}
