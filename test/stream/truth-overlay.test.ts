import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { readTopicTruth, truthOfRow } from '../../src/formats/truth/topic.ts';
import {
  emptyOverlay,
  noTruth,
  overlaid,
  type TruthOverlay,
  withoutRow,
  withRow,
} from '../../src/stream/truth-overlay.ts';

const table = truthFromRecords(
  ['a', 'b'].map((id) => ({
    example_id: id,
    label: 'direct',
    tools: null,
    expected_tool_calls: null,
    reference: id,
  })),
);

function put(overlay: TruthOverlay, id: string, reference: unknown): TruthOverlay {
  const read = readTopicTruth(
    Buffer.from(id),
    Buffer.from(JSON.stringify({ label: 'tool_call', tools: [], reference })),
  );
  assert.ok('exampleId' in read && read.row !== undefined);
  return withRow(overlay, id, read.row);
}

const change = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'é', '__proto__'),
  value: fc.option(fc.integer({ max: 3 })),
});

test('rows of the overlay hide those of the files, and are hidden by none; a deleted one shows what lies below', () => {
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      let overlay = emptyOverlay;
      const rows = new Map<string, number>();
      for (const { id, value } of changes) {
        overlay = value === null ? withoutRow(overlay, id) : put(overlay, id, value);
        if (value === null) rows.delete(id);
        else rows.set(id, value);
      }
      const seen = overlaid(table, overlay, truthOfRow);
      assert.equal(seen.rows, table.rows + rows.size);
      for (const id of ['a', 'b', 'c', 'é', '__proto__', 'absent']) {
        const row = seen.find(id);
        const value = rows.get(id);
        if (value === undefined) {
          assert.equal(row, table.find(id));
          continue;
        }
        assert.ok(row >= table.rows);
        assert.deepEqual(seen.read(row), { label: 1, tools: [], expected: undefined, reference: value });
        assert.deepEqual([seen.label(row), seen.toolCount(row)], [1, 0]);
      }
      const sorted = [...rows].sort().reduce((all, [id, value]) => put(all, id, value), emptyOverlay);
      assert.equal(seen.version, overlaid(table, sorted, truthOfRow).version);
      assert.equal(seen.version === table.version, rows.size === 0);
    }),
  );
});

test('a version stays as it is when the overlay goes on, and a revised row has another number', () => {
  const first = put(emptyOverlay, 'c', 1);
  const old = overlaid(table, first, truthOfRow);
  const row = old.find('c');
  const revised = overlaid(table, put(first, 'c', 2), truthOfRow);
  const gone = overlaid(table, withoutRow(first, 'c'), truthOfRow);
  assert.equal(old.read(row).reference, 1);
  assert.equal(old.find('c'), row);
  assert.notEqual(revised.find('c'), row);
  assert.equal(revised.read(revised.find('c')).reference, 2);
  assert.equal(gone.find('c'), -1);
  assert.equal(new Set([table, old, revised].map(({ version }) => version)).size, 3);
  assert.equal(gone.version, table.version);
});

test('the same row again is no change', () => {
  const overlay = put(emptyOverlay, 'c', 1);
  assert.equal(put(overlay, 'c', 1), overlay);
  assert.equal(withoutRow(overlay, 'd'), overlay);
});

test('an overlay lies over nothing where there are no files', () => {
  const seen = overlaid(noTruth, put(emptyOverlay, 'c', 1), truthOfRow);
  assert.equal(seen.rows, 1);
  assert.equal(seen.read(seen.find('c')).reference, 1);
  assert.equal(seen.find('a'), -1);
});
