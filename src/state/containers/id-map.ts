/**
 * An immutable map by 128-bit identity (`hash128.ts`): a tree that branches sixteenfold by four bits after the other (P. Bagwell,
 * Ideal Hash Trees, 2001, without its compression). A change copies the path to its entry, some microseconds, and shares the rest.
 */
export interface IdMap<Value> {
  readonly size: number;
  readonly root: Node<Value>;
}

/** Four 32-bit words. */
export type Id = readonly [number, number, number, number];

/** A map without entries. */
export function emptyIdMap<Value>(): IdMap<Value> {
  return { size: 0, root: undefined };
}

/** The value of an id, undefined where it has none. */
export function findId<Value>(map: IdMap<Value>, id: Id): Value | undefined {
  let node = map.root;
  for (let depth = 0; isBranch(node); depth++) node = node[digit(id, depth)];
  return node !== undefined && sameId(node.id, id) ? node.value : undefined;
}

/** The map with a value for an id, in place of the one it may have. */
export function withId<Value>(map: IdMap<Value>, id: Id, value: Value): IdMap<Value> {
  const size = map.size + (findId(map, id) === undefined ? 1 : 0);
  return { size, root: put(map.root, { id, value }, 0) };
}

/** The map without an id. */
export function withoutId<Value>(map: IdMap<Value>, id: Id): IdMap<Value> {
  if (findId(map, id) === undefined) return map;
  return { size: map.size - 1, root: remove(map.root, id, 0) };
}

type Node<Value> = Branch<Value> | Entry<Value> | undefined;
type Branch<Value> = readonly Node<Value>[];

interface Entry<Value> {
  readonly id: Id;
  readonly value: Value;
}

const width = 16;

function isBranch<Value>(node: Node<Value>): node is Branch<Value> {
  return Array.isArray(node);
}

/** Bits 4 * depth to 4 * depth + 3 of an id. */
function digit(id: Id, depth: number): number {
  return (id[depth >> 3]! >>> (4 * (depth & 7))) & (width - 1);
}

function sameId(a: Id, b: Id): boolean {
  return a[0] === b[0] && a[1] === b[1] && a[2] === b[2] && a[3] === b[3];
}

function put<Value>(node: Node<Value>, entry: Entry<Value>, depth: number): Node<Value> {
  if (node === undefined) return entry;
  if (!isBranch(node)) return sameId(node.id, entry.id) ? entry : split(node, entry, depth);
  const copy = node.slice();
  const at = digit(entry.id, depth);
  copy[at] = put(copy[at], entry, depth + 1);
  return copy;
}

function split<Value>(a: Entry<Value>, b: Entry<Value>, depth: number): Branch<Value> {
  const branch = new Array<Node<Value>>(width).fill(undefined);
  const [atA, atB] = [digit(a.id, depth), digit(b.id, depth)];
  branch[atA] = a;
  branch[atB] = atA === atB ? split(a, b, depth + 1) : b;
  return branch;
}

/** A branch that is left with one entry gives its place to it: what was removed leaves nothing behind. */
function remove<Value>(node: Node<Value>, id: Id, depth: number): Node<Value> {
  if (!isBranch(node)) return undefined;
  const copy = node.slice();
  const at = digit(id, depth);
  copy[at] = remove(copy[at], id, depth + 1);
  const left = copy.filter((child) => child !== undefined);
  return left.length === 1 && !isBranch(left[0]) ? left[0] : copy;
}
