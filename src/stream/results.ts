/** Return of a call, as a message or a span gives it. */
export interface Returned {
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** Null where nothing says whether it failed. */
  readonly ok: boolean | null;
  readonly error: string | undefined;
  readonly output: unknown;
}

/** The result of one call of a run: `call` is its index, `ok` is null where nothing says whether it failed. */
export interface Result {
  readonly call: number;
  readonly ok: boolean | null;
  readonly error?: string;
  readonly output?: unknown;
}

/** Id and name of a call; undefined for one that is none. */
export type CallName = { readonly id: string | undefined; readonly name: unknown } | undefined;

/**
 * Pairs results with calls: by the id of the call (of several calls with one id, by the name as well), else by order among the unanswered calls of that name. Servers repeat
 * ids within a run; of several results for one call the first counts.
 *
 * @example paired([{ id: 'a', name: 'f' }, { id: 'b', name: 'f' }], [{ id: 'b', name: 'f', ok: true, … }]) // [{ call: 1, ok: true }]
 */
export function paired(calls: readonly CallName[], returned: readonly Returned[]): Result[] {
  const places = callsOfReturns(calls, returned);
  const results = returned.flatMap(({ ok, error, output }, index): Result[] => {
    const { call, isAgain } = places[index]!;
    if (call === undefined || isAgain) return [];
    return [{ call, ok, ...(error !== undefined && { error }), ...(output !== undefined && { output }) }];
  });
  return results.sort((a, b) => a.call - b.call);
}

/** The index of the call that a return is of, undefined where it fits none; `isAgain`: the call has an earlier return by the same id. */
interface CallOfReturn {
  readonly call: number | undefined;
  readonly isAgain: boolean;
}

/** The call of each return, paired as `paired` does. */
export function callsOfReturns(calls: readonly CallName[], returned: readonly Returned[]): CallOfReturn[] {
  const open = calls.flatMap((call, index) => (call === undefined ? [] : [{ ...call, index }]));
  const answered = new Map<string, number>();
  return returned.map(({ id, name }) => {
    const withId = id === undefined ? [] : open.filter((call) => call.id === id);
    // A server may repeat an id for the call of another tool.
    const found = withId.find((call) => call.name === name) ?? withId[0];
    const byId = found === undefined ? -1 : open.indexOf(found);
    const again = byId < 0 && id !== undefined ? answered.get(id) : undefined;
    if (again !== undefined) return { call: again, isAgain: true };
    const at =
      byId >= 0 ? byId : open.findIndex((call) => (name === undefined ? id === undefined : call.name === name));
    if (at < 0) return { call: undefined, isAgain: false };
    const { index, id: callId } = open.splice(at, 1)[0]!;
    for (const each of [id, callId]) if (each !== undefined) answered.set(each, index);
    return { call: index, isAgain: false };
  });
}
