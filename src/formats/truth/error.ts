/** A truth file that is refused. The message names file, row, column, value and remedy, where there are some. */
export class TruthError extends Error {
  override readonly name = 'TruthError';
}

/** Truth that takes longer to load than it may. */
export class TruthTimeout extends TruthError {}

/** Where something is wrong in a truth file. Rows count from 0, as in every data frame; lines from 1. */
export interface TruthPlace {
  readonly file: string;
  readonly row?: number;
  readonly line?: number;
  /** Number in a JSON array, from 1. */
  readonly element?: number;
  readonly column?: string;
}

/** "file, row, line, element, column: problem", with the parts that the place has. */
export function truthError(place: TruthPlace, problem: string, kind: typeof TruthError = TruthError): TruthError {
  const known = (['row', 'line', 'element', 'column'] as const).filter((key) => place[key] !== undefined);
  return new kind(`${[place.file, ...known.map((key) => `${key} ${place[key]}`)].join(', ')}: ${problem}`);
}
