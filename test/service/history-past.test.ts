import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import { totalId } from '../../src/formats/summary/live-document.ts';
import { sliceId } from '../../src/formats/summary/live-group.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { createHistory } from '../../src/service/history.ts';
import { decisionCells } from '../../src/scoring/decision/index.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { configWith, foldingOf, lazyViewWith } from '../support/folding.ts';
import { runs } from '../support/soak.ts';

/* What a history holds of the time before it began. */

const nowMs = Date.parse('2026-05-01T14:00:00Z');
const minute = 60_000;
const truth = truthFromRecords([
  { example_id: 'e', label: 'direct', tools: null, expected_tool_calls: null, reference: null },
]);

interface Sent {
  /** Time before now, ms. */
  readonly ageMs: number;
  readonly version: string;
  readonly partition?: number;
}

function restored(sent: readonly Sent[], windows: readonly string[] = ['5m', '1h']) {
  const config = configWith({ 'time.windows': windows, 'time.pane': '10s', slices: [['tags.version']] });
  let number = 0;
  const foldings = [0, 1].map(() => foldingOf(config, truth));
  const send = (all: readonly Sent[]): void => {
    for (const { ageMs, version, partition = 0 } of all)
      foldings[partition]!.add([
        {
          ...{ example_id: 'e', event_id: String(number++), model: 'm', tags: { version }, label: 'direct' },
          ts: new Date(nowMs - ageMs).toISOString(),
        },
      ]);
  };
  // The oldest first, as a log has them: what is too late for any window is in no pane.
  send([...sent].sort((a, b) => b.ageMs - a.ageMs));
  const states: PartitionState[] = foldings.map(({ state }) => state);
  const { layout } = settingsOf(config, undefined);
  const ring = { epoch: 'e', everyMs: 5_000, pointsMax: 720, groupsMax: 5 };
  const history = createHistory({ ...ring, layout, marks: 'tags.version' });
  const tick = (atMs: number, partitions = 't/0,t/1') =>
    history.add(atMs, lazyViewWith(config, states, nowMs), {
      ...{ pending: 0, lag: 0, firing: new Set<string>(), partitions, states },
    });
  return { history, send, tick };
}

/** Events at each point: all were right to answer directly. */
const answers = (points: readonly (readonly number[] | null)[] | undefined): (number | null)[] =>
  (points ?? []).map((cells) => cells && cells[decisionCells.outcome0]!);

/** When the pane of an event ends, ms. */
const paneEnd = ({ ageMs }: Sent): number => 10_000 * (Math.floor((nowMs - ageMs) / 10_000) + 1);

test('a history begins with the events that the panes hold, each at the first point after its pane', () => {
  const event = fc.record({
    ageMs: fc.integer({ min: 0, max: 58 * minute }),
    version: fc.constantFrom('v1', 'v2'),
    partition: fc.constantFrom(0, 1),
  });
  fc.assert(
    fc.property(
      fc.array(event, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 9_999 }),
      (sent, lateMs) => {
        const { history, tick } = restored(sent);
        tick(nowMs + lateMs);
        const { at, groups, ingest } = history.since(undefined, 'tags.version');
        assert.equal(at.at(-1), nowMs + lateMs);
        assert.ok(ingest.every((point) => point === null));
        for (const [id, own] of [
          [totalId, sent],
          [sliceId({ 'tags.version': 'v1' }), sent.filter(({ version }) => version === 'v1')],
        ] as const)
          at.forEach((atMs, point) => {
            const isIn = (event: Sent): boolean => point === at.length - 1 || paneEnd(event) <= atMs;
            const counted = answers(groups[id]).slice(0, point + 1);
            const sum = counted.reduce<number>((total, count) => total + count!, 0);
            assert.equal(sum, own.filter(isIn).length, `${point} of ${at.length}`);
          });
      },
    ),
    { numRuns: runs(20) },
  );
});

test('after that points are counted, until partitions come or go', () => {
  const { history, send, tick } = restored([{ ageMs: minute, version: 'v1' }]);
  tick(nowMs);
  send([{ ageMs: 0, version: 'v1', partition: 1 }]);
  tick(nowMs + 5_000);
  const { epoch, at, ingest, groups } = history.since(undefined, 'tags.version');
  assert.deepEqual([answers(groups[totalId]).at(-1), ingest.at(-1)], [1, [1, 0, 0]]);
  assert.equal(history.since(`${epoch}.${at.length - 1}`, '').at.length, 0);
  tick(nowMs + 10_000, 't/0');
  const anew = history.since(`${epoch}.${at.length - 1}`, '');
  assert.notEqual(anew.epoch, epoch);
  assert.ok(anew.at.length > 1 && anew.ingest.every((point) => point === null));
});

test('there is no past where the panes hold none of the last hour, or are wider than what a point looks back on', () => {
  for (const [sent, windows] of [
    [[{ ageMs: 90 * minute, version: 'v1' }], ['5m', '1h']],
    [[{ ageMs: minute, version: 'v1' }], ['24h']],
    [[], ['5m']],
  ] as const) {
    const { history, tick } = restored(sent, windows);
    tick(nowMs);
    assert.deepEqual(history.since(undefined, '').at, [], JSON.stringify([sent, windows]));
  }
});

test('values of the past are marked where they began, or came back after ten minutes', () => {
  const { history, send, tick } = restored([
    { ageMs: 70 * minute, version: 'old' },
    { ageMs: 58 * minute, version: 'old' },
    { ageMs: 40 * minute, version: 'first' },
    { ageMs: 30 * minute, version: 'old' },
    { ageMs: 29 * minute, version: 'old' },
  ]);
  tick(nowMs);
  send([{ ageMs: 0, version: 'fresh' }]);
  tick(nowMs + 5_000);
  assert.deepEqual(
    history.since(undefined, '').marks.map(({ at, value }) => [Math.round((nowMs - at) / minute), value]),
    [
      [40, 'first'],
      [30, 'old'],
      [-0, 'fresh'],
    ],
  );
});
