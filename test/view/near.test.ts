import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../../src/view/near.ts';

const names = ['brokers', 'client_id', 'group_id', 'topics', 'truth_topic'];

test('a typo finds the name that was meant', () => {
  assert.equal(nearest('broker', names), 'brokers');
  assert.equal(nearest('topcis', names), 'topics');
  assert.equal(nearest('groupid', names), 'group_id');
  assert.equal(nearest('Brokers', names), 'brokers');
});

test('what is near to nothing finds nothing', () => {
  assert.equal(nearest('password', names), undefined);
  assert.equal(nearest('', names), undefined);
  assert.equal(nearest('x', []), undefined);
});
