import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CutFile, checkpointFileName, parseCheckpointFileName } from '../../../src/formats/checkpoint/names.ts';
import { cutsByPreference, cutTree, prunableFiles, restorableFiles } from '../../../src/formats/checkpoint/tree.ts';

/** `F100 a` is a full state, `D100 b a` the changes b after a. */
function files(...specs: string[]): CutFile[] {
  return specs.map((spec) => {
    const [at, id, parent] = spec.split(' ');
    return parseCheckpointFileName(checkpointFileName({ id: id!, parent, nextOffset: Number(at!.slice(1)) }))!;
  });
}

function ids(list: Iterable<CutFile>): string {
  return [...list].map(({ id, parent }) => (parent === undefined ? id.toUpperCase() : id)).join(' ');
}

test('the greatest next offset is restored first; among equals the one that others lead to, then the greatest id', () => {
  const tree = cutTree(files('F5 a', 'F9 b', 'D9 c b', 'D9 d c', 'D9 z b', 'D7 y a', 'F9 w'));
  assert.deepEqual(cutsByPreference(tree), ['d', 'z', 'c', 'w', 'b', 'y', 'a']);
});

test('changes whose way back is cut do not restore; a full state of the same cut mends it', () => {
  const all = files('F1 a', 'D2 b a', 'D3 c b', 'D4 d c', 'D5 e d', 'F4 d');
  assert.equal(
    ids(restorableFiles(cutTree(all)))
      .split(' ')
      .sort()
      .join(' '),
    'A D b c d e',
  );
  assert.equal(ids(restorableFiles(cutTree(all.filter((file) => file.id !== 'b')))), 'A D e');
  assert.equal(ids(restorableFiles(cutTree(files('D1 a b', 'D2 b a')))), '', 'a ring has no root');
});

test('pruning keeps the full state before the new one and all after it', () => {
  const tree = cutTree(files('F1 a', 'F2 b', 'D3 c b', 'D4 d c', 'F4 d', 'D5 e d', 'D6 f e', 'F6 f', 'D7 g f'));
  assert.equal(ids(prunableFiles(tree, tree.byId.get('d')![0]!)), 'A B c d');
});

test('pruning keeps a branch that is further ahead, from its own full states on, and no branch behind', () => {
  const ahead = files('F10 p', 'F11 q', 'D12 r q', 'F12 r', 'D13 s r', 'F13 s', 'D90 t s');
  const behind = files('F10 x', 'D49 y x');
  const ours = files('F9 a', 'D50 b a', 'F50 b', 'D60 c b', 'F60 c');
  const tree = cutTree([...ahead, ...behind, ...ours]);
  assert.equal(ids(prunableFiles(tree, tree.byId.get('b')![0]!)), 'P Q r X y A b');
});

test('cuts that share an offset are pruned by their place in the branch', () => {
  const tree = cutTree(files('F5 a', 'D5 b a', 'F5 b', 'D5 c b', 'F5 c'));
  assert.equal(ids(prunableFiles(tree, tree.byId.get('b')![0]!)), 'A b');
});

/** One owner's view of its own branch. */
interface Owner {
  lastId: string;
  offset: number;
}

const step = fc.tuple(fc.nat(2), fc.constantFrom('save', 'save', 'save', 'tidy', 'tidy', 'restart'), fc.nat(3));

test('three owners save, compact and prune as they like: the best cut stays, and any one file can go', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
      let held: CutFile[] = [];
      let best = 0;
      const owners: Owner[] = [0, 1, 2].map(() => ({ lastId: '', offset: 0 }));
      steps.forEach(([who, action, progress], number) => {
        const owner = owners[who]!;
        if (action === 'restart') restart(owner, held);
        else if (action === 'save') {
          held = [...held, save(owner, held, `i${number}`, progress)];
          best = Math.max(best, owner.offset);
        } else held = tidy(owner, held);
        if (held.length === 0) return;
        assert.equal(bestOffset(held), best);
        if (new Set(held.map((file) => file.id)).size < 2) return;
        for (const gone of held)
          assert.ok(restorableFiles(cutTree(held.filter((file) => file !== gone))).size > 0, gone.name);
      });
    }),
    { numRuns: 300 },
  );
});

function bestOffset(held: CutFile[]): number {
  return Math.max(...[...restorableFiles(cutTree(held))].map((file) => file.nextOffset));
}

function restart(owner: Owner, held: CutFile[]): void {
  const tree = cutTree(held);
  const restorable = new Set([...restorableFiles(tree)].map((file) => file.id));
  owner.lastId = cutsByPreference(tree).find((id) => restorable.has(id)) ?? '';
  owner.offset = tree.byId.get(owner.lastId)?.[0]?.nextOffset ?? 0;
}

/** The rule of `wantsFull`: full until there are two, and where the parent is gone. */
function save(owner: Owner, held: CutFile[], id: string, progress: number): CutFile {
  const fulls = held.filter((file) => file.parent === undefined).length;
  const whole = fulls < 2 || !held.some((file) => file.id === owner.lastId);
  owner.offset += progress;
  const [file] = files(whole ? `F${owner.offset} ${id}` : `D${owner.offset} ${id} ${owner.lastId}`);
  owner.lastId = id;
  return file!;
}

/** What the compaction worker does. */
function tidy(owner: Owner, held: CutFile[]): CutFile[] {
  let base: CutFile | undefined;
  const tree = cutTree(held);
  for (let id: string | undefined = owner.lastId; id !== undefined && base === undefined; ) {
    const file: CutFile | undefined = tree.byId.get(id)?.[0];
    if (file?.parent === undefined) base = file;
    id = file?.parent;
  }
  if (base === undefined || base.id === owner.lastId) return held;
  const after = [...held, ...files(`F${owner.offset} ${owner.lastId}`)];
  const pruned = new Set(prunableFiles(cutTree(after), base));
  return after.filter((file) => !pruned.has(file));
}
