import { type InputCounts, type InputKind, inputKinds, inputProblems } from '../state/input.ts';
import { type RejectCode, rejectCodes } from '../state/reject.ts';
import type { DeadLetter } from '../stream/dead-letter.ts';
import { type FindingCounts, type FindingKind, findingKinds } from '../scoring/truth.ts';
import type { NoteKind } from '../stream/input-notes.ts';
import type { RecordCounts } from './summary.ts';

/** An example with its place. */
export interface PlacedSample {
  readonly source: DeadLetter['source'];
  readonly value: string | undefined;
}

/** The oddities of all input since this process began. */
export interface PlacedNotes {
  /** Since the last look. */
  readonly counts: Map<NoteKind, number>;
  /** By kind, the first that was seen. */
  readonly firsts: Map<NoteKind, PlacedSample>;
}

/** One thing that was wrong with the input. */
export interface InputRow {
  readonly kind: NoteKind;
  readonly count: number;
  /** The counted thing. */
  readonly what: string;
  /** The first place, and what was there; null where it was not seen by this process, the value also where it is not to be shown. */
  readonly first: DeadLetter['source'] | null;
  readonly value: string | null;
  readonly remedy: string;
}

interface About {
  readonly what: string;
  readonly remedy: string;
  /** The example may hold arguments or outputs. */
  readonly showsContent?: boolean;
  readonly isUsual?: boolean;
}

const rejected: Readonly<Record<RejectCode, string>> = {
  not_utf8: 'send records as UTF-8',
  not_json: 'send one JSON object, or an array of objects',
  schema: 'see what a field must be in docs/reference/events.md; name the form with input.format',
  too_large: 'send less, or raise limits.record_bytes (limits.batch_bytes)',
  too_deep: 'flatten objects, send them as text, or raise limits.depth',
  too_many_elements: 'send several records, or raise limits.elements',
  too_many_calls: 'raise limits.calls',
  no_example_id: 'say where it lies with input.fields.example_id (replay: --field example_id=PLACE)',
  bad_timestamp: 'give ts as ISO 8601 text or epoch milliseconds between 2000 and 2100',
  no_decision:
    'say where the answer lies with input.response or input.fields (replay: --response PLACE, --field output=PLACE)',
  future_timestamp: "set the producer's clock, or raise time.max_future",
};

const contradictions: Readonly<Record<FindingKind, string>> = {
  label: 'rows of truth whose label contradicts their calls',
  tool: 'expected calls of a tool that their row of truth does not list, or forbids',
  arguments: "expected calls whose arguments do not fit their row's own schema",
  rules: 'rules of expected calls that cannot hold',
};
const seeThem = 'see them with assay truth check';

/** The counts of truth and feedback, which no state has. */
export interface TruthCounts {
  /** Contradictions in the truth; undefined where it was not looked at. */
  readonly findings?: FindingCounts | undefined;
  /** Feedback records that reached no event. */
  readonly unmatched?: number | undefined;
}

/** The name of each kind, and its remedy. */
export const inputTexts: Readonly<Record<NoteKind, About>> = {
  ...(Object.fromEntries(
    rejectCodes.map((code) => [
      `rejected.${code}`,
      { what: `events rejected (${code})`, remedy: rejected[code], showsContent: true },
    ]),
  ) as Record<`rejected.${RejectCode}`, About>),
  no_truth: {
    what: 'events without truth',
    remedy:
      'add the truth of these examples, with the same text as example_id; what is older than join.truth_wait expires at once, so send its truth first',
  },
  ...inputProblems,
  feedback_unmatched: {
    what: 'feedback records about no event that can be reached',
    remedy:
      'name the event_id, the trace_id or the example_id that the event has in about, and none of another event; in run, raise feedback.wait where the event is older than it',
  },
  ...(Object.fromEntries(
    findingKinds.map((kind) => [`truth_${kind}`, { what: contradictions[kind], remedy: seeThem }]),
  ) as Record<`truth_${FindingKind}`, About>),
};

/** The kinds in the order of every report. */
export const noteKinds = Object.keys(inputTexts) as readonly NoteKind[];

/** The rows of what there was, in order: exact counts, each with an example where this process saw one. */
export function inputReport(
  records: RecordCounts,
  counts: Readonly<InputCounts>,
  firsts: ReadonlyMap<NoteKind, PlacedSample>,
  ofTruth: TruthCounts = {},
): InputRow[] {
  return noteKinds.flatMap((kind) => {
    const count = countOf(kind, records, counts, ofTruth);
    return count > 0 ? [inputRow(kind, count, firsts.get(kind))] : [];
  });
}

/** One row of a report. */
export function inputRow(kind: NoteKind, count: number, first: PlacedSample | undefined): InputRow {
  const { what, remedy } = inputTexts[kind];
  return { kind, count, what, first: first?.source ?? null, value: first?.value ?? null, remedy };
}

/** Rows without arguments and outputs. */
export function withoutContent(rows: readonly InputRow[]): InputRow[] {
  return rows.map((row) => (inputTexts[row.kind].showsContent ? { ...row, value: null } : row));
}

/** Returns whether a row tells of something wrong, and not only of how events were read. */
export function isWrong({ kind }: Pick<InputRow, 'kind'>): boolean {
  return inputTexts[kind].isUsual !== true;
}

/** The remedy; undefined where the value has it: the detail of a reject ends in its remedy. */
export function remedyOf({ kind, value, remedy }: InputRow): string | undefined {
  return kind.startsWith('rejected.') && value !== null ? undefined : remedy;
}

/** A place as a person writes it: `events.ndjson:3`, `predictions/0:17`, with `[2]` for an element of an array. */
export function placeText(source: DeadLetter['source']): string {
  const element = source.element === undefined ? '' : `[${source.element}]`;
  const place =
    'file' in source ? `${source.file}:${source.line}` : `${source.topic}/${source.partition}:${source.offset}`;
  return `${place}${element}`;
}

function countOf(
  kind: NoteKind,
  records: RecordCounts,
  counts: Readonly<InputCounts>,
  { findings, unmatched = 0 }: TruthCounts,
): number {
  if (kind === 'no_truth') return records.pending + records.expired;
  if (kind === 'feedback_unmatched') return unmatched;
  if (isCounted(kind)) return counts[kind];
  if (kind.startsWith('truth_')) return findings?.[kind.slice('truth_'.length) as FindingKind] ?? 0;
  return records.rejected[kind.slice('rejected.'.length) as RejectCode] ?? 0;
}

function isCounted(kind: NoteKind): kind is InputKind {
  return (inputKinds as readonly string[]).includes(kind);
}
