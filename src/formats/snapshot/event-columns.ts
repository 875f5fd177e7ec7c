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
  let latest = noValues();
  const settle = (): void => {
    for (const [name, column] of columns) events.bytes += column.push(latest[name as keyof typeof latest]);
    latest = noValues();
  };
  const events = {
    bytes: 0,
    add({ event_id, example_id, ts, model, agent, run, source, tags }: RowEvent): void {
      latest.event_id.push(event_id);
      latest.example_id.push(example_id);
      latest.ts.push(ts);
      latest.model.push(model);
      latest.agent.push(agent);
      latest.run.push(run);
      latest.topic.push(source.topic);
      latest.partition.push(source.partition);
      latest.offset.push(source.offset);
      latest.file.push(source.file);
      latest.line.push(source.line);
      if (latest.tags.push(tags) === rowsAtOnce) settle();
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

const noValues = () => ({
  event_id: [] as RowEvent['event_id'][],
  example_id: [] as string[],
  ts: [] as number[],
  model: [] as string[],
  agent: [] as string[],
  run: [] as RowEvent['run'][],
  topic: [] as (string | undefined)[],
  partition: [] as (number | undefined)[],
  offset: [] as (number | undefined)[],
  file: [] as (string | undefined)[],
  line: [] as (number | undefined)[],
  tags: [] as RowEvent['tags'][],
});
