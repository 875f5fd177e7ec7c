import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configHash, shapingByKey } from '../../src/config/config-hash.ts';
import { configOf } from '../support/configuration.ts';

const same: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['other words for the same', 'time: {pane: 10000ms, windows: [1440m, 3600s, 300000ms]}\njoin: {truth_wait: 1d}'],
  ['a mode that every family overrides is no difference by itself', 'metrics: {decision: {mode: spec}}'],
  ['where events come from', 'kafka: {brokers: [a:1], topics: [t], group_id: g, from: latest, on_gap: skip}'],
  ['secrets', 'kafka: {sasl: {mechanism: plain, username: u, password: hunter2}}'],
  ['where the truth comes from', 'truth: {paths: [a.arrow], watch: false}'],
  [
    'where results go',
    'snapshots: {dir: d, scores: all}\nstate: {dir: s}\nhttp: {port: 1}\nlog: {level: debug}\ngrace: 1s',
  ],
  ['limits of what is shown', 'limits: {series: 1, groups_exported: 1, score_rows: 1, truth_load: 1s}'],
];

for (const [name, yaml] of same) {
  test(`one hash, and the same state: ${name}`, (context) => {
    const base = configOf(context, {});
    const changed = configOf(context, { yaml });
    assert.equal(configHash(changed), configHash(base));
    assert.deepEqual(shapingByKey(changed), shapingByKey(base));
  });
}

test('the hash is short, and the same on every machine', (context) => {
  assert.equal(configHash(configOf(context, {})), '993437e46b253454');
});

const readings: readonly string[] = [
  'time: {idle_after: 1s}',
  'metrics: {interval: 0.9}',
  'metrics: {trajectory: {min_combination_count: 1}}',
  'metrics: {schema: {weights: {tool_selection: 1}}}',
];

for (const yaml of readings) {
  test(`another hash, and the same state: ${yaml}`, (context) => {
    const base = configOf(context, {});
    const changed = configOf(context, { yaml });
    assert.notEqual(configHash(changed), configHash(base));
    assert.deepEqual(shapingByKey(changed), shapingByKey(base));
  });
}

const shaping: readonly (readonly [string, string, string])[] = [
  ['time: {pane: 1m}', 'time.pane', '1m'],
  ['time: {out_of_orderness: 0s}', 'time.out_of_orderness', '0s'],
  ['time: {max_future: 1h}', 'time.max_future', '1h'],
  ['time: {windows: [2h, 1m]}', 'time.windows', '["1m","2h"]'],
  ['join: {truth_wait: 2h}', 'join.truth_wait', '2h'],
  ['dedupe: {window: 1h}', 'dedupe.window', '1h'],
  ['slices: [[agent], [model]]', 'slices', '[["agent"],["model"]]'],
  ['decision: {rules: [{label: direct}]}', 'decision.rules', '[{"label":"direct"}]'],
  ['tools: {rename: [{strip: a}]}', 'tools.rename', '[{"strip":"a"}]'],
  ['tools: {known: [a]}', 'tools.known', '["a"]'],
  ['metrics: {decision: {invalid_as: cannot_answer}}', 'metrics.decision.invalid_as', 'cannot_answer'],
  ['metrics: {stability: {k: 3}}', 'metrics.stability.k', '3'],
  ['metrics: {stability: {form: rolling}}', 'metrics.stability.form', 'rolling'],
  ['metrics: {stability: {keep: 14d}}', 'metrics.stability.keep', '14d'],
  ['metrics: {tool_calls: {threshold: 1}}', 'metrics.tool_calls.threshold', '1'],
  ['metrics: {trajectory: {weights: {name: 1}}}', 'metrics.trajectory.weights.name', '1'],
  ['metrics: {trajectory: {param_threshold: 1}}', 'metrics.trajectory.param_threshold', '1'],
  ['metrics: {trajectory: {order_threshold: 1}}', 'metrics.trajectory.order_threshold', '1'],
  ['metrics: {match: {null_is_absent: true}}', 'metrics.match.null_is_absent', 'true'],
  ['metrics: {schema: {deep: true}}', 'metrics.schema.deep', 'true'],
  ['metrics: {schema: {mode: upstream}}', 'metrics.schema.mode', 'upstream'],
  ['metrics: {arguments: {empty_leaves: true}}', 'metrics.arguments.empty_leaves', 'true'],
  ['metrics: {structured: {enabled: false}}', 'metrics.structured.enabled', 'false'],
  ['runs: {by: example}', 'runs.by', 'example'],
  ['runs: {end: idle}', 'runs.end', 'idle'],
  ['runs: {idle: 5m}', 'runs.idle', '5m'],
  ['runs: {steps: 9}', 'runs.steps', '9'],
  ['limits: {open_runs: 1}', 'limits.open_runs', '1'],
  ['limits: {pending: 1}', 'limits.pending', '1'],
  ['limits: {dedupe_ids: 1}', 'limits.dedupe_ids', '1'],
  ['limits: {stability_groups: 1}', 'limits.stability_groups', '1'],
  ['limits: {slices: 1}', 'limits.slices', '1'],
  ['limits: {names: 1}', 'limits.names', '1'],
  ['limits: {breakdowns: 1}', 'limits.breakdowns', '1'],
  ['limits: {blames: 1}', 'limits.blames', '1'],
  ['limits: {record_bytes: 1}', 'limits.record_bytes', '1'],
  ['limits: {depth: 1}', 'limits.depth', '1'],
  ['limits: {elements: 1}', 'limits.elements', '1'],
  ['limits: {calls: 1}', 'limits.calls', '1'],
  ['limits: {values: 1}', 'limits.values', '1'],
];

for (const [yaml, key, value] of shaping) {
  test(`another state: ${yaml}`, (context) => {
    const base = configOf(context, {});
    const changed = configOf(context, { yaml });
    const old = shapingByKey(base);
    const differences = Object.entries(shapingByKey(changed)).filter(([name, text]) => old[name] !== text);
    assert.deepEqual(differences, [[key, value]]);
    assert.notEqual(configHash(changed), configHash(base));
  });
}
