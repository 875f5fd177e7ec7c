import type { AnyFamily } from '../scoring/family.ts';
import { commonNames, toolNaming } from '../scoring/tool-names.ts';
import { toolName } from '../scoring/tool.ts';
import type { FindingKind, Truth } from '../scoring/truth.ts';
import type { InputKind } from '../state/input.ts';
import type { PartitionState } from '../state/partition.ts';
import type { Pending } from '../state/pending.ts';
import type { RejectCode } from '../state/reject.ts';
import type { Event, NearName } from './event.ts';
import type { Scored } from './score.ts';

/** Kinds of notes in the report of the input. */
export type NoteKind =
  | InputKind
  | `rejected.${RejectCode}`
  | 'no_truth'
  | 'feedback_unmatched'
  | `truth_${FindingKind}`;

/** An example of something odd. */
export interface Sample {
  readonly offset: number;
  /** -1: the whole record. */
  readonly element: number;
  /** Short; undefined where the place says it all. */
  readonly value: string | undefined;
}

/**
 * Notes of a fold on its input, besides the counts of the state: no part of the state, since they begin with the process. A consumer
 * takes the counts out; the first samples stay, so that no further one is made.
 */
export interface InputNotes {
  readonly counts: Map<NoteKind, number>;
  readonly firsts: Map<NoteKind, Sample>;
}

/** Notes of a fold that begins. */
export function noNotes(): InputNotes {
  return { counts: new Map(), firsts: new Map() };
}

/** The state that counts a note, the notes of this process, and the place of the event. */
export interface Noting {
  readonly state: PartitionState;
  readonly notes: InputNotes;
  readonly offset: number;
  readonly element: number;
}

/** Notes what the state counts elsewhere (`number` 0: truth may yet come). `value` is shown for the first of its kind. */
export function note(
  { notes, offset, element }: Omit<Noting, 'state'>,
  kind: NoteKind,
  number: number,
  value: string | undefined,
): void {
  if (number > 0) notes.counts.set(kind, (notes.counts.get(kind) ?? 0) + number);
  if (!notes.firsts.has(kind)) notes.firsts.set(kind, { offset, element, value });
}

/** Forgets an example that was noted to have no truth: it has come. */
export function truthHasCome({ firsts }: InputNotes, exampleId: string): void {
  if (firsts.get('no_truth')?.value === exampleId) firsts.delete('no_truth');
}

/** Notes the oldest example that waits for its truth, where none is noted. */
export function renewNoTruth(notes: InputNotes, { waiting }: Pick<Pending, 'waiting'>): void {
  const [oldest] = waiting.values();
  if (oldest !== undefined) note({ notes, ...oldest }, 'no_truth', 0, oldest.exampleId);
}

/** Notes a kind of oddity, and counts it in the state. */
export function count(noting: Noting, kind: InputKind, number: number, value: string | undefined): void {
  noting.state.input[kind] += number;
  note(noting, kind, number, value);
}

/** Notes and counts the oddities of an accepted event, whether or not its truth is there. */
export function noteEvent(noting: Noting, { ts, oddities }: Event): void {
  if (Number.isNaN(ts)) count(noting, 'untimed', 1, undefined);
  if (oddities === undefined) return;
  const { malformed, nearName, unreadCall, callInText, tags, words, notStandard = 0, own } = oddities;
  if (own !== undefined) count(noting, 'events_unnamed', 1, own);
  if (words !== undefined) count(noting, words.rule, 1, words.text);
  if (notStandard > 0) count(noting, 'not_standard_json', notStandard, undefined);
  if (malformed !== undefined) {
    count(noting, 'malformed_calls', malformed.count, malformed.text);
    if (malformed.unparsed > 0) count(noting, 'unparsed_arguments', malformed.unparsed, malformed.unparsedText);
  }
  if (unreadCall !== undefined) count(noting, 'unread_calls', 1, unreadCall);
  if (callInText !== undefined) count(noting, 'calls_in_text', 1, callInText);
  if (tags !== undefined) count(noting, 'tags_not_read', 1, tags);
  noteNearName(noting, nearName);
}

/** Notes and counts an unread field whose name is near to that of an absent one. */
export function noteNearName(noting: Noting, near: NearName | undefined): void {
  if (near !== undefined) count(noting, 'near_names', 1, `${near.name}: meant as ${near.meant}?`);
}

/** Notes and counts what the families that need no truth could not check. */
export function noteAccepted(noting: Noting, families: readonly AnyFamily[], { outcomes }: Scored): void {
  families.forEach((family, index) => {
    if (family.unusable === undefined || outcomes[index] === undefined) return;
    const tools = family.unusable(outcomes[index]);
    if (tools.length > 0) count(noting, 'unusable_schemas', tools.length, tools[0]);
  });
}

/** Notes and counts the oddities of an event that show only beside its truth. The names of `prediction` are those that are compared. */
export function noteScored(
  noting: Noting,
  families: readonly AnyFamily[],
  { event: { oddities, given }, joined: { prediction }, prepared: to, outcomes }: Scored,
): void {
  const uncheckedBy = ({ unchecked }: AnyFamily, outcome: unknown): readonly string[] =>
    outcome === undefined ? [] : (unchecked?.(outcome) ?? []);
  const unchecked = families.flatMap((family, at) => uncheckedBy(family, outcomes[at]));
  if (unchecked.length > 0) count(noting, 'unchecked_arguments', 1, unchecked[0]);
  const { labelStatus, calls = [], tools = [] } = prediction;
  const isTold = oddities?.callInText !== undefined || (given['words'] === true && prediction.error !== undefined);
  if (to.truth.label !== undefined && !isTold && (labelStatus === 'missing' || labelStatus === 'invalid'))
    count(noting, `labels_${labelStatus}`, 1, oddities?.label);
  const known = (to.toolNames ??= knownTools(to.truth));
  const lacksTool = (name: string | undefined): name is string => name !== undefined && !known.has(name);
  const atHand = tools.map(toolName);
  // A call of another tool is no wrong input: agents invent some.
  const unknown = to.truth.tools === undefined ? [] : atHand.filter(lacksTool);
  if (unknown.length > 0) count(noting, 'unknown_tools', 1, unknown[0]);
  for (const { name } of calls) if (lacksTool(name)) unknown.push(name);
  if (unknown.length === 0) return;
  const others = [...known, ...atHand];
  const renamed = unknown.find((name) => others.some((other) => isSameTool(name, other)));
  if (renamed !== undefined) count(noting, 'renamed_tools', 1, renamed);
}

const common = toolNaming(commonNames);

/** Returns whether two names are different, and one tool by the preset `common`. */
function isSameTool(name: string, other: string | undefined): boolean {
  return other !== undefined && other !== name && common(other) === common(name);
}

/** Names of the tools and of the expected calls of a truth row. */
function knownTools({ tools = [], expected = [] }: Truth): ReadonlySet<string> {
  const names = [...tools.map(toolName), ...expected.map(({ name }) => name)];
  return new Set(names.filter((name) => name !== undefined));
}
