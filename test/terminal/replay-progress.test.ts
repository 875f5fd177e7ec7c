import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Progress, progressLine } from '../../src/terminal/replay-progress.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';

const rate = rateWith(z95);
const decision = {
  accuracy: rate(719, 1_000),
  tool_hall: rate(17, 85),
  param_hall: rate(101, 500),
  answer_hall: rate(0, 1_000),
};
const done: Progress = { records: 12_345, seconds: 2, share: 0.4567, decision };
const whole =
  '12,345 records, 6,173/s, 45 %, accuracy 71.9 %, tool hallucination 20.0 %, param hallucination 20.2 %, answer hallucination 0.0 %';

const rows: readonly [what: string, progress: Progress, columns: number, line: string][] = [
  ['all there is', done, 200, whole],
  ['a terminal that just holds it', done, whole.length + 1, whole],
  ['one column less', done, whole.length, whole.slice(0, whole.lastIndexOf(','))],
  ['a narrow terminal', done, 30, '12,345 records, 6,173/s, 45 %'],
  ['a terminal of one column', done, 1, '12,345 records'],
  ['a pipe', { ...done, share: undefined }, 45, '12,345 records, 6,173/s, accuracy 71.9 %'],
  ['never 100 % before the end', { ...done, share: 0.9999 }, 31, '12,345 records, 6,173/s, 99 %'],
  ['the first moment', { records: 0, seconds: 0, share: 0, decision: null }, 80, '0 records, 0 %'],
  ['family decision is off', { ...done, decision: undefined }, 80, '12,345 records, 6,173/s, 45 %'],
  [
    'no opportunity yet',
    { ...done, decision: { ...decision, tool_hall: rate(0, 0) } },
    80,
    '12,345 records, 6,173/s, 45 %, accuracy 71.9 %, tool hallucination –',
  ],
];

for (const [what, progress, columns, line] of rows)
  test(`progress as a line: ${what}`, () => assert.equal(progressLine(progress, columns), line));
