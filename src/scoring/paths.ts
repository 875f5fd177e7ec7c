/**
 * The paths met so far, as a tree whose nodes are numbered. A piece begins at each `.` or `[` of a path, so that equal paths reach the same node
 * however keys and indices put them together, and a path a million deep costs no more than its last piece.
 */
export interface Paths {
  /** Number of each piece. */
  readonly pieces: Map<string, number>;
  /** Pieces of each key, behind other pieces. */
  readonly keys: Map<string, readonly number[]>;
  /** Pieces `[0]`, `[1]`, … */
  readonly indices: number[];
  /** By node: the piece of its first edge, and the node there; `emptyPath` where it has none. */
  readonly firstPiece: number[];
  readonly firstNode: number[];
  /** By node that has more: the pieces of its other edges, and the nodes there. */
  readonly further: Map<number, Map<number, number>>;
}

/** Node of the path that has no pieces. */
export const emptyPath = 0;

/** A tree with no path but the empty one. */
export function createPaths(): Paths {
  return {
    pieces: new Map(),
    keys: new Map(),
    indices: [],
    firstPiece: [0],
    firstNode: [emptyPath],
    further: new Map(),
  };
}

/** Node of the path that continues with the key of an object. */
export function atKey(paths: Paths, node: number, key: string): number {
  let pieces = node === emptyPath ? piecesOf(paths, key) : paths.keys.get(key);
  if (pieces === undefined) paths.keys.set(key, (pieces = piecesOf(paths, `.${key}`)));
  let at = node;
  for (const piece of pieces) at = step(paths, at, piece);
  return at;
}

/** Node of the path that continues with the index of an array. */
export function atIndex(paths: Paths, node: number, index: number): number {
  return step(paths, node, (paths.indices[index] ??= pieceOf(paths, `[${index}]`)));
}

function piecesOf(paths: Paths, text: string): number[] {
  const found: number[] = [];
  let start = 0;
  for (let end = 1; end <= text.length; end++) {
    if (end < text.length && text[end] !== '.' && text[end] !== '[') continue;
    found.push(pieceOf(paths, text.slice(start, end)));
    start = end;
  }
  return found;
}

function pieceOf({ pieces }: Paths, text: string): number {
  const known = pieces.get(text);
  if (known !== undefined) return known;
  pieces.set(text, pieces.size);
  return pieces.size - 1;
}

function step(paths: Paths, node: number, piece: number): number {
  const { firstPiece, firstNode, further } = paths;
  const first = firstNode[node]!;
  if (first === emptyPath) {
    firstPiece[node] = piece;
    return (firstNode[node] = addNode(paths));
  }
  if (firstPiece[node] === piece) return first;
  let edges = further.get(node);
  if (edges === undefined) further.set(node, (edges = new Map()));
  let next = edges.get(piece);
  if (next === undefined) edges.set(piece, (next = addNode(paths)));
  return next;
}

function addNode({ firstPiece, firstNode }: Paths): number {
  firstPiece.push(0);
  return firstNode.push(emptyPath) - 1;
}
