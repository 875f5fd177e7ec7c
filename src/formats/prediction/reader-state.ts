import type { Json } from '../../scoring/json.ts';
import type { LabelCode } from '../../scoring/label.ts';
import { rejectCodeOf } from '../../state/reject.ts';
import type { EventBatch, LogRecord, PassedOver } from '../../stream/event.ts';
import type { Reading } from '../inputs/input.ts';
import { judgementOf, type RawJudgement } from '../judgement/schema.ts';
import { jsonText } from '../json/json-text.ts';
import {
  type ByteRows,
  eventIdOf,
  exampleOf,
  nearNameOf,
  predictionFrom,
  predictionNoting,
  tagsOf,
} from './byte-rows.ts';
import { predictionOf } from './content.ts';
import { type EventColumns, eventColumns } from './event-columns.ts';
import { elementTexts, tagText } from './event-values.ts';
import { parsedRecord } from './fields.ts';
import type { EventTable } from './event-table.ts';
import { type KnownRows, knownRows } from './known-rows.ts';
import { type NameTable, nameTable } from './names.ts';
import { oddValues } from './odd-values.ts';
import { pendingText } from './pending-text.ts';
import { type Refused, rejectDetail, rejectLimit } from './reject-detail.ts';
import type { ReaderOptions } from './reader-options.ts';
import type { RawEvent } from './schema.ts';

/** `values` and `texts` hold the parsed event and the record's text of each row. */
export interface State {
  readonly options: ReaderOptions;
  /** Reads what is usual; undefined where JSON.parse reads everything. */
  readonly byBytes: ByteRows | undefined;
  readonly names: NameTable;
  readonly unknown: { code: number };
  readonly knownRows: KnownRows;
  readonly batch: EventColumns & EventBatch;
  records: readonly LogRecord[];
  readonly values: unknown[];
  readonly texts: string[];
  readonly exampleIds: string[];
  /** Where each row is from: parsed values, the bytes of a native event, or those of another form; or the table that it is a row of. */
  readonly origins: Origin[];
  /** By row whose content was hashed: 1 where somebody has looked at its output. */
  readonly outputRead: number[];
  /** The row whose content was hashed and whose record is being parsed; -1 where there is none. */
  hashedRow: number;
  /** Why a row was refused, where it was while another form was read. */
  readonly details: Map<number, string>;
  readonly passedOver: PassedOver[];
}

export type Origin = 'values' | 'native bytes' | 'bytes' | 'table';

/** A reader that has read nothing. */
export function emptyState(options: ReaderOptions, byBytes?: ByteRows): State {
  const names = nameTable();
  const values: unknown[] = [];
  const texts: string[] = [];
  const exampleIds: string[] = [];
  const details = new Map<number, string>();
  const passedOver: PassedOver[] = [];
  const origins: Origin[] = [];
  const outputRead = byBytes?.outputRead ?? [];
  const isScanned = (row: number): boolean => origins[row] === 'native bytes';
  const recordOf = (row: number): LogRecord => state.records[batch.record[row]!]!;
  const eventOf = (row: number): RawEvent => eventIn(state, row);
  const odd = oddValues(eventOf);
  const keptTags = [...new Set([...options.tags, ...(options.linkTags ?? [])])];
  const batch: EventColumns & EventBatch = {
    ...eventColumns(options.tags.length),
    ...odd,
    ...(options.judgements && { judgement: (row: number) => judgementOf(rawJudgement(values[row])) }),
    names,
    passedOver,
    nearName: (row) => {
      if (isScanned(row)) return nearNameOf(byBytes!, row, odd.nearName);
      // An event that was made of another form has no further fields.
      return origins[row] === 'values' ? odd.nearName(row) : undefined;
    },
    exampleId: (row) => {
      if (isScanned(row)) return exampleOf(byBytes!, row, recordOf(row));
      if (origins[row] === 'table') return idOfRow(values[row] as EventTable, batch.element[row]!);
      return origins[row] === 'values' ? exampleIds[row]! : eventOf(row).example_id!;
    },
    eventId: (row) => (isScanned(row) ? eventIdOf(byBytes!, row, recordOf(row)) : eventIdIn(state, row)),
    tag: (row, name) => tagText(isScanned(row) ? tagsOf(byBytes!, row, recordOf(row)) : eventOf(row), name),
    prediction: (row) => {
      const label = batch.label[row] as LabelCode;
      if (isScanned(row)) return predictionFrom(byBytes!, row, recordOf(row), label);
      const event = eventOf(row);
      return batch.hashed[row] === 1 ? predictionNoting(outputRead, row, event, label) : predictionOf(event, label);
    },
    outputRead: (row) => batch.hashed[row] === 0 || outputRead[row] === 1,
    ...refusals(() => state),
    pendingText: (row, tsMs) => pendingText(batch, row, eventOf(row), tsMs, keptTags),
  };
  const read = { names, batch, values, texts, exampleIds, origins, outputRead, hashedRow: -1, details, passedOver };
  const known = { byBytes, knownRows: knownRows() };
  const state: State = { options, ...known, ...read, unknown: { code: 0 }, records: [] };
  return state;
}

function rawJudgement(value: unknown): RawJudgement {
  return (value as { readonly judgement: RawJudgement }).judgement;
}

/** Keeps what a row is of. */
export function keepRow(state: State, row: number, index: number, at: number, value: unknown, text: string): void {
  state.batch.record[row] = index;
  state.batch.element[row] = at;
  state.batch.hashed[row] = 0;
  state.origins[row] = 'values';
  state.values[row] = value;
  state.texts[row] = text;
}

/** The event of an accepted row. */
function eventIn(state: State, row: number): RawEvent {
  const { batch, records, origins, values, options } = state;
  const record = records[batch.record[row]!]!;
  const origin = origins[row];
  if (origin === 'native bytes') return parsedRecord(record) as RawEvent;
  if (origin === 'bytes') values[row] ??= eventOfForm(record, options);
  else if (origin === 'table') {
    const event = eventOfRow(values[row] as EventTable, batch.element[row]!);
    [state.exampleIds[row], values[row], origins[row]] = [event.example_id!, event, 'values'];
  }
  return values[row] as RawEvent;
}

function idOfRow({ usual, first }: EventTable, element: number): string {
  return usual!.example.text(element - first);
}

function eventIdIn(state: State, row: number): string | undefined {
  const { batch, origins, values } = state;
  if (batch.identified[row] === 0) return undefined;
  if (origins[row] !== 'table') return eventIn(state, row).event_id!;
  const { usual, first } = values[row] as EventTable;
  return usual!.event!.text(batch.element[row]! - first);
}

function eventOfRow({ textOf, first }: EventTable, element: number): RawEvent {
  return JSON.parse(textOf(element - first)) as RawEvent;
}

/** The event of a record whose like was accepted. */
function eventOfForm(record: LogRecord, { input }: ReaderOptions): RawEvent {
  return firstEvent(input!(parsedRecord(record), record));
}

function firstEvent({ found }: Reading): RawEvent {
  return (found[0] as { readonly event: RawEvent }).event;
}

/** What a batch tells of its refused rows. */
function refusals(state: () => State): Pick<EventBatch, 'rejectDetail' | 'rejectLimit' | 'elementText'> {
  const refusedOf = (row: number): Refused => {
    const { batch, records, values, texts } = state();
    const [code, record] = [rejectCodeOf(batch.reject[row]!), records[batch.record[row]!]!];
    return { code, record, value: values[row], text: texts[row]! };
  };
  const textOf = elementTexts((row) => state().texts[row]!);
  return {
    rejectDetail: (row) => state().details.get(row) ?? rejectDetail(refusedOf(row), state().options.limits),
    rejectLimit: (row) => rejectLimit(refusedOf(row), state().options.limits),
    elementText: (row) => {
      const { batch, texts, values, options } = state();
      if (batch.element[row]! < 0) return texts[row]!;
      // Of an element of judgements there is one row, as of one of events.
      // A row of a table has no text of its record.
      if ((options.input === undefined || options.judgements) && texts[row] !== '')
        return textOf(row, batch.element[row]!);
      return jsonText(values[row] as Json);
    },
  };
}
