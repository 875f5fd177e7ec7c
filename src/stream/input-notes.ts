import type { Prediction } from '../scoring/prediction.ts';
import { toolName } from '../scoring/tool.ts';
import type { Json } from '../scoring/json.ts';
import type { InputKind } from '../state/input.ts';
import type { PartitionState } from '../state/partition.ts';
import type { RejectCode } from '../state/reject.ts';
import type { EventBatch } from './event.ts';
import type { PreparedTruth } from './truth-cache.ts';

/** Everything that the report of the input tells of. */
export type NoteKind = InputKind | `rejected.${RejectCode}` | 'no_truth';

/** An example of something that was off. */
export interface Sight {
  readonly offset: number;
  /** -1: the whole record. */
  readonly element: number;
  /** Short; undefined where the place says it all. */
  readonly value: string | undefined;
}

/**
 * What a fold noted of its input besides the counts of the state: no part of the state, since it begins with the process. Whoever
 * consumes it takes the counts out; the first sights stay, so that no further one is made.
 */
export interface InputNotes {
  readonly counts: Map<NoteKind, number>;
  readonly firsts: Map<NoteKind, Sight>;
}

/** Notes of a fold that begins. */
export function noNotes(): InputNotes {
  return { counts: new Map(), firsts: new Map() };
}

/** Where a note belongs: the state that counts it, the notes of this process, the record. */
export interface Noting {
  readonly state: PartitionState;
  readonly notes: InputNotes;
  readonly offset: number;
  readonly element: number;
}

/** Notes what the state counts elsewhere (`count` 0: truth may yet come). `value` is asked for at the first sight alone. */
export function note(
  { notes, offset, element }: Omit<Noting, 'state'>,
  kind: NoteKind,
  count: number,
  value: () => string | undefined,
): void {
  if (count > 0) notes.counts.set(kind, (notes.counts.get(kind) ?? 0) + count);
  if (!notes.firsts.has(kind)) notes.firsts.set(kind, { offset, element, value: value() });
}

/** Notes and counts what is off with an accepted event, whether or not its truth is known. Returns whether its content is. */
export function noteEvent(noting: Noting, batch: EventBatch, event: number, { calls }: Prediction): boolean {
  const malformed = calls === undefined ? 0 : malformedOf(calls);
  if (malformed > 0) {
    const { text, unparsed, unparsedText } = batch.malformedCalls(event);
    count(noting, 'malformed_calls', malformed, () => text);
    if (unparsed > 0) count(noting, 'unparsed_arguments', unparsed, () => unparsedText);
  }
  noteForm(noting, batch, event);
  return malformed > 0;
}

/** The same of an event in whose content nothing is off. */
export function noteForm(noting: Noting, batch: EventBatch, event: number): void {
  if (Number.isNaN(batch.ts[event])) count(noting, 'untimed', 1, () => undefined);
  noteNames(noting, batch, event);
}

/** Notes and counts a field that nobody reads, whose name is near to one that is read and absent. */
export function noteNames(noting: Noting, batch: EventBatch, event: number): void {
  const near = batch.nearName(event);
  if (near !== undefined) count(noting, 'near_names', 1, () => `${near.name}: meant as ${near.meant}?`);
}

/** Notes and counts what an event lacks in the eyes of its truth. Returns whether there is anything. */
export function noteScored(
  noting: Noting & { readonly batch: EventBatch; readonly event: number },
  { labelStatus, tools }: Prediction,
  to: PreparedTruth,
): boolean {
  const { batch, event } = noting;
  const isUnlabelled = to.truth.label !== undefined && (labelStatus === 'missing' || labelStatus === 'invalid');
  if (isUnlabelled) count(noting, `labels_${labelStatus}`, 1, () => batch.labelText(event));
  if (tools === undefined || to.truth.tools === undefined) return isUnlabelled;
  const unknown = sameNames(tools, to.truth.tools) ? undefined : unknownTool(tools, knownTools(to));
  if (unknown !== undefined) count(noting, 'unknown_tools', 1, () => unknown);
  return isUnlabelled || unknown !== undefined;
}

/** Notes and counts what was passed over in records from the next offset on. */
export function notePassedOver(
  state: PartitionState,
  notes: InputNotes,
  batch: EventBatch,
  records: readonly { readonly offset: number }[],
): void {
  for (const { record, kind, number } of batch.passedOver) {
    const { offset } = records[record]!;
    if (offset >= state.numbers.nextOffset) count({ state, notes, offset, element: -1 }, kind, number, () => undefined);
  }
}

function count(noting: Noting, kind: InputKind, number: number, value: () => string | undefined): void {
  noting.state.input[kind] += number;
  note(noting, kind, number, value);
}

function malformedOf(calls: NonNullable<Prediction['calls']>): number {
  let malformed = 0;
  for (let i = 0; i < calls.length; i++) {
    const call = calls[i]!;
    if (call.name === undefined || call.arguments === undefined) malformed++;
  }
  return malformed;
}

/** Whether tools have the names of those of the truth, in their order: most events', of which nothing else need be asked. */
function sameNames(tools: readonly Json[], known: readonly Json[]): boolean {
  if (tools.length !== known.length) return false;
  for (let at = 0; at < tools.length; at++) if (toolName(tools[at]!) !== toolName(known[at]!)) return false;
  return true;
}

/** Names that the truth has, of tools and of expected calls. */
function knownTools(prepared: PreparedTruth): ReadonlySet<string> {
  if (prepared.toolNames !== undefined) return prepared.toolNames;
  const { tools, expected } = prepared.truth;
  const known = [...tools!.map(toolName), ...(expected ?? []).map(({ name }) => name)];
  prepared.toolNames = new Set(known.filter((name) => name !== undefined));
  return prepared.toolNames;
}

/** The first tool that an agent had at hand and its truth does not know. A call of another tool is no wrong input: agents invent some. */
function unknownTool(tools: readonly Json[], known: ReadonlySet<string>): string | undefined {
  for (const tool of tools) {
    const name = toolName(tool);
    if (name !== undefined && !known.has(name)) return name;
  }
  return undefined;
}
