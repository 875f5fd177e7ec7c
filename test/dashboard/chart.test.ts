import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shareTicks, timeTicks } from '../../packages/dashboard/chart-axes.ts';
import type { ChartData, Line } from '../../packages/dashboard/chart-data.ts';
import { bandPath, endNames, linePath, markLabels } from '../../packages/dashboard/chart-lines.ts';
import { runs } from '../support/soak.ts';

const at = [0, 1000, 2000, 3000, 4000];

function lineOf(name: string, values: readonly (number | null)[], isFocus = false): Line {
  const known = values.map((value) =>
    value === null ? { value, lower: null, upper: null } : { value, lower: value - 0.1, upper: value + 0.1 },
  );
  return { id: name, name, isFocus, isAlarm: false, values: known.map((one) => ({ ...one, counts: undefined })) };
}

const dataOf = (lines: readonly Line[], shown: ChartData['shown'] = [0, 4000]): ChartData => ({
  ...{ at, lines, range: [0, 1], shown, spans: [], marks: [], inRange: undefined },
});

test('a line has a gap where nothing is known, and ends at the frame of the time that is shown', () => {
  const line = lineOf('a', [0, 0.5, null, 1, 0.5]);
  assert.equal(linePath(dataOf([line]), line), 'M0.0,100.00L250.0,50.00M750.0,0.00L1000.0,50.00');
  assert.equal(linePath(dataOf([line], [3000, 4000]), line), 'M0.0,0.00L1000.0,50.00');
  assert.equal(linePath(dataOf([line], [500, 1500]), line), 'M-500.0,100.00L500.0,50.00');
  const band = lineOf('b', [0.5, 0.5, null, null, null]);
  assert.equal(bandPath(dataOf([band]), band), 'M0.0,40.00L250.0,40.00L250.0,60.00L0.0,60.00Z');
});

test('names stand at the ends of their lines, apart, within the frame; of many only those in focus or with an alarm', () => {
  const lines = Array.from({ length: 5 }, (_, index) =>
    lineOf(`m${index}`, [null, null, null, null, 0.99], index === 4),
  );
  const tops = endNames(dataOf(lines), 190).map(({ top }) => top);
  assert.ok(
    tops.every((top, index) => top >= 0 && top <= 176 && (index === 0 || top - tops[index - 1]! >= 14)),
    `${tops}`,
  );
  const many = [...lines.slice(0, 4), ...lines.slice(0, 4), { ...lines[0]!, isAlarm: true }, lines[4]!];
  assert.deepEqual(
    endNames(dataOf(many), 190).map(({ line }) => line.name),
    ['m0', 'm4'],
  );
});

test('ticks lie within their axis, at most six, at whole steps', () => {
  const dayMs = 86_400_000;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 2_000, max: 3_000 * dayMs }), (from, length) => {
      const ticks = timeTicks(from, from + length);
      assert.ok(ticks.length <= 6);
      for (const { share } of ticks) assert.ok(share >= 0 && share < 1 + 1e-6, String(share));
    }),
    { numRuns: runs(30) },
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 19 }), fc.integer({ min: 1, max: 20 }), (least, more) => {
      const ticks = shareTicks(least / 20, Math.min(1, (least + more) / 20));
      assert.ok(ticks.length >= 1 && ticks.length <= 6);
      for (const { share } of ticks) assert.ok(share > -1e-6 && share < 1 + 1e-6, String(share));
      assert.equal(new Set(ticks.map(({ text }) => text)).size, ticks.length);
    }),
    { numRuns: runs(30) },
  );
  assert.deepEqual(
    shareTicks(0.85, 1).map(({ text }) => text),
    ['85\u00a0%', '90\u00a0%', '95\u00a0%', '100\u00a0%'],
  );
});

test('a day that begins within the axis of hours or minutes has its date', () => {
  const from = new Date('2026-05-01T22:50:00').getTime();
  const texts = (hours: number): readonly string[] => timeTicks(from, from + hours * 3_600_000).map(({ text }) => text);
  assert.deepEqual(texts(2), ['23:00', '23:30', '2 May', '00:30']);
  assert.deepEqual(texts(1), ['23:00', '23:15', '23:30', '23:45']);
  assert.deepEqual(texts(24), ['2 May', '06:00', '12:00', '18:00']);
});

test('labels of marks never cover one another nor leave the frame; together they name every mark that is shown', () => {
  const marks = fc.array(fc.integer({ min: -1000, max: 5000 }), { maxLength: 30 });
  fc.assert(
    fc.property(marks, fc.integer({ min: 100, max: 1500 }), (times, pixels) => {
      const sorted = [...times].sort((a, b) => a - b).map((ms, number) => ({ at: ms, value: `v${number}` }));
      const labels = markLabels({ ...dataOf([]), marks: sorted }, pixels);
      for (const [index, { left }] of labels.entries()) {
        assert.ok(left >= 0 && (left * pixels + 84 <= pixels + 1e-6 || left === 0));
        assert.ok(index === 0 || (left - labels[index - 1]!.left) * pixels >= 84 - 1e-6);
      }
      assert.deepEqual(
        labels.flatMap((label) => label.marks),
        sorted.filter(({ at: ms }) => ms >= 0 && ms <= 4000),
      );
    }),
    { numRuns: runs(50) },
  );
});
