import type { Failure } from './failure.ts';

/** A choice among failures: each value that is given must fit. */
export interface FailureFilter {
  /** A kind of error: `wrong value`, `invented tool`. */
  readonly kind?: string | undefined;
  /** Name of a tool that was expected or called. */
  readonly tool?: string | undefined;
  /** Name of an argument that differs. */
  readonly argument?: string | undefined;
  /** A value of a dimension, `model=atlas-mini`, as `valueText` writes it. */
  readonly value?: string | undefined;
  /** Text that the failure holds anywhere, in any case. */
  readonly text?: string | undefined;
}

/** The fields of a filter that people choose from a list. */
export const facetNames = ['kind', 'tool', 'argument', 'value'] as const;

/** The values of failures by field of a filter, the most frequent first. */
export type Facets = Readonly<Record<(typeof facetNames)[number], readonly Facet[]>>;

export interface Facet {
  readonly name: string;
  /** Number of failures that fit. */
  readonly count: number;
}

const facetsMax = 40;

const hallucinationKinds: Readonly<Record<string, string>> = {
  tool: 'tool hallucination',
  param: 'parameter hallucination',
  answer: 'answer hallucination',
  unknown_tool: 'invented tool',
};

const faultKinds: Readonly<Record<string, string>> = {
  unknown_tool: 'invented tool',
  malformed: 'malformed call',
  invalid_arguments: 'invalid arguments',
  failed: 'failed call',
  unanswered: 'call without result',
  not_recovered: 'answered after an error',
  loops: 'loop',
};

/** The kind of error that a rate of `tool_use` counts, in words. */
export function faultKind(rate: string): string {
  return faultKinds[rate] ?? rate.replaceAll('_', ' ');
}

/** The kinds of error of a failure in words, each once, in the order in which they are read. */
export function kindsOf(failure: Failure): readonly string[] {
  const { gold, predicted, hallucinations, faults, errors, calls, error } = failure;
  const lonely = calls.flatMap(({ expected, actual }) =>
    actual === null ? ['missing call'] : expected === null && saysCalls(failure) ? ['extra call'] : [],
  );
  return unique([
    ...(gold !== null && predicted !== null && gold !== predicted ? ['wrong decision'] : []),
    ...hallucinations.map((kind) => hallucinationKinds[kind] ?? kind),
    ...faults.map(({ rate }) => faultKind(rate)),
    ...lonely,
    ...errors.map((one) => one.error.replaceAll('_', ' ')),
    ...(error === null ? [] : ['error of the agent']),
  ]);
}

/** Returns whether the truth of a failure says which calls are right: then one that it does not expect is too many. */
export function saysCalls({ gold, calls, families }: Failure): boolean {
  return gold !== null || families.includes('match') || calls.some(({ expected }) => expected !== null);
}

/** A value of a dimension as a filter names it. */
export function valueText(dimension: string, value: string): string {
  return `${dimension}=${value}`;
}

/** The values by which a failure is found, by field of a filter. */
function factsOf(failure: Failure): Readonly<Record<keyof Facets, readonly string[]>> {
  const { calls, errors, answer, slice } = failure;
  const fields = [...calls.flatMap((call) => (isPair(call) ? call.fields : [])), ...(answer ?? [])];
  const names = calls.flatMap(({ expected, actual }) => [expected, actual]).filter((name) => name !== null);
  return {
    kind: kindsOf(failure),
    tool: unique([...names, ...errors.map(({ tool }) => tool)].filter((name) => name !== '')),
    argument: unique([...errors.map(({ path }) => path), ...fields.flatMap(({ name, same }) => (same ? [] : [name]))]),
    value: Object.entries(slice).flatMap(([dimension, value]) => (value === '' ? [] : [valueText(dimension, value)])),
  };
}

function isPair({ expected, actual }: Failure['calls'][number]): boolean {
  return expected !== null && actual !== null;
}

/** Returns the test of a filter; undefined for a filter without values. */
export function filterOf(filter: FailureFilter): ((failure: Failure) => boolean) | undefined {
  const chosen = facetNames.filter((name) => filter[name] !== undefined);
  const text = filter.text?.trim().toLowerCase() ?? '';
  if (chosen.length === 0 && text === '') return undefined;
  return (failure) => {
    const facts = chosen.length === 0 ? undefined : factsOf(failure);
    if (!chosen.every((name) => facts![name].includes(filter[name]!))) return false;
    return text === '' || textsIn(failure).some((held) => held.toLowerCase().includes(text));
  };
}

/** Counts the values of failures by field. A field keeps its 40 most frequent values. */
export function facetsOf(failures: readonly Failure[]): Facets {
  const counts = facetNames.map(() => new Map<string, number>());
  for (const failure of failures) {
    const facts = factsOf(failure);
    facetNames.forEach((field, at) => {
      for (const name of facts[field]) counts[at]!.set(name, (counts[at]!.get(name) ?? 0) + 1);
    });
  }
  const listed = (of: ReadonlyMap<string, number>): Facet[] =>
    [...of]
      .map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
      .slice(0, facetsMax);
  return Object.fromEntries(facetNames.map((field, at) => [field, listed(counts[at]!)])) as unknown as Facets;
}

/** The texts in a value, kinds in words among them. */
function textsIn(failure: Failure): readonly string[] {
  const texts = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
  };
  return [...kindsOf(failure), ...texts({ ...failure, families: [], link: null })];
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
