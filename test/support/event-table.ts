import {
  Bool,
  Dictionary,
  Float64,
  Int32,
  Table,
  tableToIPC,
  TimestampMillisecond,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';

/** Native events as an Arrow stream, with the columns that a producer would write: names by dictionaries, calls and tools as JSON text. */
export function eventTable(values: readonly Uint8Array[]): Uint8Array {
  const events = values.map((value) => JSON.parse(Buffer.from(value).toString()) as Record<string, unknown>);
  const column = (name: string): unknown[] => events.map((event) => event[name] ?? null);
  const texts = (name: string): (string | null)[] =>
    column(name).map((cell) =>
      cell === null || typeof cell === 'string' ? (cell as string | null) : JSON.stringify(cell),
    );
  const names = (name: string) => vectorFromArray(texts(name), new Dictionary(new Utf8(), new Int32()));
  const table = new Table({
    example_id: vectorFromArray(texts('example_id'), new Utf8()),
    event_id: vectorFromArray(texts('event_id'), new Utf8()),
    ts: vectorFromArray(column('ts').map(timeOf), new TimestampMillisecond()),
    model: names('model'),
    agent: names('agent'),
    label: names('label'),
    run: vectorFromArray(column('run'), new Float64()),
    tool_calls: vectorFromArray(texts('tool_calls'), new Utf8()),
    tools: vectorFromArray(texts('tools'), new Utf8()),
    output: vectorFromArray(texts('output'), new Utf8()),
    error: vectorFromArray(texts('error'), new Utf8()),
    success: vectorFromArray(column('success'), new Bool()),
  });
  return tableToIPC(table, 'stream');
}

function timeOf(ts: unknown): number | null {
  if (typeof ts === 'string') return Date.parse(ts);
  return typeof ts === 'number' ? ts : null;
}
