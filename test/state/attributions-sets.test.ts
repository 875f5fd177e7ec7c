import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../src/state/attribution-set.ts';
import { addAttributions, type Attributions, forAttributions } from '../../src/state/attributions.ts';
import { paneOf } from '../../src/state/windows.ts';
import { attributionsOf, restarted, tiers } from '../support/attribution-state.ts';
import { attributing, heldAttributions } from '../support/attributions.ts';
import { startMs } from '../support/viewed-traffic.ts';

/** Events by tool in a pane of the first tier. */
function toolsIn(attributions: Attributions): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [key, events] of heldAttributions(attributions)) {
    const [, tier, , , ...name] = key.split(' ');
    const { kind, tool } = JSON.parse(name.join(' ')) as { kind: string; tool: string };
    if (tier === '0') found[`${kind} ${tool}`] = (found[`${kind} ${tool}`] ?? 0) + events;
  }
  return found;
}

/** Rows in the pane of the first tier that begins it. */
function rowsOf(attributions: Attributions): number {
  let rows = 0;
  forAttributions(attributions, 0, paneOf(tiers[0]!, startMs), () => void rows++);
  return rows;
}

test('beyond limits.names sets, new ones are kept name by name; beyond as many names, new names are others', () => {
  for (const restarts of [false, true]) {
    let attributions = attributionsOf({ names: 2 });
    const add = (...own: string[]): void => {
      addAttributions(attributions, attributing(0, own), 0, startMs);
      if (restarts) attributions = restarted(attributions, { names: 2 });
    };
    for (const own of [['a', 'b'], ['a'], ['a', 'b']]) add(...own);
    assert.equal(attributions.sets.list.length, 2);
    add('a', 'c');
    assert.deepEqual(toolsIn(attributions), { 'tool a': 4, 'tool b': 2, 'tool c': 1 });
    assert.deepEqual([attributions.sets.list.length, attributions.limitHits.names], [3, 0]);
    add('d', 'a');
    assert.equal(attributions.limitHits.names, 0);
    for (let times = 0; times < 2; times++) add('e', 'c', 'f');
    assert.deepEqual(toolsIn(attributions), {
      'tool a': 5,
      'tool b': 2,
      'tool c': 3,
      'tool d': 1,
      'tool __other__': 2,
    });
    assert.deepEqual([attributions.sets.list.length, attributions.limitHits.names], [5, 2]);
    assert.equal(rowsOf(attributions), 5);
  }
});

test('a set of more than 4,000 characters is kept name by name', () => {
  const attributions = attributionsOf();
  const long = Array.from({ length: 16 }, (_, at) => `${at}`.padEnd(300, 'x'));
  addAttributions(attributions, attributing(0, long), 0, startMs);
  addAttributions(attributions, attributing(0, long.slice(0, 10)), 0, startMs);
  assert.deepEqual([attributions.sets.list.length, Object.keys(toolsIn(attributions)).length], [17, 16]);
  assert.equal(rowsOf(attributions), 17);
  const head = textOf(attributing(0, ['x'.repeat(2_000)]).names).length - 2_000;
  for (const [characters, sets] of [
    [4_000, 1],
    [4_001, 2],
  ] as const) {
    const fresh = attributionsOf();
    const names = attributing(0, ['a'.repeat(1_500), 'b'.repeat(characters - 1_501 - 2 * head)]);
    assert.equal(textOf(names.names).length, characters);
    addAttributions(fresh, names, 0, startMs);
    assert.equal(fresh.sets.list.length, sets, `${characters} characters`);
  }
});

test('in a pane without rows nothing is blamed', () => {
  assert.equal(rowsOf(attributionsOf()), 0);
});
