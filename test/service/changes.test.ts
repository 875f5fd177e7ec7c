import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changes, savedConfig } from '../../src/service/changes.ts';

test('a checkpoint of a release without a family was made without it, so that the family begins now', () => {
  const metrics = { mode: 'spec', decision: {}, match: {} };
  assert.equal(savedConfig({ metrics }).metrics.tool_use.enabled, false);
  assert.equal(savedConfig({ metrics: { ...metrics, tool_use: { enabled: true } } }).metrics.tool_use.enabled, true);
  const names = changes.settingsOf({ metrics }).layout.families.map(({ name }) => name);
  assert.ok(!names.includes('tool_use') && names.includes('match'), names.join());
});

test('what such a release did not know is no change that is refused', () => {
  const present = { 'metrics.decision.enabled': 'true', 'metrics.tool_use.enabled': 'true' };
  const { refused, anew } = changes.of({ 'metrics.decision.enabled': 'true' }, present);
  assert.deepEqual([refused, [...anew]], [[], ['tool_use']]);
});
