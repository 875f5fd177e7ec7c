import { identityOfText } from '../../state/containers/identity.ts';
import { type RejectCode, rejectNumber } from '../../state/reject.ts';
import { keyOf, type LogRecord } from '../../stream/event.ts';
import { nestsDeeper } from '../json/json-depth.ts';
import { labelOf } from './content.ts';
import { addRow } from './event-columns.ts';
import { idOfKey, tagText, timeOf } from './event-values.ts';
import { keepRow, type State } from './reader-state.ts';
import { isEvent, type RawEvent } from './schema.ts';
import { type Suspicions, sizeProblem } from './sizes.ts';

/** Adds the row of one event: a whole record (`at` -1), or an element of an array, which is refused alone. */
export function readEvent(
  state: State,
  record: LogRecord,
  index: number,
  at: number,
  value: unknown,
  text: string,
  suspect: Suspicions,
): void {
  const row = addRow(state.batch);
  const { limits } = state.options;
  // An array is depth 1 itself.
  const deep = suspect.deep && nestsDeeper(value, at < 0 ? limits.depth : limits.depth - 1);
  const code = deep
    ? 'too_deep'
    : isEvent(value)
      ? (sizeProblem(value, suspect.large, limits) ?? fillRow(state, row, value, record))
      : 'schema';
  if (code !== undefined) {
    refuse(state, row, index, at, code, value, text);
    return;
  }
  keepRow(state, row, index, at, value, text);
  state.batch.reject[row] = 0;
}

/** Fills the columns of a row that concern the event's content, unless it is to be refused. */
function fillRow(state: State, row: number, event: RawEvent, record: LogRecord): RejectCode | undefined {
  const { batch, names, options } = state;
  const exampleId = event.example_id ?? idOfKey(keyOf(record));
  if (exampleId === undefined) return 'no_example_id';
  const ts = timeOf(event.ts, record.timestamp);
  if (ts === undefined) return 'bad_timestamp';
  if (options.maxFutureMs !== undefined && ts > record.timestamp + options.maxFutureMs) return 'future_timestamp';
  batch.ts[row] = ts;
  batch.run[row] = event.run == null ? -1 : event.run + 0;
  batch.label[row] = labelOf(event, options.decisionOf);
  batch.model[row] = event.model ? names.codeOf(event.model) : state.unknown.code;
  batch.agent[row] = event.agent ? names.codeOf(event.agent) : state.unknown.code;
  if (batch.tagCount > 0) fillTags(state, row, event);
  fillIds(state, row, exampleId, event.event_id);
  return undefined;
}

function fillIds(state: State, row: number, exampleId: string, eventId: string | null | undefined): void {
  const { batch } = state;
  state.exampleIds[row] = exampleId;
  identityOfText(exampleId, batch.example, 4 * row);
  batch.identified[row] = eventId == null ? 0 : 1;
  if (eventId != null) identityOfText(eventId, batch.event, 4 * row);
}

function fillTags(state: State, row: number, event: RawEvent): void {
  const { batch, names, options } = state;
  for (let tag = 0; tag < batch.tagCount; tag++) {
    batch.tags[row * batch.tagCount + tag] = names.codeOf(tagText(event, options.tags[tag]!));
  }
}

/** Makes a row that of a refused record, or element. */
export function refuse(
  state: State,
  row: number,
  index: number,
  at: number,
  code: RejectCode,
  value: unknown,
  text: string,
): void {
  keepRow(state, row, index, at, value, text);
  state.batch.reject[row] = rejectNumber(code);
  state.exampleIds[row] = '';
}
