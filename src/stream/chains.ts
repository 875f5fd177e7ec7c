/** A step of a run, as far as its order goes. */
interface Linked {
  readonly id: string | undefined;
  /** Id of the answer that it follows. */
  readonly follows?: string | undefined;
}

/** Steps by their ids; of several with one id the first. */
export function stepsById<Of extends Linked>(steps: readonly Of[]): ReadonlyMap<string, Of> {
  const byId = new Map<string, Of>();
  for (const step of steps) if (step.id !== undefined && !byId.has(step.id)) byId.set(step.id, step);
  return byId;
}

/** Steps in their given order, but each behind the one that `beforeOf` names for it. */
export function behindOthers<Of>(steps: readonly Of[], beforeOf: (step: Of) => Of | undefined): readonly Of[] {
  const done = new Set<Of>();
  const inOrder: Of[] = [];
  for (const step of steps) {
    // A chain of those before is no longer than the list; a circle ends where it began.
    const chain: Of[] = [];
    for (let at: Of | undefined = step; at !== undefined && !done.has(at); at = beforeOf(at)) {
      done.add(at);
      chain.push(at);
    }
    inOrder.push(...chain.reverse());
  }
  return inOrder;
}

/**
 * The chains of the answers that share a key: those that say which one they follow, each chain in that order whatever its times, and all others
 * as one chain in the order given. Parallel attempts at one example are chains.
 *
 * @example chainsOf([{ id: 'b', follows: 'a' }, { id: 'x' }, { id: 'a' }]) // [[a, b], [x]]
 */
export function chainsOf<Of extends Linked>(steps: readonly Of[]): readonly (readonly Of[])[] {
  if (steps.every(({ follows }) => follows === undefined)) return [steps];
  const byId = stepsById(steps);
  const beforeOf = ({ follows }: Of): Of | undefined => (follows === undefined ? undefined : byId.get(follows));
  const followed = new Set(steps.map(beforeOf));
  // By its first step; undefined: the chain of all others.
  const chains = new Map<Of | undefined, Of[]>();
  const firstOf = new Map<Of, Of | undefined>();
  for (const step of behindOthers(steps, beforeOf)) {
    const before = beforeOf(step);
    const isLinked = step.follows !== undefined || followed.has(step);
    const first = (before && firstOf.get(before)) ?? (isLinked ? step : undefined);
    firstOf.set(step, first);
    const chain = chains.get(first);
    if (chain === undefined) chains.set(first, [step]);
    else chain.push(step);
  }
  return [...chains.values()];
}
