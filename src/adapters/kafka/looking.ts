/** A look that is repeated. */
export interface Looking {
  /** Looks now. */
  look(): void;
  end(): void;
}

/** Looks at the cluster every `everyMs`, beside the fetches, whose concern outages are: a look that fails says nothing. */
export function lookEvery(everyMs: number, lookAt: () => Promise<void>): Looking {
  const look = (): void => void lookAt().catch(() => undefined);
  const timer = setInterval(look, everyMs);
  timer.unref();
  return { look, end: () => clearInterval(timer) };
}
