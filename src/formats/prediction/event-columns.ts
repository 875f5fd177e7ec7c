import { extended } from '../../state/containers/extended.ts';

/** The growable part of an event batch (`stream/event.ts` says what each column means). */
export interface EventColumns {
  count: number;
  record: Int32Array;
  element: Int32Array;
  reject: Uint8Array;
  ts: Float64Array;
  run: Float64Array;
  label: Uint8Array;
  model: Int32Array;
  agent: Int32Array;
  tags: Int32Array;
  readonly tagCount: number;
  example: Uint32Array;
  event: Uint32Array;
  identified: Uint8Array;
  hashed: Uint8Array;
  content: Uint32Array;
}

const firstCapacity = 256;

/** Empty columns with room for a first small batch. */
export function eventColumns(tagCount: number): EventColumns {
  const rows = firstCapacity;
  return {
    count: 0,
    record: new Int32Array(rows),
    element: new Int32Array(rows),
    reject: new Uint8Array(rows),
    ts: new Float64Array(rows),
    run: new Float64Array(rows),
    label: new Uint8Array(rows),
    model: new Int32Array(rows),
    agent: new Int32Array(rows),
    tags: new Int32Array(rows * tagCount),
    tagCount,
    example: new Uint32Array(4 * rows),
    event: new Uint32Array(4 * rows),
    identified: new Uint8Array(rows),
    hashed: new Uint8Array(rows),
    content: new Uint32Array(8 * rows),
  };
}

/** Appends a row and returns its index; its cells hold whatever was there before. */
export function addRow(columns: EventColumns): number {
  if (columns.count === columns.record.length) double(columns);
  return columns.count++;
}

function double(columns: EventColumns): void {
  columns.record = extended(columns.record, new Int32Array(2 * columns.record.length));
  columns.element = extended(columns.element, new Int32Array(2 * columns.element.length));
  columns.reject = extended(columns.reject, new Uint8Array(2 * columns.reject.length));
  columns.ts = extended(columns.ts, new Float64Array(2 * columns.ts.length));
  columns.run = extended(columns.run, new Float64Array(2 * columns.run.length));
  columns.label = extended(columns.label, new Uint8Array(2 * columns.label.length));
  columns.model = extended(columns.model, new Int32Array(2 * columns.model.length));
  columns.agent = extended(columns.agent, new Int32Array(2 * columns.agent.length));
  columns.tags = extended(columns.tags, new Int32Array(2 * columns.tags.length));
  columns.example = extended(columns.example, new Uint32Array(2 * columns.example.length));
  columns.event = extended(columns.event, new Uint32Array(2 * columns.event.length));
  columns.hashed = extended(columns.hashed, new Uint8Array(2 * columns.hashed.length));
  columns.content = extended(columns.content, new Uint32Array(2 * columns.content.length));
  columns.identified = extended(columns.identified, new Uint8Array(2 * columns.identified.length));
}
