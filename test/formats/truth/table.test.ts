import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecordBatchReader, tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { buildTruthTable, truthBuilder } from '../../../src/formats/truth/builder.ts';
import { openTruth } from '../../../src/formats/truth/open.ts';
import { readTruthRecord, type TruthRecord } from '../../../src/formats/truth/record.ts';
import { truthFromRecords, truthInfo, truthTable } from '../../../src/formats/truth/table.ts';
import { labelCode } from '../../../src/scoring/label.ts';
import type { Truth } from '../../../src/scoring/truth.ts';
import { openBytes, refusal } from '../../support/arrow-tables.ts';

const none = { label: null, tools: null, expected_tool_calls: null, reference: null };

function record(id: string, fields: Partial<TruthRecord> = {}): TruthRecord {
  return { example_id: id, ...none, ...fields };
}

/** What a table must say of a record. */
function truthOf({ label, tools, expected_tool_calls: calls, reference }: TruthRecord): Truth {
  return {
    label: label === null ? undefined : labelCode(label),
    tools: tools?.map(({ name, parameters }) => {
      if (parameters === undefined) return name ?? {};
      return name === undefined ? { parameters } : { name, parameters };
    }),
    expected: calls?.map((call) => ({
      name: call.name,
      arguments: typeof call.arguments === 'string' ? JSON.parse(call.arguments) : call.arguments,
    })),
    reference: reference ?? undefined,
  };
}

const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const text = fc.string({ unit: 'grapheme', maxLength: 6 });
const args = fc
  .dictionary(text, fc.jsonValue({ noUnicodeString: false }), { maxKeys: 3 })
  .map((one) => JSON.parse(JSON.stringify(one)));
const someRecord = fc.record({
  example_id: id,
  label: fc.constantFrom(null, 'direct', 'tool_call', 'request_for_info', 'cannot_answer'),
  tools: fc.option(
    fc.array(
      fc.record({
        name: fc.oneof(text, fc.constant(undefined)),
        parameters: fc.oneof(args, fc.constantFrom(undefined, null)),
      }),
      { maxLength: 3 },
    ),
  ),
  expected_tool_calls: fc.option(
    fc.array(
      fc.record({
        name: text,
        arguments: fc.oneof(
          args,
          args.map((one) => JSON.stringify(one)),
        ),
      }),
      { maxLength: 3 },
    ),
  ),
  reference: fc.jsonValue().map((one) => JSON.parse(JSON.stringify(one))),
}) as fc.Arbitrary<TruthRecord>;
const someRecords = fc.uniqueArray(someRecord, { selector: (one) => one.example_id, maxLength: 12 });

test('what is written is read again, row by row', () => {
  fc.assert(
    fc.property(someRecords, id, (records, other) => {
      const table = truthFromRecords(records);
      assert.equal(table.rows, records.length);
      for (const one of records) {
        const row = table.find(one.example_id);
        const truth = truthOf(one);
        assert.deepEqual(table.read(row), truth);
        assert.equal(table.label(row), truth.label ?? -1);
        assert.equal(table.toolCount(row), truth.tools?.length ?? -1);
      }
      if (!records.some((one) => one.example_id === other)) assert.equal(table.find(other), -1);
    }),
  );
});

test('the version depends on what is said, and on nothing else', () => {
  fc.assert(
    fc.property(someRecords, fc.nat(), (records, at) => {
      const version = truthFromRecords(records).version;
      assert.equal(truthFromRecords(records.toReversed()).version, version);
      const half = records.length >> 1;
      const parts = [records.slice(0, half), records.slice(half)].map((part, i) => ({
        name: `${i}`,
        bytes: buildTruthTable(part),
      }));
      assert.equal(openTruth(parts).version, version);
      const changed = records.map((one, i) => (i === at % records.length ? { ...one, reference: ['changed'] } : one));
      if (records.length > 0) assert.notEqual(truthFromRecords(changed).version, version);
    }),
  );
});

test('moving a cell to another row or column changes the version', () => {
  const version = (...records: TruthRecord[]): string => truthFromRecords(records).version;
  const versions = [
    version(record('a', { label: 'direct' }), record('b')),
    version(record('a'), record('b', { label: 'direct' })),
    version(record('a', { tools: [] }), record('b')),
    version(record('a', { expected_tool_calls: [] }), record('b')),
    version(record('a', { tools: [{ name: 'f', parameters: undefined }] }), record('b')),
    version(record('a', { tools: [{ name: 'f', parameters: null }] }), record('b')),
    version(record('a', { tools: [{ name: undefined, parameters: null }] }), record('b')),
    version(record('a', { expected_tool_calls: [{ name: 'f', arguments: {} }] }), record('b')),
    version(record('a', { expected_tool_calls: [{ name: '', arguments: {} }] }), record('b')),
    version(record('a', { reference: '' }), record('b')),
    version(record('a'), record('b')),
    version(record('ab')),
  ];
  assert.equal(new Set(versions).size, versions.length);
});

test('arguments and references nest deeper than any stack', () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  const line = `{"example_id":"e","expected_tool_calls":[{"name":"f","arguments":${deep}},{"name":"f","arguments":${JSON.stringify(deep)}}],"reference":${deep}}`;
  const read = readTruthRecord(line);
  assert.ok(!('problem' in read));
  const truth = truthFromRecords([read]).read(0);
  assert.ok(truth.expected![1]!.arguments['a']);
  assert.ok(truth.reference);
});

test('what JSON alone can hold comes back: __proto__, lone surrogates in values, numbers without an end', () => {
  const line =
    '{"example_id":"e","expected_tool_calls":[{"name":"f","arguments":{"__proto__":"\\ud800"}},{"name":"f","arguments":"{\\"x\\":\\"\\udc00\\"}"}],"reference":[1e999]}';
  const read = readTruthRecord(line) as TruthRecord;
  const truth = truthFromRecords([read]).read(0);
  assert.equal(JSON.stringify(truth.expected![0]!.arguments), '{"__proto__":"\\ud800"}');
  assert.deepEqual(truth.expected![1]!.arguments, { x: '\udc00' });
  assert.deepEqual(truth.reference, [Infinity]);
});

test('a built table is an Arrow file that names its rows, in batches of 4 Ki', () => {
  const builder = truthBuilder();
  for (let i = 0; i < 65_537; i++)
    builder.add(record(`e${i}`, { label: 'direct', tools: [{ name: 'f', parameters: undefined }] }));
  const bytes = builder.finish();
  assert.deepEqual(
    [...RecordBatchReader.from(bytes)].map((batch) => batch.numRows),
    [...Array.from({ length: 16 }, () => 4_096), 1],
  );
  const { schema } = tableFromIPC(bytes);
  assert.equal(schema.metadata.get('assay.truth'), '1');
  assert.equal(schema.metadata.get('assay.rows'), '65537');
  assert.equal(schema.metadata.get('assay.hash'), openBytes(bytes).version);
  const table = truthTable(openBytes(bytes));
  for (const row of [0, 65_535, 65_536]) assert.equal(table.find(`e${row}`), row);
  assert.deepEqual(table.read(65_536), { label: 0, tools: ['f'], expected: undefined, reference: undefined });
});

test('a table that was cut after it was built is found by its rows', () => {
  const long = buildTruthTable([record('a'), record('b')]);
  const text = Buffer.from(long).toString('latin1').replaceAll('assay.rows', 'assay.rowz');
  assert.match(
    refusal(Buffer.from(text, 'latin1')),
    /holds 2 rows, its metadata say nothing: it is cut short or was changed/,
  );
});

test('an id that occurs twice is refused with both places, in one file and across files', () => {
  const a = buildTruthTable([record('a'), record('é')]);
  const b = buildTruthTable([record('b'), record('c'), record('é')]);
  assert.equal(
    refusal(buildTruthTable([record('a'), record('b'), record('a')])),
    't.arrow, row 2, column example_id: "a" is already at t.arrow, row 0; keep one of the two rows',
  );
  assert.throws(
    () =>
      openTruth([
        { name: 'a.arrow', bytes: a },
        { name: 'b.arrow', bytes: b },
      ]),
    {
      name: 'TruthError',
      message: 'b.arrow, row 2, column example_id: "é" is already at a.arrow, row 1; keep one of the two rows',
    },
  );
});

test('what is inspected', () => {
  const loaded = openTruth([
    { name: 'a', bytes: buildTruthTable([record('a', { label: 'direct', tools: [] }), record('b', { reference: 0 })]) },
    { name: 'b', bytes: buildTruthTable([record('c', { expected_tool_calls: [] })]) },
  ]);
  const info = truthInfo(loaded);
  assert.equal(info.version, loaded.version);
  assert.deepEqual([info.rows, info.tools, info.expected_tool_calls, info.reference], [3, 1, 1, 1]);
  assert.deepEqual(info.labels, { direct: 1, tool_call: 0, request_for_info: 0, cannot_answer: 0, none: 2 });
  assert.deepEqual(
    info.files.map(({ name, rows, form, built }) => [name, rows, form, built]),
    [
      ['a', 2, 'file', true],
      ['b', 1, 'file', true],
    ],
  );
  assert.deepEqual(info.files[0]!.columns[0], { name: 'example_id', type: 'Utf8', used: true });
});

test('loaded truth lies in shared memory and survives being posted', () => {
  const loaded = openBytes(buildTruthTable([record('a', { label: 'direct', tools: [{ name: 'f', parameters: {} }] })]));
  const posted = structuredClone(loaded);
  assert.equal(posted.index.slots.buffer instanceof SharedArrayBuffer, true);
  assert.deepEqual(truthTable(posted).read(0), truthTable(loaded).read(0));
  const stack: unknown[] = [loaded];
  while (stack.length > 0) {
    const value = stack.pop();
    if (ArrayBuffer.isView(value)) assert.ok(value.buffer instanceof SharedArrayBuffer);
    else if (typeof value === 'object' && value !== null) stack.push(...Object.values(value));
  }
});
