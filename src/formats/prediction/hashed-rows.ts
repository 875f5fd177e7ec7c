import type { Form } from '../inputs/form.ts';
import type { FoundContent } from '../inputs/input.ts';
import { mixOutput, rememberForm } from './form-rows.ts';
import type { State } from './reader-state.ts';

/** Remembers what was parsed of a record whose content has a hash. */
export function rememberReading(state: State, form: Form | undefined): void {
  const { batch, byBytes, hashedRow: row } = state;
  if (form === undefined || row !== batch.count - 1 || batch.reject[row] !== 0) return;
  if (rememberForm(byBytes!.forms!, state, row, form)) batch.hashed[row] = 1;
}

/** Takes the hash of the last row's content; and what is known by it, where that was not read. */
export function takeContent(state: State, { words, label, whole, remember }: FoundContent): void {
  const { batch, options } = state;
  const row = batch.count - 1;
  if (batch.reject[row] !== 0) return;
  batch.hashed[row] = 1;
  state.outputRead[row] = 0;
  batch.content.set(words, 8 * row);
  if (options.decisionOf !== undefined) mixOutput(batch.content, 8 * row);
  if (label < 0) {
    remember(batch.label[row]!);
    return;
  }
  batch.label[row] = label;
  state.origins[row] = 'later';
  state.values[row] = whole;
}
