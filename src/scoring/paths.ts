/**
 * The paths met so far, as a tree whose nodes are numbered from 1: the number of an edge's end, by the node and piece of the edge. A piece
 * begins at each `.` or `[` of a path, so that equal paths reach the same node however keys and indices put them together, and a path a
 * million deep costs no more than its last piece.
 */
export type Paths = Map<string, number>;

/** Node of the path that has no pieces. */
export const emptyPath = 0;

/** Node of the path that continues with the key of an object. */
export function atKey(paths: Paths, node: number, key: string): number {
  const text = node === emptyPath ? key : `.${key}`;
  let at = node;
  let start = 0;
  for (let end = 1; end <= text.length; end++) {
    if (end < text.length && text[end] !== '.' && text[end] !== '[') continue;
    at = step(paths, at, text.slice(start, end));
    start = end;
  }
  return at;
}

/** Node of the path that continues with the index of an array. */
export function atIndex(paths: Paths, node: number, index: number): number {
  return step(paths, node, `[${index}]`);
}

/** Numbers have no leading zeros, and all pieces but the first begin with a sign: node and piece are one text without a separator. */
function step(paths: Paths, node: number, piece: string): number {
  const edge = `${node}${piece}`;
  const known = paths.get(edge);
  if (known !== undefined) return known;
  paths.set(edge, paths.size + 1);
  return paths.size;
}
