import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readShared } from '../../src/adapters/truth-files/truth-files.ts';
import { registerArrowCodecs } from '../../src/formats/arrow/codecs.ts';
import { openTruth } from '../../src/formats/truth/open.ts';
import type { TruthRecord } from '../../src/formats/truth/record.ts';
import { truthFromRecords, truthTable } from '../../src/formats/truth/table.ts';
import type { JsonObject } from '../../src/scoring/json.ts';
import { type Label, labels } from '../../src/scoring/label.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';
import { runProgram } from '../support/program.ts';
import { readArrow, withPython } from '../support/python.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

await registerArrowCodecs();

/** A row as a data frame holds it: JSON as text. */
interface Row {
  readonly example_id: string;
  readonly label: Label | null;
  readonly tools: readonly { readonly name: string; readonly parameters: string | null }[] | null;
  readonly expected_tool_calls:
    | readonly { readonly name: string; readonly arguments: string | null; readonly accept: string | null }[]
    | null;
  readonly reference: string | null;
  readonly alternatives: string | null;
  readonly forbidden: readonly string[] | null;
}

interface Written {
  readonly name: string;
  readonly path: string;
  readonly refused: string | null;
  readonly says: {
    readonly slice?: readonly [number, number];
    readonly null?: readonly (keyof Row)[];
    readonly names?: true;
    readonly copies?: number;
  };
}

const rows: readonly Row[] = Array.from({ length: 12 }, (_, i) => ({
  example_id: i % 2 === 0 ? `an id that is longer than a view holds ${i}` : `é${i}`,
  label: [...labels, null][i % 5]!,
  tools:
    i % 4 === 0
      ? null
      : Array.from({ length: i % 3 }, (_tool, at) => ({
          name: `t${at}`,
          parameters: at === 1 ? null : '{"type": "object"}',
        })),
  expected_tool_calls:
    i % 5 === 0
      ? null
      : Array.from({ length: i % 4 }, (_call, at) => ({
          name: `t${at}`,
          arguments: at === 2 ? null : `{"x": [${at}, "日本"]}`,
          accept: at === 1 ? '{"x[*]": {"ignore_case": true, "any": ["Nippon"]}}' : null,
        })),
  reference: i % 3 === 0 ? null : `{"longer than a view": ${i}}`,
  alternatives:
    i % 4 === 1 ? '[[], [{"name": "é", "arguments": {"y": 1}, "accept": {"y": {"tolerance": 0.5}}}]]' : null,
  forbidden: i % 6 === 5 ? ['delete_*', 'ünknown'] : i % 6 === 4 ? [] : null,
}));

/** What a file must say, made in memory from the rows. */
function expected({ says }: Written): TruthTable {
  const some = rows.slice(...(says.slice ?? []));
  const ids = (row: Row): readonly string[] =>
    says.copies === undefined
      ? [row.example_id]
      : Array.from({ length: says.copies }, (_, copy) => `${row.example_id}#${copy}`);
  const json = (text: string): JsonObject => JSON.parse(text) as JsonObject;
  const toRecord = (row: Row, id: string): TruthRecord => ({
    example_id: id,
    label: row.label,
    tools:
      row.tools?.map(({ name, parameters }) => ({
        name,
        parameters: parameters === null || says.names ? undefined : json(parameters),
      })) ?? null,
    expected_tool_calls:
      row.expected_tool_calls?.map((call) => ({
        name: call.name,
        arguments: json(call.arguments ?? '{}'),
        ...(call.accept !== null && { accept: json(call.accept) }),
      })) ?? null,
    ...(row.alternatives !== null && {
      alternatives: JSON.parse(row.alternatives) as NonNullable<TruthRecord['alternatives']>,
    }),
    ...(row.forbidden !== null && { forbidden: [...row.forbidden] }),
    reference: row.reference === null ? null : json(row.reference),
    ...Object.fromEntries((says.null ?? []).map((column) => [column, null])),
  });
  return truthFromRecords(some.flatMap((row) => ids(row).map((id) => toRecord(row, id))));
}

function assertSame(found: TruthTable, wanted: TruthTable, ids: readonly string[], what: string): void {
  assert.equal(found.rows, wanted.rows, what);
  for (const id of ids) {
    const [row, other] = [found.find(id), wanted.find(id)];
    assert.equal(row < 0, other < 0, what);
    if (row >= 0) assert.deepEqual(found.read(row), wanted.read(other), `${what}: ${id}`);
  }
}

withPython('truth tables that pyarrow, Polars and pandas write', (python) => {
  test('each form is read, or refused by name', async (context) => {
    const files = await python<Written[]>('write_truth.py', { folder: temporaryFolder(context), rows });
    assert.ok(files.length > 75);
    const versions = new Map<string, string>();
    for (const file of files) {
      const open = (): ReturnType<typeof openTruth> => openTruth([{ name: file.path, bytes: readShared(file.path) }]);
      if (file.refused !== null) {
        assert.throws(
          open,
          { name: 'TruthError', message: new RegExp(`^${file.path}(, |: )${file.refused}`) },
          file.name,
        );
        continue;
      }
      const table = truthTable(open());
      const ids = rows.flatMap(({ example_id }) => [example_id, `${example_id}#0`, `${example_id}#4999`]);
      assertSame(table, expected(file), ids, file.name);
      const says = JSON.stringify(file.says);
      if (!versions.has(says)) versions.set(says, table.version);
      assert.equal(table.version, versions.get(says), file.name);
    }
    assert.equal(new Set(versions.values()).size, versions.size);
  });

  test('what truth build writes is read by all of them', async (context) => {
    const folder = temporaryFolder(context);
    const [lines, path] = [join(folder, 'truth.ndjson'), join(folder, 'truth.arrow')];
    const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
    const records = rows.map((row) => ({
      ...row,
      tools:
        row.tools?.map(({ name, parameters }) =>
          parameters === null ? name : { name, parameters: parsed(parameters) },
        ) ?? null,
      reference: parsed(row.reference),
      alternatives: parsed(row.alternatives),
      expected_tool_calls: row.expected_tool_calls?.map((call) => ({ ...call, accept: parsed(call.accept) })) ?? null,
    }));
    writeFileSync(lines, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const { status, stderr } = await runProgram(['truth', 'build', lines, '-o', path]);
    assert.equal(status, 0, stderr);
    for (const reader of ['pyarrow', 'polars', 'pandas'] as const) {
      const [read] = await readArrow(python, [{ path, reader }]);
      assert.deepEqual(
        read!.rows.map(withJson),
        rows.map((row) => withJson({ ...row, ...asWritten(row) })),
        reader,
      );
      if (read!.metadata) assert.deepEqual([read!.metadata['assay.truth'], read!.metadata['assay.rows']], ['1', '12']);
    }
  });
});

/** A row with its JSON parsed. */
function withJson({
  reference,
  alternatives,
  tools,
  expected_tool_calls,
  ...row
}: Readonly<Record<string, unknown>>): object {
  const parsed = (text: unknown): unknown => (text === null ? null : JSON.parse(text as string));
  return {
    ...row,
    reference: parsed(reference),
    alternatives: parsed(alternatives),
    tools: (tools as Row['tools'])?.map((tool) => ({ ...tool, parameters: parsed(tool.parameters) })) ?? null,
    calls:
      (expected_tool_calls as Row['expected_tool_calls'])?.map((call) => ({
        ...call,
        arguments: parsed(call.arguments),
        accept: parsed(call.accept),
      })) ?? null,
  };
}

/** As truth build writes it: absent arguments are empty ones, an empty list of forbidden tools is none. */
function asWritten({ expected_tool_calls, forbidden }: Row): Pick<Row, 'expected_tool_calls' | 'forbidden'> {
  const calls = expected_tool_calls?.map((call) => ({ ...call, arguments: call.arguments ?? '{}' }));
  return { expected_tool_calls: calls ?? null, forbidden: forbidden?.length ? forbidden : null };
}
