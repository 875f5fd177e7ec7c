import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { feedbackOfFiles, feedbackText } from '../../src/service/feedback-files.ts';
import { configWith } from '../support/folding.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const about = { event_id: 'v1' };
const outcome = { resolved: true, refund: 1.5 };
const expected = (city: string): object => ({ tool_calls: [{ name: 'book', arguments: { city } }] });
const first = {
  id: 'f1',
  about,
  ts: '2026-05-01',
  by: 'human:ann',
  correct: true,
  outcome,
  expected: expected('Oslo'),
};

const same: readonly (readonly [string, object])[] = [
  ['the same', first],
  ['another time and comment', { ...first, ts: '2026-05-02', comment: 'again' }],
  ['another order of keys', { ...first, outcome: { refund: 1.5, resolved: true } }],
];
const other: readonly (readonly [string, object])[] = [
  ['another event', { ...first, about: { event_id: 'v2' } }],
  ['another verdict', { ...first, correct: false }],
  ['another kind of giver', { ...first, by: 'system:tickets' }],
  ['another outcome', { ...first, outcome: { resolved: true, refund: 2 } }],
  ['another expectation', { ...first, expected: expected('Rome') }],
  ['no expectation', { ...first, expected: undefined }],
];

for (const [records, refused] of [
  [same, 0],
  [other, 1],
] as const)
  for (const [name, record] of records)
    test(`a second record of one id with ${name} is dropped${refused > 0 ? ', and reported' : ''}`, async (context) => {
      const file = join(temporaryFolder(context), 'feedback.ndjson');
      writeFileSync(file, [first, record].map((each) => JSON.stringify(each)).join('\n'));
      const read = await feedbackOfFiles([file], configWith(), new AbortController().signal);
      assert.deepEqual([read.book.size, read.refused], [1, refused]);
      const text = `feedback: 1 of 2 records refused; the first: ${file}:2: id "f1" came before with another content, and the first holds; give each record an id of its own\n`;
      assert.equal(feedbackText(read), refused > 0 ? text : '');
    });
