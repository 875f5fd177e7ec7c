import type { LogRecord } from '../../stream/event.ts';
import type { SpanPlace } from '../otlp/span-scanner.ts';
import { fillFromSpan, hasContent, isPassedOver, rememberSpan, type SpanRows } from '../otlp/span-rows.ts';
import { addRow } from './event-columns.ts';
import { keepRow, type State } from './reader-state.ts';
import { valuesOfSeveral } from './sizes.ts';

/** Adds the row of an event that was parsed, as an element of its record; false: it was refused. */
export type AddEvent = (event: unknown, element: number) => boolean;

/**
 * Adds the rows of a record of spans, of which those are parsed that are unusual, or whose like was not parsed before. False, and none are added: the record holds
 * something else, or something that is to be refused.
 */
export function readSpans(state: State, rows: SpanRows, record: LogRecord, index: number, add: AddEvent): boolean {
  const { batch, options, passedOver } = state;
  const { elements, values } = options.limits;
  const encoding = options.spans!.encodingOf(record);
  // Shorter, a text cannot hold more values than a record of several events may.
  if (encoding === undefined || (encoding === 'json' && record.end - record.start > 2 * valuesOfSeveral * values))
    return false;
  const first = batch.count;
  const counts = { ignored: 0, spansIgnored: 0 };
  const isRead = rows.scanner.scan(record, encoding, () => {
    const isTaken = takeSpan(state, rows, record, index, { first, counts, add });
    return isTaken && batch.count - first <= elements;
  });
  if (!isRead) {
    batch.count = first;
    return false;
  }
  if (batch.count - first === 1) batch.element[first] = -1;
  if (counts.ignored > 0) passedOver.push({ record: index, kind: 'choices_ignored', number: counts.ignored });
  if (counts.spansIgnored > 0) passedOver.push({ record: index, kind: 'spans_ignored', number: counts.spansIgnored });
  return true;
}

interface Taking {
  readonly first: number;
  readonly counts: { ignored: number; spansIgnored: number };
  readonly add: AddEvent;
}

function takeSpan(state: State, rows: SpanRows, record: LogRecord, index: number, taking: Taking): boolean {
  const { batch, options } = state;
  const { scanner } = rows;
  const isUsual = scanner.isUsual();
  if (isUsual && isPassedOver(rows)) {
    taking.counts.spansIgnored++;
    return true;
  }
  const place = scanner.place(record);
  // Shorter, an event cannot hold more values than it may.
  const isHashed = isUsual && place.end - place.start < 2 * options.limits.values && hasContent(rows);
  if (!isHashed) return parseSpan(state, record, place, taking) !== undefined;
  const row = addRow(batch);
  if (fillFromSpan(rows, state, row, record)) {
    keepRow(state, row, index, row - taking.first, undefined, '');
    state.origins[row] = 'span';
    rows.places[row] = place;
  } else {
    batch.count--;
    const found = parseSpan(state, record, place, taking);
    if (found !== 1) return found === 0;
    rememberSpan(rows, state, row);
  }
  batch.hashed[row] = 1;
  batch.reject[row] = 0;
  state.outputRead[row] = 0;
  return true;
}

/** Adds the events of a span; undefined where something is to be refused. Gives how many. */
function parseSpan(
  { options, batch }: State,
  record: LogRecord,
  place: SpanPlace,
  { first, counts, add }: Taking,
): number | undefined {
  const reading = options.spans!.spanAt(record, place);
  if (reading === undefined) return undefined;
  counts.ignored += reading.ignored;
  counts.spansIgnored += reading.spansIgnored ?? 0;
  for (const one of reading.found) if (!('event' in one) || !add(one.event, batch.count - first)) return undefined;
  return reading.found.length;
}
