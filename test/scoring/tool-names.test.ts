import assert from 'node:assert/strict';
import { test } from 'node:test';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { scoreRow } from '../../src/formats/snapshot/score-row.ts';
import { failureOf } from '../../src/formats/summary/failure.ts';
import type { Config } from '../../src/config/config.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { commonNames, toolNaming } from '../../src/scoring/tool-names.ts';
import type { Scored } from '../../src/stream/score.ts';
import { configWith, foldingOf, viewWith } from '../support/folding.ts';

const ts = Date.UTC(2026, 4, 1);
/** Names on the wire, and the name in the truth. */
const wire: readonly (readonly [string, string])[] = [
  ['mcp__weather__get_weather', 'get_weather'],
  ['mcp__my_server__get_weather', 'get_weather'],
  ['mcp_weather_get_weather', 'get_weather'],
  ['functions.get_weather', 'get_weather'],
  ['functions.get_weather:0', 'get_weather'],
  ['default_api.get_weather', 'get_weather'],
  ['default_api:get_weather', 'get_weather'],
  ['get_weather<|channel|>commentary', 'get_weather'],
  ['math_sqrt', 'math.sqrt'],
];
const common = toolNaming(commonNames);

test('names on the wire are one tool by the preset common', () => {
  for (const [name, tool] of wire) assert.equal(common(name), common(tool), name);
  for (const [name, by] of [
    ['get_weather', 'get_weather'],
    ['get-weather', 'get-weather'],
    ['set:0', 'set:0'],
    ['functions.', 'functions_'],
    ['mcp__a__', 'mcp__a__'],
    ['', ''],
  ] as const)
    assert.equal(common(name), by, name);
  const distinct = ['list_files', 'list-files', 'listFiles', 'files:1', 'files:2', 'functions', 'mcp', 'default_api'];
  assert.equal(new Set(distinct.map(common)).size, distinct.length);
});

test('rules change names in order, and none leaves nothing of a name', () => {
  const rules = [{ strip: '^a+' }, { replace: '(.)-(.)', with: '$2_$1' }, { from: 'c_b', to: 'z' }];
  for (const [name, by] of [
    ['aab-c', 'z'],
    ['aaa', 'aaa'],
    ['b-c-d', 'c_b-d'],
    ['x', 'x'],
  ] as const)
    assert.equal(toolNaming(rules)(name), by, name);
});

test('hostile names take linear time, and few are cached', () => {
  const naming = toolNaming([{ replace: '(a*)*b', with: '' }]);
  assert.equal(naming('a'.repeat(50_000)).length, 50_000);
  for (let i = 0; i < 10_000; i++) assert.equal(naming(`${i}`), `${i}`);
});

const weather = { name: 'get_weather', arguments: { city: 'Oslo' } };
const table = truthFromRecords([
  {
    example_id: 'n',
    label: 'tool_call',
    tools: [{ name: 'get_weather', parameters: undefined }],
    expected_tool_calls: [weather],
    reference: null,
  },
  {
    example_id: 'd',
    label: 'tool_call',
    tools: [{ name: 'math.sqrt', parameters: undefined }],
    expected_tool_calls: [{ name: 'other', arguments: {} }],
    alternatives: [[{ name: 'math.sqrt', arguments: { x: 4 } }]],
    forbidden: ['mcp__db__delete'],
    reference: null,
  },
]);

/** Numbers of the total, window all. */
function blocksOf(config: Config, state: PartitionState): Record<string, Record<string, unknown>> {
  const { groups } = viewWith(config, [state], ts);
  const total = groups.find(({ dimensions, window }) => dimensions.length === 0 && window === 'all')!;
  return total.blocks as Record<string, Record<string, unknown>>;
}

function summaryOf(settings: Readonly<Record<string, unknown>>, events: readonly object[]) {
  const config = configWith(settings);
  const { fold, state, add } = foldingOf(config, table);
  const scored: Scored[] = [];
  fold.out.onScored = (one) => void scored.push(one);
  add(
    events.map((event) => ({ ts, ...event })),
    ts,
  );
  return { blocks: blocksOf(config, state), state, scored };
}

const calling = (name: string, args = weather.arguments as object) => ({
  example_id: name.startsWith('math') ? 'd' : 'n',
  tool_calls: [{ name, arguments: name.startsWith('math') ? { x: 4 } : args }],
});
const events = wire.map(([name]) => calling(name));
const value = (metric: unknown) => (metric as { value: number }).value;

test('the input report counts events whose tool the preset would find, and under the preset all families compare its name', () => {
  const without = summaryOf({}, events);
  assert.equal(without.state.input.renamed_tools, events.length);
  assert.equal(value(without.blocks['match']!['correct']), 0);
  const { state, blocks, scored } = summaryOf({ 'tools.rename': 'common' }, events);
  assert.equal(state.input.renamed_tools, 0);
  assert.equal(value(blocks['match']!['correct']), 1);
  assert.equal(value(blocks['decision']!['unknown_tool']), 0);
  assert.deepEqual(Object.keys(blocks['match']!['tools'] as object).sort(), ['get_weather', 'math_sqrt']);
  const rows = scored.map((one) => scoreRow(one, state.settings.layout, {}));
  assert.deepEqual(
    rows.map(({ predicted_tools: names }) => names),
    wire.map(([name]) => [name]),
  );
  const options = { layout: state.settings.layout, dimensions: [], redact: new Set<string>(), trace: undefined };
  const failure = failureOf(scored.at(-1)!, options as unknown as Parameters<typeof failureOf>[1]);
  assert.deepEqual(
    failure.calls.map(({ expected, actual }) => [expected, actual]),
    [['other', 'math_sqrt']],
  );
});

test('tools of events, forbidden tools and tools of the configuration are renamed too', () => {
  const deleting = { example_id: 'd', tool_calls: [{ name: 'mcp__db__delete', arguments: {} }], tools: ['delete'] };
  const { blocks } = summaryOf({ 'tools.rename': 'common' }, [deleting]);
  assert.equal(value(blocks['match']!['forbidden_events']), 1);
  const own = summaryOf(
    { 'tools.rename': 'common', 'metrics.match.rules': { mcp__w__get_weather: { city: { ignore_case: true } } } },
    [calling('functions.get_weather', { city: 'OSLO' })],
  );
  assert.equal(value(own.blocks['match']!['correct']), 1);
});

test('known tools are those at hand where neither side records any', () => {
  const none = truthFromRecords([
    { example_id: 'n', label: 'tool_call', tools: null, expected_tool_calls: null, reference: null },
  ]);
  for (const [known, expected] of [
    [[], null],
    [['mcp__w__get_weather'], 0],
    [['other'], 1],
  ] as const) {
    const config = configWith({ 'tools.known': known, 'tools.rename': 'common' });
    const { state, add } = foldingOf(config, none);
    add([{ ts, ...calling('get_weather') }], ts);
    assert.equal(value(blocksOf(config, state)['decision']!['unknown_tool']), expected, known.join());
  }
});
