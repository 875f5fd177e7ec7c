import {
  findGroup,
  isProblem,
  type Problem,
  parseSlice,
  readMetric,
  type Slice,
  type SummaryGroups,
  sliceText,
  startsWithFamily,
} from './summary-lookup.ts';

/** A condition on one number of a summary (docs/reference/command-line.md). */
export interface Gate {
  /** As the user wrote it. */
  readonly text: string;
  readonly slice: Slice;
  readonly path: string;
  readonly op: Op;
  readonly bound: number;
}

export type Op = '>=' | '>' | '<=' | '<' | '==';

export interface GateResult {
  readonly gate: Gate;
  readonly holds: boolean;
  /** `undefined`: the summary has no such group; null: the number is undefined (0/0). Neither holds. */
  readonly value: number | null | undefined;
  /** `17 of 20`, where the number has counts. */
  readonly counts: string | undefined;
}

/**
 * Reads `[SLICE ':'] PATH OP NUMBER`. A slice's value may hold colons.
 *
 * `model=gpt-4o:decision.accuracy.lower>=0.8`: the lower bound of that model's accuracy is at least 0.8.
 */
export function parseGate(text: string): Gate | Problem {
  const [, left, op, number] = gateText.exec(text) ?? [];
  if (left === undefined) {
    return {
      problem: `gate "${text}": expected [SLICE:]PATH OP NUMBER, such as decision.accuracy>=0.9; OP is >= > <= < ==`,
    };
  }
  const { slice, path } = splitSlice(left);
  if (slice === undefined) {
    return {
      problem: `gate "${text}": expected model=…, agent=… or tags.<name>=… (several with commas) before the colon`,
    };
  }
  if (path === '') return { problem: `gate "${text}": no PATH before ${op}` };
  return { text, slice, path, op: op as Op, bound: Number(number) };
}

/**
 * Evaluates a gate on the groups of window `all`. A problem where the path names no number of the summary.
 *
 * `decision.accuracy>=0.9` on 17 right of 20: value 0.85, counts `17 of 20`, does not hold.
 */
export function evaluateGate(gate: Gate, summary: SummaryGroups): GateResult | Problem {
  const group = findGroup(summary, gate.slice);
  if (group === undefined) return { gate, holds: false, value: undefined, counts: undefined };
  const metric = readMetric(group, gate.path);
  if (isProblem(metric)) return { problem: `gate "${gate.text}": ${metric.problem}` };
  const { value, counts } = metric;
  return { gate, holds: value !== null && compare(value, gate.op, gate.bound), value, counts };
}

/** One line for a person: `decision.accuracy>=0.9 does not hold: 0.85 (17 of 20)`. */
export function gateMessage({ gate, holds, value, counts }: GateResult): string {
  const found =
    value === undefined ? `no such group: ${sliceText(gate.slice)}` : value === null ? 'no value' : `${value}`;
  return `${gate.text} ${holds ? 'holds' : 'does not hold'}: ${found}${counts === undefined ? '' : ` (${counts})`}`;
}

const gateText = /^([\s\S]*?)\s*(?<![<>=])(>=|<=|==|>|<)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*$/i;

/** The slice ends at the first colon that a family's name follows, else at the last one. `undefined`: it is no slice. */
function splitSlice(left: string): { readonly slice: Slice | undefined; readonly path: string } {
  if (startsWithFamily(left)) return { slice: new Map(), path: left.trim() };
  const colons = [...left.matchAll(/:/g)].map((match) => match.index);
  const colon = colons.find((at) => startsWithFamily(left.slice(at + 1))) ?? colons.at(-1);
  if (colon === undefined) return { slice: new Map(), path: left.trim() };
  return { slice: parseSlice(left.slice(0, colon)), path: left.slice(colon + 1).trim() };
}

function compare(value: number, op: Op, bound: number): boolean {
  switch (op) {
    case '>=':
      return value >= bound;
    case '>':
      return value > bound;
    case '<=':
      return value <= bound;
    case '<':
      return value < bound;
    case '==':
      return value === bound;
  }
}
