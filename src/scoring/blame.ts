/** What of a tool a bad case can be blamed on: the tool, or that it was not called, was not expected, or does not exist. */
export const toolBlames = ['tool', 'missing_tool', 'extra_tool', 'invented_tool'] as const;
/** What of an argument: where a family names its errors, by error. */
export const argumentBlames = [
  'argument',
  'missing_argument',
  'unexpected_argument',
  'wrong_type',
  'wrong_value',
] as const;
export const blameKinds = [...toolBlames, ...argumentBlames] as const;
export type BlameKind = (typeof blameKinds)[number];

/** What a bad case is blamed on. */
export interface Blamed {
  readonly kind: BlameKind;
  readonly tool: string;
  /** Path in the arguments of the tool; `""` where the kind is one of a tool. */
  readonly argument: string;
}

/** A text that is the same for the same: what states know it by. */
export function blamedText({ kind, tool, argument }: Blamed): string {
  return `${kind} ${tool.length} ${tool}${argument}`;
}

/** What a text stands for. */
export function blamedOf(text: string): Blamed {
  const kind = text.slice(0, text.indexOf(' ')) as BlameKind;
  const from = text.indexOf(' ', kind.length + 1) + 1;
  const to = from + Number(text.slice(kind.length + 1, from - 1));
  return { kind, tool: text.slice(from, to), argument: text.slice(to) };
}
