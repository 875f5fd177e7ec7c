import { keyOf, type LogRecord } from '../stream/event.ts';
import type { FoldOutput } from '../stream/output.ts';
import { utf8 } from '../state/containers/hash128.ts';
import type { DeadLetter } from '../ports.ts';
import { outageNamed, type Service } from './service.ts';
import type { Task } from './task.ts';

/** Where records come from: a partition of a topic, or files, which say where an offset lies. */
export type RecordOrigin =
  | { readonly topic: string; readonly partition: number }
  | { placeOf(offset: number): { readonly file: string; readonly line: number } };

/**
 * The dead letters of a fold's output, which it empties: refused records with their own bytes (copied: they were borrowed), refused
 * elements and expired predictions as JSON.
 */
export function takeDeadLetters(out: FoldOutput, records: readonly LogRecord[], origin: RecordOrigin): DeadLetter[] {
  const rejected = out.rejects.map(({ code, detail, record, offset, element, text }): DeadLetter => {
    const refused = records[record];
    // A run was made of several records.
    if (refused === undefined)
      return { reason: code, detail, key: null, value: utf8(text ?? ''), source: sourceOf(origin, offset, element) };
    const { bytes, start, end, unread } = refused;
    const value = text !== undefined ? utf8(text) : copyOf(start < 0 ? null : bytes.subarray(start, end));
    const letter = {
      reason: code,
      detail,
      key: copyOf(keyOf(refused)),
      value,
      source: sourceOf(origin, offset, element),
    };
    return unread === undefined ? letter : { ...letter, unread: true };
  });
  const expired = out.expired.map(({ offset, element, exampleId, text }): DeadLetter => {
    const detail = `no truth for example ${JSON.stringify(exampleId)} came in time: add its truth, or raise join.truth_wait or limits.pending`;
    const source = sourceOf(origin, offset, element);
    return { reason: 'no_truth', detail, key: utf8(exampleId), value: utf8(text), source };
  });
  out.rejects.length = 0;
  out.expired.length = 0;
  return rejected.concat(expired);
}

/** Not `slice`: that of a Buffer is no copy. */
function copyOf(bytes: Uint8Array | null): Uint8Array | null {
  return bytes && new Uint8Array(bytes);
}

/**
 * Makes the dead letters of a task durable before a checkpoint that no longer holds their records. Where that takes long, or another
 * partition waits for the same already, the task is held back, and the others go on: false.
 */
export async function writeDeadLetters(service: Service, task: Task): Promise<boolean> {
  const { clock, deadLetters } = service.options;
  const letters = task.deadLetters;
  if (letters.length === 0) return true;
  task.deadLetters = [];
  task.touched = true;
  const written = deadLetters.write(letters, outageNamed(`dead letters ${task.name}`, service.outage));
  const patience = new AbortController();
  const isAnyHeldBack = [...service.tasks.values()].some((each) => each.heldBack !== undefined);
  const late = clock.sleep(isAnyHeldBack ? 0 : patienceMs, patience.signal).then(() => false);
  const inTime = await Promise.race([written.then(() => true), late]).finally(() => patience.abort());
  if (inTime) return true;
  const over = (): void => void (task.closed = true);
  task.heldBack = written.then(() => void (task.heldBack = undefined), over);
  return false;
}

/** How long the checkpoints of other partitions wait for dead letters. */
const patienceMs = 2_000;

/** Where a record, or an element of it, lies. */
export function sourceOf(origin: RecordOrigin, offset: number, element: number): DeadLetter['source'] {
  const at = element < 0 ? {} : { element };
  return 'placeOf' in origin ? { ...origin.placeOf(offset), ...at } : { ...origin, offset, ...at };
}
