/**
 * An exact, order-free sum of doubles in two doubles: the whole part, and the remainder in units of 2^-53. The remainder is carried
 * by comparing before adding, so that no step rounds. A value below 1/2 is rounded to the nearest unit when it is added (an error
 * below 2^-54); a single 0.9 reads back as 0.9.
 */
export const unitsPerOne: number = 2 ** 53;

/** Remainder of an addend in units of 2^-53; may equal `unitsPerOne`, which `addSum` carries. */
export function unitsOf(value: number): number {
  return Math.round((value - Math.floor(value)) * unitsPerOne);
}

/** Adds (whole, units) to the sum that lies at `cells[at]`, `cells[at + 1]`. */
export function addSum(cells: Float64Array, at: number, whole: number, units: number): void {
  const held = cells[at + 1]!;
  if (held >= unitsPerOne - units) {
    cells[at]! += whole + 1;
    cells[at + 1] = held - (unitsPerOne - units);
  } else {
    cells[at]! += whole;
    cells[at + 1] = held + units;
  }
}

/** Takes (whole, units), which was added before, away from the sum at `cells[at]`, `cells[at + 1]`. */
export function subtractSum(cells: Float64Array, at: number, whole: number, units: number): void {
  const held = cells[at + 1]!;
  if (held >= units) {
    cells[at]! -= whole;
    cells[at + 1] = held - units;
  } else {
    cells[at]! -= whole + 1;
    cells[at + 1] = held + (unitsPerOne - units);
  }
}

/** Value of the sum at `cells[at]`. */
export function readSum(cells: Float64Array, at: number): number {
  return cells[at]! + cells[at + 1]! / unitsPerOne;
}
