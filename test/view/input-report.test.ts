import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noInputCounts } from '../../src/state/input.ts';
import {
  inputReport,
  inputRow,
  inputTexts,
  noteKinds,
  placeText,
  type PlacedSample,
  remedyOf,
  withoutContent,
} from '../../src/view/input-report.ts';
import type { NoteKind } from '../../src/stream/input-notes.ts';
import type { RecordCounts } from '../../src/view/summary.ts';

const file = { file: 'events.ndjson', line: 3 };
const counted = { read: 9, pending: 2, expired: 1, rejected: { not_json: 4 } } as unknown as RecordCounts;

test('what there was is told in the order of every report, with the first of its kind', () => {
  const firsts = new Map<NoteKind, PlacedSample>([['rejected.not_json', { source: file, value: 'the detail' }]]);
  const rows = inputReport(counted, { ...noInputCounts(), near_names: 5, malformed_calls: 7 }, firsts);
  assert.deepEqual(
    rows.map(({ kind, count, first, value }) => [kind, count, first, value]),
    [
      ['rejected.not_json', 4, file, 'the detail'],
      // Pending and expired.
      ['no_truth', 3, null, null],
      ['malformed_calls', 7, null, null],
      ['near_names', 5, null, null],
    ],
  );
  assert.deepEqual(
    rows.map(({ what, remedy, kind }) => ({ what, remedy, kind })),
    rows.map(({ kind }) => ({ what: inputTexts[kind].what, remedy: inputTexts[kind].remedy, kind })),
  );
  assert.deepEqual(inputReport({ ...counted, pending: 0, expired: 0, rejected: {} }, noInputCounts(), firsts), []);
});

test('every kind is called something, and says what to do', () => {
  assert.equal(noteKinds.length, new Set(noteKinds).size);
  for (const kind of noteKinds) {
    const { what, remedy } = inputTexts[kind];
    for (const text of [what, remedy]) assert.match(text, /^\w.*\w/, kind);
  }
});

test('a first without a value has its place', () => {
  const row = inputRow('untimed', 1, { source: file, value: undefined });
  assert.deepEqual([row.first, row.value], [file, null]);
});

test('values that may hold arguments or outputs are left out for who may not see them', () => {
  const shown = noteKinds.filter((kind) => {
    const [row] = withoutContent([inputRow(kind, 1, { source: file, value: 'x' })]);
    assert.deepEqual([row!.kind, row!.count, row!.first], [kind, 1, file]);
    return row!.value === 'x';
  });
  assert.deepEqual(
    noteKinds.filter((kind) => !shown.includes(kind)),
    noteKinds.filter((kind) => /^(rejected\.|words_|malformed_calls$|calls_in_text$|unparsed_arguments$)/.test(kind)),
  );
});

test('the detail of a reject says what to do; without it the remedy is told', () => {
  const remedyIn = (kind: NoteKind, value?: string) => remedyOf(inputRow(kind, 1, { source: file, value }));
  assert.equal(remedyIn('rejected.not_json', 'the detail'), undefined);
  assert.equal(remedyIn('rejected.not_json'), 'send one JSON object, or an array of objects');
  assert.equal(remedyIn('no_truth', 'a'), inputTexts.no_truth.remedy);
});

test('a place is a line of a file or an offset of a partition, with the element of an array', () => {
  const record = { topic: 'predictions', partition: 0, offset: 17 };
  assert.deepEqual([file, { ...file, element: 2 }, record, { ...record, element: 0 }].map(placeText), [
    'events.ndjson:3',
    'events.ndjson:3[2]',
    'predictions/0:17',
    'predictions/0:17[0]',
  ]);
});
