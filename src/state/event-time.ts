/** Progress of event time: greatest event time applied less the configured out-of-orderness. */
export function watermarkOf(state: {
  readonly numbers: { readonly greatestTs: number };
  readonly settings: { readonly outOfOrdernessMs: number };
}): number {
  return state.numbers.greatestTs - state.settings.outOfOrdernessMs;
}

/** Event time by the second, which eviction goes by: a function of the greatest event time alone. */
export function evictionTimeOf(greatestTs: number): number {
  return Math.floor(greatestTs / 1000) * 1000;
}
