/** A reason why a record gives no truth: the counted thing, and what to do. */
interface Lack {
  readonly what: string;
  readonly remedy: string;
}

/** The reasons, in the order of the report. */
export const lacks = {
  absent: {
    what: 'records without an expected answer',
    remedy: 'give one, or say where it lies with --truth-field expected_tool_calls=PLACE (or label, reference)',
  },
  free_text: {
    what: 'expected answers in free text, which no rule can compare',
    remedy: 'give the expected calls or a label, or have the answers judged (assay judge)',
  },
  verdict: {
    what: 'scores, feedback and annotations that judge an answer and give no right one',
    remedy: 'nothing; a correction beside them would be truth',
  },
  no_id: {
    what: 'records that name nothing which an event carries',
    remedy: 'say where the id of the example lies with --id PLACE',
  },
  archived: {
    what: 'records that are archived, or that a later one replaced',
    remedy: 'nothing, where that was meant',
  },
  other: { what: 'records of another kind', remedy: 'check --from' },
  repeated: { what: 'records that say the same as an earlier one of their example', remedy: 'nothing' },
  outdated: {
    what: 'records that another one of their example contradicts, and that are older (or come first)',
    remedy: 'see which of the two is right',
  },
  failed: { what: 'events that failed', remedy: 'nothing: a failure is no answer' },
  malformed: { what: 'events with malformed calls', remedy: 'nothing: they match nothing' },
  undecided: {
    what: 'events that say neither a label nor calls',
    remedy: 'give label, or set decision.rules: words, which reads decisions from words',
  },
  chosen_out: { what: 'events of other models or runs', remedy: 'nothing: --model and --run leave them out' },
  disagree: {
    what: 'examples on which too few events agree',
    remedy: 'choose one with --model or --run, or lower --agree',
  },
} as const satisfies Readonly<Record<string, Lack>>;

export type LackKind = keyof typeof lacks;

/** A record of a file; `unit` is that of its number. */
export interface RecordPlace {
  readonly file: string;
  readonly number: number;
  readonly unit: 'line' | 'element' | 'row';
  /** Number within a record that holds several, from 1. */
  readonly item?: number;
}

/** Counts of the records that give no truth, each reason with its first record. */
export type LackCounts = Map<LackKind, { count: number; readonly first: RecordPlace }>;

/** Counts a record that gives no truth. */
export function countLack(counts: LackCounts, kind: LackKind, first: RecordPlace, number = 1): void {
  const known = counts.get(kind);
  if (known === undefined) counts.set(kind, { count: number, first });
  else known.count += number;
}

/** The counts as lines of text: number, reason, first record, remedy. Empty where there are none. */
export function lacksText(counts: LackCounts): string {
  const kinds = (Object.keys(lacks) as LackKind[]).filter((kind) => counts.has(kind));
  const width = Math.max(0, ...kinds.map((kind) => String(counts.get(kind)!.count).length));
  return kinds
    .map((kind) => {
      const { count, first } = counts.get(kind)!;
      const { what, remedy } = lacks[kind];
      return `  ${String(count).padStart(width)}  ${what}, first at ${placeText(first)}; ${remedy}\n`;
    })
    .join('');
}

/** A record as a person writes it: `items.ndjson:3`, `items.json, element 3, item 2`. */
export function placeText({ file, number, unit, item }: RecordPlace): string {
  const place = unit === 'line' ? `${file}:${number}` : `${file}, ${unit} ${number}`;
  return item === undefined ? place : `${place}, item ${item}`;
}
