import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dimensionLabel } from '../../src/state/dimension.ts';

test('a dimension is a label of Prometheus: a tag has a prefix, and _ for what a label cannot hold', () => {
  const labels = [
    ['model', 'model'],
    ['agent', 'agent'],
    ['tags.env', 'tag_env'],
    ['tags.user-tier', 'tag_user_tier'],
    ['tags.a.b:c_D9', 'tag_a_b_c_D9'],
    ['tags.größe😀', 'tag_gr__e_'],
    ['tags.tags.', 'tag_tags_'],
  ];
  assert.deepEqual(
    labels.map(([dimension]) => dimensionLabel(dimension!)),
    labels.map(([, label]) => label),
  );
});
