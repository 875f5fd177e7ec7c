import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type CheckpointFile,
  checkpointFileName,
  parseCheckpointFileName,
} from '../../../src/formats/checkpoint/names.ts';
import {
  checkpointTree,
  idsByPreference,
  prunableFiles,
  restorableFiles,
} from '../../../src/formats/checkpoint/tree.ts';
import { runs } from '../../support/soak.ts';

/** `S100 a` is a snapshot, `D100 b a` the delta b of base a. */
function files(...specs: string[]): CheckpointFile[] {
  return specs.map((spec) => {
    const [at, id, base] = spec.split(' ');
    return parseCheckpointFileName(checkpointFileName({ id: id!, base, nextOffset: Number(at!.slice(1)) }))!;
  });
}

function ids(list: Iterable<CheckpointFile>): string {
  return [...list].map(({ id, base }) => (base === undefined ? id.toUpperCase() : id)).join(' ');
}

test('the greatest next offset is restored first; among equals the one that others lead to, then the greatest id', () => {
  const tree = checkpointTree(files('S5 a', 'S9 b', 'D9 c b', 'D9 d c', 'D9 z b', 'D7 y a', 'S9 w'));
  assert.deepEqual(idsByPreference(tree), ['d', 'z', 'c', 'w', 'b', 'y', 'a']);
});

test('deltas whose way back is cut do not restore; a snapshot of the same checkpoint mends it', () => {
  const all = files('S1 a', 'D2 b a', 'D3 c b', 'D4 d c', 'D5 e d', 'S4 d');
  assert.equal(
    ids(restorableFiles(checkpointTree(all)))
      .split(' ')
      .sort()
      .join(' '),
    'A D b c d e',
  );
  assert.equal(ids(restorableFiles(checkpointTree(all.filter((file) => file.id !== 'b')))), 'A D e');
  assert.equal(ids(restorableFiles(checkpointTree(files('D1 a b', 'D2 b a')))), '', 'a ring has no root');
});

test('pruning keeps the snapshot before the new one and all after it', () => {
  const tree = checkpointTree(files('S1 a', 'S2 b', 'D3 c b', 'D4 d c', 'S4 d', 'D5 e d', 'D6 f e', 'S6 f', 'D7 g f'));
  assert.equal(ids(prunableFiles(tree, tree.byId.get('d')![0]!)), 'A B c d');
});

test('pruning keeps a branch that is further ahead, from its own snapshots on, and no branch behind', () => {
  const ahead = files('S10 p', 'S11 q', 'D12 r q', 'S12 r', 'D13 s r', 'S13 s', 'D90 t s');
  const behind = files('S10 x', 'D49 y x');
  const ours = files('S9 a', 'D50 b a', 'S50 b', 'D60 c b', 'S60 c');
  const tree = checkpointTree([...ahead, ...behind, ...ours]);
  assert.equal(ids(prunableFiles(tree, tree.byId.get('b')![0]!)), 'P Q r X y A b');
});

test('checkpoints that share an offset are pruned by their place in the branch', () => {
  const tree = checkpointTree(files('S5 a', 'D5 b a', 'S5 b', 'D5 c b', 'S5 c'));
  assert.equal(ids(prunableFiles(tree, tree.byId.get('b')![0]!)), 'A b');
});

/** One owner's view of its own branch. */
interface Owner {
  lastId: string;
  offset: number;
}

const step = fc.tuple(fc.nat(2), fc.constantFrom('save', 'save', 'save', 'compact', 'compact', 'restart'), fc.nat(3));

test('three owners save, compact and prune as they like: the best checkpoint stays, and any one file can go', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
      let held: CheckpointFile[] = [];
      let best = 0;
      const owners: Owner[] = [0, 1, 2].map(() => ({ lastId: '', offset: 0 }));
      steps.forEach(([who, action, progress], number) => {
        const owner = owners[who]!;
        if (action === 'restart') restart(owner, held);
        else if (action === 'save') {
          held = [...held, save(owner, held, `i${number}`, progress)];
          best = Math.max(best, owner.offset);
        } else held = compact(owner, held);
        if (held.length === 0) return;
        assert.equal(bestOffset(held), best);
        if (new Set(held.map((file) => file.id)).size < 2) return;
        for (const gone of held)
          assert.ok(restorableFiles(checkpointTree(held.filter((file) => file !== gone))).size > 0, gone.name);
      });
    }),
    { numRuns: runs(60) },
  );
});

function bestOffset(held: CheckpointFile[]): number {
  return Math.max(...[...restorableFiles(checkpointTree(held))].map((file) => file.nextOffset));
}

function restart(owner: Owner, held: CheckpointFile[]): void {
  const tree = checkpointTree(held);
  const restorable = new Set([...restorableFiles(tree)].map((file) => file.id));
  owner.lastId = idsByPreference(tree).find((id) => restorable.has(id)) ?? '';
  owner.offset = tree.byId.get(owner.lastId)?.[0]?.nextOffset ?? 0;
}

/** The rule of `wantsSnapshot`: a snapshot until there are two, and where the base is gone. */
function save(owner: Owner, held: CheckpointFile[], id: string, progress: number): CheckpointFile {
  const snapshots = held.filter((file) => file.base === undefined).length;
  const whole = snapshots < 2 || !held.some((file) => file.id === owner.lastId);
  owner.offset += progress;
  const [file] = files(whole ? `S${owner.offset} ${id}` : `D${owner.offset} ${id} ${owner.lastId}`);
  owner.lastId = id;
  return file!;
}

/** What the compaction worker does. */
function compact(owner: Owner, held: CheckpointFile[]): CheckpointFile[] {
  let base: CheckpointFile | undefined;
  const tree = checkpointTree(held);
  for (let id: string | undefined = owner.lastId; id !== undefined && base === undefined; ) {
    const file: CheckpointFile | undefined = tree.byId.get(id)?.[0];
    if (file?.base === undefined) base = file;
    id = file?.base;
  }
  if (base === undefined || base.id === owner.lastId) return held;
  const after = [...held, ...files(`S${owner.offset} ${owner.lastId}`)];
  const pruned = new Set(prunableFiles(checkpointTree(after), base));
  return after.filter((file) => !pruned.has(file));
}
