import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changes } from '../../src/service/changes.ts';
import { settingsOf } from '../../src/config/settings.ts';
import type { Config } from '../../src/config/config.ts';
import { migrationOf } from '../../src/pipeline/identity.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { cellReader } from '../../src/state/row-layout.ts';
import { truthOf } from '../sim/truth.ts';
import { configOf, goOn, identityOf, read, records, migrate, split, type Values } from '../support/changed-settings.ts';
import { foldingOf, type ReadGroup, type ReadView, viewWith } from '../support/folding.ts';

interface Change {
  readonly what: string;
  readonly before?: Values;
  readonly after?: Values;
  /** `set window family` of every number that begins now; `*` is any. */
  readonly begins?: readonly string[];
}

const rule = { search: { query: { ignore_case: true } } };

const feedback = { 'kafka.feedback_topic': 'feedback' };
const good = { 'feedback.outcomes.good': ['resolved'] };

/** The rows of the table in docs/reference/semantics.md, "Changed settings", that go on. */
const rows: readonly Change[] = [
  { what: 'a family is added', before: { 'metrics.arguments.enabled': false }, begins: ['* * arguments'] },
  { what: 'a family is dropped', after: { 'metrics.trajectory.enabled': false } },
  {
    what: 'one is added, another is dropped, all others move',
    before: { 'metrics.decision.enabled': false },
    after: { 'metrics.trajectory.enabled': false },
    begins: ['* * decision'],
  },
  { what: 'an option is added', after: { 'metrics.match.rules': rule }, begins: ['* * match'] },
  {
    what: 'another option of a family that was off',
    before: { 'metrics.tool_calls.enabled': false },
    after: { 'metrics.tool_calls.threshold': 0.5 },
    begins: ['* * tool_calls'],
  },
  { what: 'stability is added', before: { 'metrics.stability.enabled': false }, begins: ['* all stability'] },
  { what: 'stability is dropped', after: { 'metrics.stability.enabled': false } },
  {
    what: 'judgements are read',
    after: { 'kafka.judgements_topic': 'judged' },
    begins: ['* * semantic', '* * judge', '* * judgements'],
  },
  {
    what: 'what judgements are compared with is added',
    before: { 'kafka.judgements_topic': 'judged', 'metrics.match.enabled': false },
    after: { 'kafka.judgements_topic': 'judged' },
    begins: ['* * match', '* * semantic', '* * judge', '* * judgements'],
  },
  { what: 'judgements are read no more', before: { 'kafka.judgements_topic': 'judged' } },
  { what: 'outcomes are named', before: feedback, after: { ...feedback, ...good }, begins: ['* * outcome'] },
  {
    what: 'outcomes of the other list are named too',
    before: { ...feedback, ...good },
    after: { ...feedback, ...good, 'feedback.outcomes.bad': ['reopened'] },
    begins: ['* * outcome'],
  },
  { what: 'outcomes are named no more', before: { ...feedback, ...good }, after: feedback },
  { what: 'feedback is read no more', before: { ...feedback, ...good } },
  {
    what: 'a dimension is added',
    after: { slices: [['model'], ['agent', 'model'], ['tags.env']] },
    begins: ['agent,model * *', 'tags.env * *'],
  },
  {
    what: 'a dimension before others is added',
    before: { slices: [['tags.env']] },
    after: { slices: [['agent'], ['tags.env']] },
    begins: ['agent * *'],
  },
  {
    what: 'a set of known dimensions is added',
    before: { slices: [['agent'], ['tags.env']] },
    after: { slices: [['agent', 'tags.env']] },
  },
  { what: 'a dimension is dropped', before: { slices: [['agent'], ['tags.env']] }, after: { slices: [['tags.env']] } },
  {
    what: 'a dimension is dropped, groups of runs roll',
    before: { slices: [['agent'], ['tags.env']], 'metrics.stability.form': 'rolling' },
    after: { slices: [['agent']], 'metrics.stability.form': 'rolling' },
  },
  { what: 'a shorter window is added', after: { 'time.windows': ['20s', '1m', '3m'] } },
  { what: 'a window is dropped', after: { 'time.windows': ['20s'] } },
  { what: 'a longer window is added', after: { 'time.windows': ['20s', '3m', '10m'] }, begins: ['* 10m *'] },
  {
    what: 'a longer window of the same panes is added',
    before: { 'time.windows': ['20s'] },
    after: { 'time.windows': ['20s', '3m'] },
    begins: ['* 3m *'],
  },
  {
    what: 'a window of finer panes is added',
    before: { 'time.windows': ['10m'] },
    after: { 'time.windows': ['20s', '10m'] },
    begins: ['* 20s *'],
  },
];

for (const { what, before = {}, after = {}, begins = [] } of rows)
  test(`${what}: what both settings know goes on, what begins says so`, () => {
    const [was, is] = [configOf(before), configOf(after)];
    const early = read(is, records.slice(0, split));
    const state = migrate(read(was, records.slice(0, split)), was, is);
    for (const end of [split + 4, records.length]) {
      goOn(state, is, records.slice(0, end));
      const whole = read(is, records.slice(0, end));
      assert.deepEqual({ ...state.numbers, late: 0 }, { ...whole.numbers, late: 0 });
      const [mine, plain, lacked] = [state, whole, early].map((each) => view(each, is)) as [
        ReadView,
        ReadView,
        ReadView,
      ];
      const since = [...new Set(mine.groups.flatMap(sinceOf))];
      const expected = expectedOf(mine, begins);
      if (end === records.length)
        assert.deepEqual(
          since.filter((each) => !expected.includes(each)),
          [],
        );
      else assert.deepEqual(since.sort(), expected.sort());
      compareGroups(mine, plain, lacked, state);
    }
  });

test('what would mix two meanings in one number is refused by the name of its setting', () => {
  const refused: readonly (readonly [before: Values, after: Values, keys: readonly string[]])[] = [
    [{}, { 'metrics.tool_calls.threshold': 0.5 }, ['metrics.tool_calls.threshold']],
    [{}, { 'metrics.decision.mode': 'upstream' }, ['metrics.decision.mode', 'metrics.decision.invalid_as']],
    [{ 'metrics.match.rules': rule }, {}, ['metrics.match.rules.search.query.ignore_case']],
    [{}, { 'metrics.stability.k': 3 }, ['metrics.stability.k']],
    [{ 'metrics.trajectory.enabled': false }, { 'metrics.trajectory.mode': 'upstream' }, ['metrics.trajectory.mode']],
    [
      { ...feedback, ...good },
      { ...feedback, 'feedback.outcomes.good': ['resolved', 'kept'] },
      ['feedback.outcomes.good'],
    ],
    [{}, { 'time.pane': '2s' }, ['time.pane']],
    [{}, { 'time.max_future': '1h' }, ['time.max_future']],
    [{}, { 'input.format': 'openai.chat' }, ['input.format']],
    [{}, { 'limits.calls': 3 }, ['limits.calls']],
  ];
  for (const [before, after, keys] of refused) {
    const [was, is] = [identityOf(configOf(before)), identityOf(configOf(after))];
    const compared = changes.of(was.settings, is.settings);
    assert.deepEqual(compared.refused, keys);
    const about = { changes, settings: settingsOf(configOf(after), undefined), name: 't/0' };
    assert.throws(
      () => migrationOf(was, is, about),
      new RegExp(`${keys[0]}: the state was made with .*--rebuild`, 's'),
    );
  }
});

test('another horizon or bound holds from now on', () => {
  const [was, is] = [
    configOf({ 'join.truth_wait': '1h', 'dedupe.window': '1m', 'limits.slices': 2 }),
    configOf({ 'join.truth_wait': '10s', 'dedupe.window': '10m', 'limits.slices': 2_000 }),
  ];
  const before = read(was, records.slice(0, split));
  const state = migrate(before, was, is);
  assert.deepEqual(state.availableSince, []);
  assert.deepEqual(state.numbers, before.numbers);
  assert.equal(state.pending.waiting.size, before.pending.waiting.size);
  assert.ok(state.pending.waiting.size > 0);
  const { expired, duplicates } = state.numbers;
  goOn(state, is, records);
  const lines = [...state.pending.waiting.values()];
  assert.ok(lines.every(({ ts }) => ts >= state.numbers.greatestTs - 15_000));
  assert.ok(state.numbers.expired > expired + before.pending.waiting.size - 1);
  assert.ok(state.numbers.duplicates > duplicates);
  assert.ok(state.slices.dictionary.list.length > before.slices.dictionary.list.length);
});

test('what waits for its truth is in no group of a dimension that was not read when it came', () => {
  const [was, is] = [configOf({}), configOf({ slices: [['tags.env']] })];
  const known = truthOf([0], 0, false);
  const { state: before, apply } = foldingOf(was, known);
  apply(records.slice(0, split));
  const waiting = before.pending.waiting.size;
  assert.ok(waiting > 50);
  const state = goOn(migrate(before, was, is), is, records.slice(0, split));
  const { groups } = view(state, is);
  assert.ok(groups[0]!.scored > 50);
  assert.deepEqual(
    groups.filter(({ dimensions, window }) => dimensions.length > 0 && window === 'all'),
    [],
  );
});

test('what had availableSince goes on saying so after the next change, and is forgotten with what it was of', () => {
  const [first, second, third] = [
    configOf({ 'metrics.arguments.enabled': false }),
    configOf({}),
    configOf({ slices: [['agent']] }),
  ];
  const state = goOn(migrate(read(first, records.slice(0, 300)), first, second), second, records.slice(0, split));
  const [availableSince] = state.availableSince;
  assert.equal(availableSince!.name, 'arguments');
  const again = migrate(state, second, third);
  assert.deepEqual(
    again.availableSince.map(({ kind, name }) => `${kind} ${name}`),
    ['family arguments', 'dimension agent'],
  );
  assert.deepEqual(again.availableSince[0], availableSince);
  assert.deepEqual(migrate(again, third, first).availableSince, []);
});

const view = (state: PartitionState, config: Config): ReadView => viewWith(config, [state], state.numbers.greatestTs);

function sinceOf({ dimensions, window, since = {} }: ReadGroup): string[] {
  return Object.keys(since).map((family) => `${dimensions.join()} ${window} ${family}`);
}

/** The patterns, spelled out over what the view has. */
function expectedOf({ groups }: ReadView, patterns: readonly string[]): string[] {
  const all = groups.flatMap(({ dimensions, window, blocks }) =>
    Object.keys(blocks).map((family) => [dimensions.join(), window, family] as const),
  );
  const isMeant = (parts: readonly string[]): boolean =>
    patterns.some((pattern) => pattern.split(' ').every((wanted, at) => wanted === '*' || wanted === parts[at]));
  return [...new Set(all.filter(isMeant).map((parts) => parts.join(' ')))];
}

/** What goes on is what it would be under the settings of now all along; what began since then is that less what came before. */
function compareGroups(mine: ReadView, plain: ReadView, early: ReadView, { settings }: PartitionState): void {
  const keyOf = ({ dimensions, values, window }: ReadGroup): string => JSON.stringify([dimensions, values, window]);
  const [all, before] = [plain, early].map(({ groups }) => new Map(groups.map((group) => [keyOf(group), group])));
  for (const group of mine.groups) {
    const whole = all!.get(keyOf(group))!;
    if (group.window === 'all' && group.since?.['stability'] === undefined)
      for (const slot of Object.values(settings.layout.runs ?? {}))
        assert.equal(group.row[slot], whole.row[slot], `${keyOf(group)} groups of runs`);
    for (const [family, block] of Object.entries(group.blocks)) {
      if (group.since?.[family] === undefined) {
        assert.deepEqual(block, whole.blocks[family], `${keyOf(group)} ${family}`);
        continue;
      }
      if (group.window !== 'all') continue;
      const index = settings.layout.families.findIndex(({ name }) => name === family);
      if (index < 0) continue;
      const rowBefore = before!.get(keyOf(group))?.row ?? new Float64Array(settings.layout.width);
      const [now, then, all] = [group.row, rowBefore, whole.row].map((row) => cellReader(settings.layout, index, row));
      for (const [cell, kind] of settings.layout.families[index]!.cells.entries())
        assert.ok(
          Math.abs(now![kind](cell) - (all![kind](cell) - then![kind](cell))) < 1e-9,
          `${keyOf(group)} ${family} cell ${cell}`,
        );
    }
  }
  const missing = [...all!.keys()].filter((key) => !mine.groups.some((group) => keyOf(group) === key));
  for (const key of missing) {
    const { dimensions, window } = all!.get(key)!;
    const begins = mine.groups.some(
      (group) => group.dimensions.join() === dimensions.join() && group.since !== undefined,
    );
    assert.ok(
      begins || !mine.groups.some((group) => group.dimensions.join() === dimensions.join()),
      `${key} ${window} is missing`,
    );
  }
}
