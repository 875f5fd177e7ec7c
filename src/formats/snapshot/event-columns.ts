import { type Data, makeData, type Struct } from 'apache-arrow';
import { type GrowingColumn, growingColumn } from '../arrow/growing-column.ts';
import { rowsAtOnce } from '../arrow/row-columns.ts';
import { arrowSchema, type Columns } from '../arrow/schema.ts';
import type { RowEvent } from './score-row.ts';

const sourceColumns = {
  topic: { kind: 'utf8' },
  partition: { kind: 'int32' },
  offset: { kind: 'int64' },
  file: { kind: 'utf8' },
  line: { kind: 'int64' },
} as const satisfies Columns;

const plainColumns = {
  event_id: { kind: 'utf8' },
  example_id: { kind: 'utf8', required: true },
  ts: { kind: 'time', required: true },
  model: { kind: 'utf8', required: true },
  agent: { kind: 'utf8', required: true },
  run: { kind: 'int64' },
} as const satisfies Columns;

const tagColumn = { tags: { kind: { map: 'utf8' }, required: true } } as const satisfies Columns;

/** Columns of what score rows say of their events alone. */
export const eventColumns: Columns = { ...plainColumns, source: { kind: { struct: sourceColumns } }, ...tagColumn };

/** What score rows say of their events alone, as columns that grow. */
export interface EventColumns {
  /** That they take, about, but for the latest few. */
  readonly bytes: number;
  add(event: RowEvent): void;
  /** The columns of the events since the last call. */
  take(): readonly Data[];
}

const leaves: Columns = { ...plainColumns, ...sourceColumns, ...tagColumn };

/** No events. Each value is put into its column by name: nothing of an event is shared with others, and a loop over names costs as much as all else. */
export function growingEvents(): EventColumns {
  const schema = arrowSchema(eventColumns);
  const columns = arrowSchema(leaves).fields.map(({ name, type }): [string, GrowingColumn] => [
    name,
    growingColumn(leaves[name]!.kind, type),
  ]);
  const latest = valuesOf(rowsAtOnce);
  let count = 0;
  const settle = (): void => {
    for (const [name, column] of columns) {
      const values = latest[name as keyof typeof latest];
      events.bytes += column.push(count === rowsAtOnce ? values : values.slice(0, count));
    }
    count = 0;
  };
  const events = {
    bytes: 0,
    add({ event_id, example_id, ts, model, agent, run, source, tags }: RowEvent): void {
      latest.event_id[count] = event_id;
      latest.example_id[count] = example_id;
      latest.ts[count] = ts;
      latest.model[count] = model;
      latest.agent[count] = agent;
      latest.run[count] = run;
      latest.topic[count] = source.topic;
      latest.partition[count] = source.partition;
      latest.offset[count] = source.offset;
      latest.file[count] = source.file;
      latest.line[count] = source.line;
      latest.tags[count] = tags;
      if (++count === rowsAtOnce) settle();
    },
    take(): Data[] {
      settle();
      events.bytes = 0;
      const ended = new Map(columns.map(([name, column]) => [name, column.endBatch()]));
      return schema.fields.map(({ name, type }) => ended.get(name) ?? structOf(type as Struct, ended));
    },
  };
  return events;
}

function structOf(type: Struct, columns: ReadonlyMap<string, Data>): Data {
  const children = type.children.map(({ name }) => columns.get(name)!);
  return makeData({ type, length: children[0]!.length, nullCount: 0, children });
}

/** Arrays for the values of so many events, of which each takes the place of one before. */
const valuesOf = (length: number) => ({
  event_id: new Array<RowEvent['event_id']>(length),
  example_id: new Array<string>(length),
  ts: new Array<number>(length),
  model: new Array<string>(length),
  agent: new Array<string>(length),
  run: new Array<RowEvent['run']>(length),
  topic: new Array<string | undefined>(length),
  partition: new Array<number | undefined>(length),
  offset: new Array<number | undefined>(length),
  file: new Array<string | undefined>(length),
  line: new Array<number | undefined>(length),
  tags: new Array<RowEvent['tags']>(length),
});
