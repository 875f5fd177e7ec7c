import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { benchmarkReader } from '../../../src/formats/benchmarks/benchmarks.ts';
import { readTruthRecord, type TruthRecord } from '../../../src/formats/truth/record.ts';
import { truthFromRecords } from '../../../src/formats/truth/table.ts';
import type { ArgumentsMode } from '../../../src/scoring/match/differences.ts';
import type { MatchOptions } from '../../../src/scoring/match/index.ts';
import { type ProfileName, profileNames, profileOptions } from '../../../src/scoring/match/profiles.ts';
import type { Call } from '../../../src/scoring/prediction.ts';
import type { ExpectedCall, Truth } from '../../../src/scoring/truth.ts';
import { configOf } from '../../support/configuration.ts';
import { call, matchRow } from '../../support/match.ts';

const linesOf = <Line>(file: string): Line[] =>
  readFileSync(join('test', 'fixtures', 'match', file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

const optionsOf = (
  profile: ProfileName,
  mode: ArgumentsMode = 'exact',
  overrides: Readonly<Record<string, ArgumentsMode>> = {},
): MatchOptions => ({ ...profileOptions(profile, { arguments: mode, overrides }), forbidden: [] });

interface Pair {
  readonly profile: ProfileName;
  readonly arguments: ArgumentsMode;
  readonly overrides: Readonly<Record<string, ArgumentsMode>>;
  readonly expected: readonly ExpectedCall[];
  readonly calls: readonly Call[];
  readonly valid: boolean;
}

test('agentevals and ADK: their verdicts', () => {
  const seen = new Set<string>();
  for (const pair of linesOf<Pair>('agentevals-adk.ndjson')) {
    const options = optionsOf(pair.profile, pair.arguments, pair.overrides);
    const row = matchRow(pair.calls, { expected: pair.expected }, options);
    assert.equal(row.correct, pair.valid, JSON.stringify([pair, row.errors]));
    assert.equal(row.errors.length === 0, row.correct, JSON.stringify([pair, row.errors]));
    seen.add(`${pair.profile} ${pair.valid}`);
  }
  assert.equal(seen.size, 2 * (profileNames.length - 1));
});

interface Question {
  readonly question: { readonly id: string };
  readonly answer: object;
  readonly answers: readonly { readonly calls: readonly Call[]; readonly valid: boolean }[];
}

/** The truth row that `truth build --from bfcl` makes of a question and its accepted answers. */
function truthOf({ question, answer }: Question): Truth {
  const reader = benchmarkReader('bfcl');
  reader.read(JSON.stringify(question), 1);
  const read = reader.read(JSON.stringify(answer), 2) as { readonly texts: readonly [string] };
  const table = truthFromRecords([readTruthRecord(read.texts[0]) as TruthRecord]);
  return table.read(0);
}

test('BFCL: the verdicts of its checker of Python calls', () => {
  let [valid, invalid] = [0, 0];
  for (const one of linesOf<Question>('bfcl.ndjson')) {
    const truth = truthOf(one);
    for (const { calls, valid: expected } of one.answers) {
      const row = matchRow(calls, truth, optionsOf('bfcl'));
      assert.equal(row.correct, expected, JSON.stringify([one.question.id, calls, row.errors]));
      if (expected) valid++;
      else invalid++;
    }
  }
  assert.ok(valid > 200 && invalid > 200);
});

test('BFCL: points in a name may be underscores, and the tools may be those of the event', () => {
  const expected = [call('math.sqrt', { x: 4 })];
  assert.ok(matchRow([call('math_sqrt', { x: 4 })], { expected }, optionsOf('bfcl')).correct);
  assert.ok(!matchRow([call('math_sqrt', { x: 4 })], { expected }).correct);
  const second = { expected: [call('find')], alternatives: [[call('log', { x: 4 })], expected] };
  assert.equal(matchRow([call('math_sqrt', { x: 4 })], second, optionsOf('bfcl')).list, 2);
});

test('where a system pairs greedily, an optimal pairing finds more', () => {
  const truth = { expected: [call('f', {}), call('f', { x: 1 })] };
  const calls = [call('f', { x: 1 }), call('f', {})];
  assert.equal(matchRow(calls, truth, optionsOf('agentevals.superset', 'superset')).correct, false);
  assert.equal(matchRow(calls, truth, { arguments: 'superset' }).correct, true);
});

test('a profile is refused beside what it says', (context) => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['{profile: bfcl, order: exact}', /match\.order: .*is said by profile bfcl/],
    ['{profile: bfcl, rules: {f: {x: {trim: true}}}}', /match\.rules: .*is said by profile bfcl/],
    ['{profile: bfcl, arguments: subset}', /match\.arguments: .*is exact with profile bfcl/],
    ['{profile: adk.exact, arguments: subset}', /match\.arguments: .*is exact or ignore with profile adk\.exact/],
    ['{overrides: {f: ignore}}', /match\.overrides: .*is of the profiles agentevals\.\* alone/],
  ];
  for (const [yaml, message] of refused)
    assert.throws(() => configOf(context, { yaml: `metrics: {match: ${yaml}}` }), message, yaml);
  const { metrics } = configOf(context, {
    yaml: 'metrics: {match: {profile: agentevals.subset, arguments: superset, overrides: {f: ignore, g: [a.b]}}}',
  });
  assert.deepEqual(metrics.match.overrides, { f: 'ignore', g: ['a.b'] });
});

test('profiles say how calls are paired', () => {
  const chosen = { arguments: 'superset', overrides: { f: 'subset', g: ['a'] } } as const;
  const told = profileNames.map((name) => {
    const {
      order,
      extraCalls,
      missingCalls,
      greedy,
      dialect,
      arguments: mode,
      overrides,
    } = profileOptions(name, chosen);
    return [name, order, extraCalls, missingCalls, greedy, dialect, mode, overrides?.['f']].join(' ');
  });
  assert.deepEqual(told, [
    'bfcl any wrong wrong expected bfcl superset subset',
    'agentevals.strict any wrong wrong predicted python superset subset',
    'agentevals.unordered any wrong wrong both python superset subset',
    'agentevals.subset any wrong allowed predicted python subset superset',
    'agentevals.superset any allowed wrong expected python superset subset',
    'adk.exact exact wrong wrong  python superset subset',
    'adk.in_order in_order allowed wrong  python superset subset',
    'adk.any_order any allowed wrong  python superset subset',
  ]);
});
