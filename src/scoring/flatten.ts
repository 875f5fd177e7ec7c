import { isObject, type Json, jsonEqual } from './json.ts';
import { atIndex, atKey, emptyPath, type Paths } from './paths.ts';

/** Field pairs of two values: on both sides, only predicted, only expected. */
export interface FieldCounts {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  /** Paths that occur on both sides with different text; each is also one fp and one fn. */
  readonly differing: number;
}

/**
 * Number of field pairs of a value (docs/reference/scoring.md, "arguments"): a path such as `a.b[0]` and the JSON text of the scalar there.
 * Of several leaves with the same path the last in document order counts. Empty objects and arrays are leaves only with `emptyLeaves`.
 *
 * `{"user": {"name": "Alice"}, "items": ["a", "b"]}` has three: `user.name`, `items[0]` and `items[1]`.
 */
export function countFields(value: Json, emptyLeaves: boolean): number {
  return leavesByPath(value, emptyLeaves, new Map()).size;
}

/**
 * Compares the field pairs of a predicted value with those of the expected one. Linear in the size of the two, at any depth: a path is
 * never built, but walked piece by piece.
 *
 * `{"x": 1, "y": 2}` against `{"x": 1, "y": 3, "z": 4}`: tp 1 (x), fp 1 (y), fn 2 (y, z), differing 1 (y).
 */
export function compareFields(predicted: Json, expected: Json, emptyLeaves: boolean): FieldCounts {
  // In order, since of leaves that have the same path the last one counts.
  if (jsonEqual(predicted, expected, true)) {
    return { tp: countFields(expected, emptyLeaves), fp: 0, fn: 0, differing: 0 };
  }
  const paths: Paths = new Map();
  const wanted = leavesByPath(expected, emptyLeaves, paths);
  const given = leavesByPath(predicted, emptyLeaves, paths);
  let tp = 0;
  let differing = 0;
  for (const [path, value] of wanted) {
    const found = given.get(path);
    if (found === undefined) continue;
    if (sameLeaf(found, value)) tp++;
    else differing++;
  }
  return { tp, fp: given.size - tp, fn: wanted.size - tp, differing };
}

/** The last leaf at each path; a leaf with an empty path lies at `$`. */
function leavesByPath(value: Json, emptyLeaves: boolean, paths: Paths): Map<number, Json> {
  const leaves = new Map<number, Json>();
  const values: Json[] = [value];
  const nodes: number[] = [emptyPath];
  while (values.length > 0) {
    const next = values.pop()!;
    const node = nodes.pop()!;
    if (isLeaf(next, emptyLeaves)) leaves.set(node === emptyPath ? atKey(paths, node, '$') : node, next);
    else if (isObject(next)) {
      for (const key of Object.keys(next).reverse()) {
        values.push(next[key]!);
        nodes.push(atKey(paths, node, key));
      }
    } else {
      const items = next as readonly Json[];
      for (let i = items.length - 1; i >= 0; i--) {
        values.push(items[i]!);
        nodes.push(atIndex(paths, node, i));
      }
    }
  }
  return leaves;
}

/** Returns whether a value is a leaf of its own: a scalar, or with `emptyLeaves` an empty object or array. */
function isLeaf(value: Json, emptyLeaves: boolean): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return emptyLeaves && (Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0);
}

/** Returns whether two leaves have the same JSON text: scalars do if and only if they are identical (-0 is written 0). */
function sameLeaf(a: Json, b: Json): boolean {
  if (a === b) return true;
  return isObject(a) ? isObject(b) : Array.isArray(a) && Array.isArray(b);
}
