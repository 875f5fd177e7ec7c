import type { AnyFamily, CellKind } from '../../src/scoring/family.ts';
import { type Layout, layoutOf } from '../../src/state/row-layout.ts';

/** A layout of families of which only the shape matters: cells, and columns of breakdowns. */
export function madeUpLayout(
  ...shapes: readonly (readonly [cells: readonly CellKind[], breakdowns: readonly number[]])[]
): Layout {
  return layoutOf(shapes.map(([cells, breakdowns]) => ({ cells, breakdowns }) as unknown as AnyFamily));
}
