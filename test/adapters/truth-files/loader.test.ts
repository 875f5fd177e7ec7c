import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Int32 } from 'apache-arrow';
import { loadTruth } from '../../../src/adapters/truth-files/truth-loader.ts';
import { readTruthFiles } from '../../../src/adapters/truth-files/truth-records.ts';
import { buildTruthTable, truthBuilder } from '../../../src/formats/truth/builder.ts';
import { TruthError } from '../../../src/formats/truth/error.ts';
import { openTruth } from '../../../src/formats/truth/open.ts';
import { truthTable } from '../../../src/formats/truth/table.ts';
import type { TruthRecord } from '../../../src/formats/truth/record.ts';
import { arrowBytes, listOf, structOf, utf8 } from '../../support/arrow-tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const deadlineMs = 60_000;

function record(id: string): TruthRecord {
  return {
    example_id: id,
    label: 'tool_call',
    tools: [{ name: 'f', parameters: {} }],
    expected_tool_calls: [{ name: 'f', arguments: { id } }],
    reference: [id],
  };
}

/** Writes files, by name, into a folder that is gone after the test. */
function folderOf(context: TestContext, files: Readonly<Record<string, Uint8Array | string>>): string {
  const folder = temporaryFolder(context);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

test('files and folders form one table', async (context) => {
  const folder = folderOf(context, {
    'a.arrow': buildTruthTable([record('a'), record('b')]),
    'b.arrows': arrowBytes({ example_id: [['c'], utf8] }, 'stream'),
    'ignored.ndjson': '{"example_id":"x"}',
    'ignored.txt': 'x',
  });
  const lines = folderOf(context, {
    'one.ndjson': '\ufeff{"example_id":"d"}\n',
    'two.jsonl': '{"example_id":"e","label":"direct"}',
    'other.csv': '',
  });
  const single = folderOf(context, { 'no-ending': '{"example_id":"f"}' });
  const table = await loadTruth([folder, lines, join(single, 'no-ending')], { deadlineMs });
  assert.deepEqual(
    'abcdefx'.split('').map((id) => table.find(id) >= 0),
    [true, true, true, true, true, true, false],
  );
  assert.deepEqual(table.read(table.find('a')), {
    label: 1,
    tools: [{ name: 'f', parameters: {} }],
    expected: [{ name: 'f', arguments: { id: 'a' } }],
    reference: ['a'],
  });
  assert.equal(table.info.rows, 6);
  assert.equal(table.info.version, table.version);
});

test('NDJSON and the table built of it have the same version', async (context) => {
  const line =
    '{"example_id":"a","label":"tool_call","tools":[{"name":"f","parameters":{}}],"expected_tool_calls":[{"name":"f","arguments":{"id":"a"}}],"reference":["a"]}';
  const folder = folderOf(context, { 'a.ndjson': line, 'a.arrow': buildTruthTable([record('a')]) });
  const [lines, built] = await Promise.all(
    ['a.ndjson', 'a.arrow'].map((name) => loadTruth([join(folder, name)], { deadlineMs })),
  );
  assert.equal(lines!.version, built!.version);
});

const refused: readonly (readonly [files: Record<string, string>, message: RegExp])[] = [
  [
    { 'a.ndjson': '{"example_id":"a"}\n{"example_id":"a"}\n' },
    /a\.ndjson, line 2: example_id: "a" is already at .*a\.ndjson, line 1; /,
  ],
  [{ 'a.ndjson': '{"example_id":"a"}', 'b.ndjson': '{}\nx' }, /b\.ndjson, line 1: example_id: /],
  [{ 'a.arrow': '' }, /a\.arrow: the file is empty; /],
  [{ 'a.ndjson': '{"example_id":"a","forbidden":[]}' }, /a\.ndjson: no row of 1 has label/],
  [{ 'a.arrow': '{"example_id":"a"}' }, /a\.arrow: no row of 1 has label, .*: there is nothing to score; /],
  [{ 'a.csv': 'example_id,question\na,why\n' }, /nothing reads question; say where .*--truth-field/],
  [{ 'a.txt': '' }, /the folder holds no \*\.arrow/],
];
for (const [files, message] of refused) {
  test(`refused, naming the file: ${message.source}`, async (context) => {
    await assert.rejects(loadTruth([folderOf(context, files)], { deadlineMs }), (error) => {
      assert.ok(error instanceof TruthError);
      assert.match(error.message, message);
      return true;
    });
  });
}

const rows = [
  { example_id: '007', label: 'tool_call', expected_tool_calls: [{ name: 'f', arguments: { a: 1 } }] },
  { example_id: '8', label: 'direct', expected_tool_calls: [] },
];
const ndjson = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const header = 'example_id,label,expected_tool_calls';
const cells = ['007,tool_call,"[{""name"":""f"",""arguments"":{""a"":1}}]"', '8,direct,[]'];

/** The same truth in every kind of file; names say nothing. */
const kinds: Readonly<Record<string, Uint8Array | string>> = {
  NDJSON: ndjson,
  'JSON array': JSON.stringify(rows, undefined, 1),
  CSV: `${header}\n${cells.join('\n')}`,
  'CSV with mixed line ends': `${header}\n${cells.join('\r\n')}\r\n`,
  gzip: gzipSync(ndjson),
  'CSV in gzip': gzipSync(`${header}\n${cells.join('\n')}`),
  Arrow: arrowBytes({
    example_id: [['007', '8'], utf8],
    label: [['tool_call', 'direct'], utf8],
    expected_tool_calls: [rows.map((row) => JSON.stringify(row.expected_tool_calls)), utf8],
  }),
  'Arrow with calls of LangChain': arrowBytes({
    example_id: [['007', '8'], utf8],
    label: [['tool_call', 'direct'], utf8],
    expected_tool_calls: [[[{ name: 'f', args: '{"a":1}' }], []], listOf(structOf({ name: utf8, args: utf8 }))],
  }),
};
for (const [kind, content] of Object.entries(kinds)) {
  test(`truth as ${kind}`, async (context) => {
    const folder = folderOf(context, { truth: content, 'lines.ndjson': ndjson });
    const [table, lines] = await Promise.all(
      ['truth', 'lines.ndjson'].map((name) => loadTruth([join(folder, name)], { deadlineMs })),
    );
    assert.equal(table!.version, lines!.version);
  });
}

test('fields of Arrow tables lie at places too, and ids of numbers are text', async (context) => {
  const bytes = arrowBytes({ id: [[7, 8], new Int32()], gold: [['direct', null], utf8], note: [['x', 'y'], utf8] });
  const fields = { example_id: '/id', label: '/gold' };
  const table = await loadTruth([join(folderOf(context, { truth: bytes }), 'truth')], { deadlineMs, fields });
  assert.deepEqual([table.label(table.find('7')), table.find('8') >= 0, table.info.unread], [0, true, ['note']]);
});

test('a rule as JSON text in a table that truth build wrote', async (context) => {
  const accept = { id: { ignore: true } };
  const built = buildTruthTable([{ ...record('a'), expected_tool_calls: [{ name: 'f', arguments: {}, accept }] }]);
  const file = join(folderOf(context, { 'a.arrow': built }), 'a.arrow');
  const builder = truthBuilder();
  await readTruthFiles([{ name: file }], builder, (...refused) => assert.fail(String(refused)), {});
  assert.deepEqual(truthTable(openTruth([{ name: 'b', bytes: builder.finish() }])).read(0).expected, [
    { name: 'f', arguments: {}, accept },
  ]);
});

test('a row with more expected calls than limits.calls refuses its table, by file, row and column', async (context) => {
  const calls = (count: number): TruthRecord => ({
    ...record('a'),
    expected_tool_calls: Array.from({ length: count }, () => ({ name: 'f', arguments: {} })),
  });
  const type = listOf(structOf({ name: utf8, arguments: utf8 }));
  const folder = folderOf(context, {
    'fits.arrow': buildTruthTable([record('b'), calls(2)]),
    'built.arrow': buildTruthTable([record('b'), calls(3)]),
    'foreign.arrow': arrowBytes({
      example_id: [['a'], utf8],
      expected_tool_calls: [[calls(3).expected_tool_calls!.map(({ name }) => ({ name, arguments: '{}' }))], type],
    }),
    'lines.ndjson': `\n${JSON.stringify(calls(3))}\n`,
  });
  const load = (name: string): Promise<unknown> =>
    loadTruth([join(folder, name)], { deadlineMs, limits: { calls: 2, values: 20 } });
  await load('fits.arrow');
  await assert.rejects(load('built.arrow'), {
    message: /built\.arrow, row 1, column expected_tool_calls: holds 3 calls, limits\.calls allows 2; /,
  });
  await assert.rejects(load('foreign.arrow'), {
    message: /foreign\.arrow, row 0, column expected_tool_calls: holds 3/,
  });
  await assert.rejects(load('lines.ndjson'), { message: /lines\.ndjson, line 2: expected_tool_calls: holds 3 calls/ });
});

test('a row with more values than limits.values refuses its table, by file and row', async (context) => {
  const numbers = (count: number): number[] => new Array<number>(count).fill(1);
  const row = (count: number): TruthRecord => ({
    ...record('a'),
    tools: [{ name: 't', parameters: {} }],
    expected_tool_calls: [{ name: 'f', arguments: { a: numbers(10) } }],
    reference: numbers(count),
  });
  const folder = folderOf(context, {
    'fits.arrow': buildTruthTable([record('b'), row(25)]),
    'built.arrow': buildTruthTable([record('b'), row(26)]),
    'foreign.arrow': arrowBytes({
      example_id: [['a', 'b'], utf8],
      reference: [['1', JSON.stringify(numbers(50))], utf8],
    }),
    'lines.ndjson': `\n${JSON.stringify(row(60))}\n`,
  });
  const limits = { calls: 2, values: 41 };
  const load = (name: string): Promise<unknown> => loadTruth([join(folder, name)], { deadlineMs, limits });
  await load('fits.arrow');
  const refused = 'holds more JSON values than limits\\.values allows, 41; ';
  await assert.rejects(load('built.arrow'), { message: new RegExp(`built\\.arrow, row 1: ${refused}`) });
  await assert.rejects(load('foreign.arrow'), { message: new RegExp(`foreign\\.arrow, row 1: ${refused}`) });
  await assert.rejects(load('lines.ndjson'), { message: new RegExp(`lines\\.ndjson, line 2: ${refused}`) });
});

test('a path that is not there is refused by name, and so is nothing at all', async (context) => {
  const path = join(temporaryFolder(context), 'nowhere.arrow');
  await assert.rejects(loadTruth([path], { deadlineMs }), {
    name: 'TruthError',
    message: /nowhere\.arrow: cannot be read \(ENOENT/,
  });
  await assert.rejects(loadTruth([], { deadlineMs }), { name: 'TruthError', message: /^no truth is given; / });
});

test('a folder that is named like a file is a folder', async (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'truth.arrow'));
  writeFileSync(join(folder, 'truth.arrow', 'a.arrow'), buildTruthTable([record('a')]));
  assert.equal((await loadTruth([join(folder, 'truth.arrow')], { deadlineMs })).rows, 1);
});

test('loading ends at its deadline, and when it is aborted', async (context) => {
  const folder = folderOf(context, { 'a.arrow': buildTruthTable([record('a')]) });
  await assert.rejects(loadTruth([folder], { deadlineMs: 1 }), {
    name: 'TruthError',
    message: /a\.arrow: not loaded within 1 ms; .*limits\.truth_load/,
  });
  const stop = new AbortController();
  const loading = loadTruth([folder], { deadlineMs, signal: stop.signal });
  stop.abort(new Error('stopped'));
  await assert.rejects(loading, { message: 'stopped' });
  await assert.rejects(loadTruth([folder], { deadlineMs, signal: stop.signal }), { message: 'stopped' });
});
