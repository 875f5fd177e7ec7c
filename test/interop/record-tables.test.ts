import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileRecords } from '../../src/adapters/files/file-records.ts';
import { truthBuilder } from '../../src/formats/truth/builder.ts';
import { truthLines } from '../../src/formats/truth/lines.ts';
import { openTruth } from '../../src/formats/truth/open.ts';
import { truthTable } from '../../src/formats/truth/table.ts';
import { withPython } from '../support/python.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Written {
  readonly name: string;
  readonly path: string;
  readonly what: 'predictions' | 'truth';
}

interface Call {
  readonly name: string;
  readonly arguments: unknown;
}

interface Event {
  readonly ts: string | number;
  readonly tool_calls?: readonly Call[];
}

const fixture = (name: string): string => join('test', 'fixtures', 'traffic', name);
const parsed = (given: unknown): unknown => (typeof given === 'string' ? JSON.parse(given) : given);

async function textsOf(path: string): Promise<string[]> {
  const { batches } = await fileRecords(path, { recordBytesMax: 2 ** 20, isColumn: (name) => name === 'example_id' });
  const texts: string[] = [];
  for await (const { records } of batches)
    for (const { bytes, start, end } of records) texts.push(Buffer.from(bytes.subarray(start, end)).toString());
  return texts;
}

/** Events by the fields that the tables have, with times in ms and arguments parsed. */
async function eventsOf(path: string): Promise<unknown[]> {
  return (await textsOf(path)).map((text) => {
    const { extra, day, blob, ['']: index, ...event } = JSON.parse(text) as Event & Record<string, unknown>;
    const calls = event.tool_calls?.map(({ name, arguments: given }) => ({ name, arguments: parsed(given) }));
    return { ...event, ts: new Date(event.ts).getTime(), ...(calls && { tool_calls: calls }) };
  });
}

/** What a truth table made of the file says of each example. */
async function truthOf(path: string, ids: readonly string[]): Promise<unknown[]> {
  const builder = truthBuilder();
  const add = truthLines(builder, (_file, row, problem) => assert.fail(`${path} ${row}: ${problem}`)).openFile(path);
  for (const [number, text] of (await textsOf(path)).entries()) add(number, text);
  const table = truthTable(openTruth([{ name: path, bytes: builder.finish() }]));
  return ids.map((id) => table.read(table.find(id)));
}

withPython('tables of records that pyarrow, Polars and pandas write', (python) => {
  test('each is read as the NDJSON that it was made of', async (context) => {
    const [events, truth] = [fixture('tau-airline-predictions.ndjson'), fixture('tau-airline-truth.ndjson')];
    const rowsOf = (path: string): { readonly example_id: string }[] =>
      readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .slice(0, 40)
        .map((line) => JSON.parse(line) as { readonly example_id: string });
    const folder = temporaryFolder(context);
    const request = { folder, predictions: rowsOf(events), truth: rowsOf(truth) };
    const files = await python<Written[]>('write_tables.py', request);
    assert.ok(files.length > 70);
    const wantedEvents = (await eventsOf(events)).slice(0, 40);
    const ids = request.truth.map(({ example_id }) => example_id);
    const wantedTruth = await truthOf(truth, ids);
    for (const { name, path, what } of files)
      if (what === 'truth') assert.deepEqual(await truthOf(path, ids), wantedTruth, name);
      else assert.deepEqual(await eventsOf(path), wantedEvents, name);
  });
});
