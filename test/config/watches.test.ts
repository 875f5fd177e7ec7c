import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { watcherOf } from '../../src/service/watches.ts';
import { configHash } from '../../src/config/config-hash.ts';
import { configWith } from '../support/folding.ts';

const rulesOf = (values: Readonly<Record<string, unknown>>) => {
  const config = configWith(values);
  return watcherOf(config, settingsOf(config, undefined))?.rules;
};
const watch = { metric: 'decision.tool_hall' };

test('by default a few rates are watched, for the total and each of slices, and all of them share a false alarm', () => {
  const rules = rulesOf({})!;
  assert.deepEqual(
    rules.map(({ metric }) => metric),
    [
      ...['decision.tool_hall', 'decision.answer_hall', 'decision.param_hall', 'match.correct'],
      ...['tool_use.unknown_tool', 'tool_use.invalid_arguments', 'tool_use.failed'],
    ],
  );
  for (const { sets, baseline, falseAlarm } of rules) {
    assert.deepEqual([sets, baseline], [[[], ['model'], ['agent']], undefined]);
    assert.deepEqual(falseAlarm, { everyMs: rules.length * 30 * 86_400_000 });
  }
  assert.equal(rulesOf({ watches: [] }), undefined);
  assert.equal(rulesOf({ 'time.windows': [] }), undefined);
});

test('an entry watches what it says', () => {
  const where = {
    ...watch,
    where: { model: 'a' },
    baseline: { learn: '6h' },
    worst: 0.2,
    false_alarm_every: { cases: 5 },
  };
  const [rule, other] = rulesOf({ watches: [where, { ...watch, by: [], baseline: 0.1 }] })!;
  const { sets, learnMs, worst, falseAlarm } = rule!;
  assert.deepEqual([sets, learnMs, worst, falseAlarm], [[['model']], 6 * 3_600_000, 0.2, { cases: 5 }]);
  assert.deepEqual([other!.sets, other!.baseline, other!.falseAlarm], [[[]], 0.1, { everyMs: 30 * 86_400_000 }]);
});

test('the hash of a configuration tells watches apart, however their times are written', () => {
  const hashOf = (every: string) => configHash(configWith({ watches: [{ ...watch, false_alarm_every: every }] }));
  assert.equal(hashOf('24h'), hashOf('1d'));
  assert.notEqual(hashOf('24h'), hashOf('2d'));
  assert.notEqual(hashOf('30d'), configHash(configWith({})));
});

describe('what cannot be watched is refused with a remedy', () => {
  const refusals: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
    [
      { metric: 'decision.tool_hal' },
      /watches\[0\]\.metric: .*no rate that can be watched; did you mean decision\.tool_hall\?/,
    ],
    [{ metric: 'decision.macro_f1' }, /no rate that can be watched; .*decision\.per_class\.direct\.recall/],
    [{ metric: 'judge.pass' }, /needs judgements; name its topic in kafka\.judgements_topic/],
    [{ metric: 'outcome.good.resolved.rate' }, /no rate of an outcome; name the outcome in feedback\.outcomes/],
    [{ ...watch, by: ['tags.x'] }, /watches\[0\]\.by: .*is none of slices; add it there/],
    [{ ...watch, where: { 'tags.x': 'y' } }, /names tags\.x, by which nothing is watched; add it to slices/],
    [{ ...watch, by: ['agent'], where: { model: 'y' } }, /add it to by/],
    [{ ...watch, baseline: 0 }, /is no share; give a number above 0 and below 1/],
    [{ ...watch, baseline: 0.02, worst: 0.022 }, /worst 0\.022 must lie at least 0\.005 above the baseline 0\.02/],
    [{ ...watch, baseline: { learn: '7d' } }, /is longer than the longest window, 24h; add a longer one/],
    [{ ...watch, baseline: { learn: '1h' } }, /at least an hour old; give some hours/],
    [{ ...watch, false_alarm_every: 'never' }, /neither a time nor a number of cases/],
    [{ ...watch, every: '1d' }, /watches\[0\]\.every: unknown key/],
  ];
  for (const [entry, message] of refusals)
    test(JSON.stringify(entry), () => assert.throws(() => configWith({ watches: [entry] }), message));
  test('a family that is off, and no window', () => {
    assert.throws(
      () => configWith({ watches: [watch], 'metrics.decision.enabled': false }),
      /needs metrics\.decision\.enabled/,
    );
    assert.throws(
      () => configWith({ watches: [watch], 'time.windows': [] }),
      /needs a window; add one to time\.windows/,
    );
  });
});
