/** Predictions by what became of them, duplicates aside. */
export interface Fates {
  readonly scored: number;
  readonly pending: number;
  readonly expired: number;
  readonly rejected: number;
}

/** Coverage as numerator and denominator: the scored predictions of all. Every coverage that is shown is a reading of it. */
export function coverageOf({ scored, pending, expired, rejected }: Fates): readonly [scored: number, all: number] {
  return [scored, scored + pending + expired + rejected];
}
