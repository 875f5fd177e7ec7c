/** Place and time of a step; `tools` is the number of its list of tools, -1 where it has none. */
export interface StepEntry {
  readonly offset: number;
  readonly element: number;
  readonly part: 'model' | 'tool' | 'context';
  readonly id: string | undefined;
  readonly parent: string | undefined;
  readonly follows: string | undefined;
  readonly ts: number;
  readonly start: number;
  readonly ends: boolean;
  readonly lagMs: number;
  readonly tools: number;
  /** Characters of its content that are the first of the run's first step, and are kept there alone. */
  readonly shared: number;
}

/** The entry of a step as its text has it, without the zeros at its end: most steps have none of the later parts. */
type Line = readonly [
  run: string | number,
  offset: number,
  ts: number,
  id?: string | 0,
  shared?: number,
  tools?: number,
  lagMs?: number,
  ends?: 0 | 1,
  element?: number,
  part?: number,
  durationMs?: number,
  parent?: string | 0,
  follows?: string | 0,
];

const parts: readonly StepEntry['part'][] = ['model', 'tool', 'context'];

/** The text of a step: its entry, then its content. `run`: number of its run's first step, or the key of the run that it begins. */
export function textOf(run: string | number, entry: StepEntry, content: string): string {
  const { offset, element, part, id = 0, parent = 0, follows = 0, ts, start, ends, lagMs, tools, shared } = entry;
  const later = [
    shared,
    tools + 1,
    lagMs,
    ends ? 1 : 0,
    element + 1,
    parts.indexOf(part),
    ts - start,
    parent,
    follows,
  ] as const;
  const line: Line = [run, offset, ts, id, ...later];
  const used = line.findLastIndex((each) => each !== 0) + 1;
  // Joined, a text is one run of bytes; added up, it would hold its parts as well.
  return ['s', JSON.stringify(line.slice(0, used)), '\n', content].join('');
}

/** The content in a text. */
export function contentOf(text: string): string {
  return text.slice(text.indexOf('\n') + 1);
}

/** Returns how many characters two texts begin with alike; no character of two halves is cut. */
export function sharedLength(text: string, other: string): number {
  let length = 0;
  while (length < text.length && text[length] === other[length]) length++;
  return /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
}

/** The entry in a text, with the number of the run's first step, or the key where the text is that step's. */
export function entryOf(text: string): {
  readonly entry: StepEntry;
  readonly key: string | undefined;
  readonly first: number;
} {
  const line = JSON.parse(text.slice(1, text.indexOf('\n'))) as Line;
  const [
    run,
    offset,
    ts,
    id,
    shared = 0,
    tools = 0,
    lagMs = 0,
    ends,
    element = 0,
    part = 0,
    durationMs = 0,
    parent,
    follows,
  ] = line;
  const entry = {
    offset,
    ts,
    shared,
    lagMs,
    ends: ends === 1,
    element: element - 1,
    part: parts[part]!,
    start: ts - durationMs,
  };
  return {
    entry: {
      ...entry,
      tools: tools - 1,
      id: id || undefined,
      parent: parent || undefined,
      follows: follows || undefined,
    },
    key: typeof run === 'string' ? run : undefined,
    first: typeof run === 'string' ? -1 : run,
  };
}
