import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { cachedStore } from '../../../src/adapters/object-store/cached-store.ts';
import type { ObjectStore } from '../../../src/adapters/object-store/object-store.ts';
import { seeded } from '../../../src/statistics/random.ts';
import { storeInBucket, withBucket } from '../../support/bucket.ts';
import { type Fault, faultyProxy } from '../../support/faulty-proxy.ts';
import { storeIn } from '../../support/folder-store.ts';
import { seed } from '../../support/seed.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && new TextDecoder().decode(bytes);

describe('a folder', () => {
  contract((context) => storeIn(temporaryFolder(context)));
});

describe('a store with copies', () => {
  contract((context) => cachedStore(storeIn(temporaryFolder(context)), storeIn(temporaryFolder(context))));

  test('files are read from the copies; what is wrong with these is asked of the store', async (context) => {
    const dir = temporaryFolder(context);
    const cache = temporaryFolder(context);
    const store = cachedStore(storeIn(dir), storeIn(cache));
    await store.write('g/a', bytesOf('whole'));
    writeFileSync(join(dir, 'g/a'), 'other');
    assert.equal(textOf(await store.read('g/a')), 'whole', 'the copy');
    assert.equal(textOf(await store.read('g/a', true)), 'other', 'asked for anew');
    assert.equal(textOf(await store.read('g/a')), 'other', 'which is kept');
    await storeIn(dir).remove('g/a');
    assert.deepEqual(await store.files('g'), []);
    assert.deepEqual(readdirSync(join(cache, 'g')), [], 'a copy of what is gone goes');
    mkdirSync(join(cache, 'h'));
    writeFileSync(join(cache, 'h/b'), '');
    await store.write('h/c', bytesOf('c'));
    assert.equal(textOf(await store.read('h/c')), 'c');
  });
});

withBucket('a bucket', (bucket) => {
  let number = 0;
  contract(async () => await storeInBucket(bucket(), `prefix/${++number}`));

  test('more names than one answer holds', async () => {
    const store = await storeInBucket(bucket(), 'many');
    const names = Array.from({ length: 1_050 }, (_, at) => `f${String(at).padStart(5, '0')}`);
    for (let at = 0; at < names.length; at += 50)
      await Promise.all(names.slice(at, at + 50).map((name) => store.write(`g/${name}`, bytesOf(name))));
    assert.deepEqual(await store.files('g'), names);
    await store.removeFolder('g');
    assert.deepEqual(await store.files('g'), []);
  });

  test('a mistake is told with place and code', async () => {
    const store = await storeInBucket({ ...bucket(), location: 's3://nowhere' }, 'x');
    await assert.rejects(store.files('g'), { code: 'NoSuchBucket', message: /^listing s3:\/\/nowhere\/x\/g failed/ });
  });

  test('an answer that breaks off is asked for again, three times in all', async (context) => {
    const bytes = new Uint8Array(200_000).fill(7);
    await (await storeInBucket(bucket(), 'cut')).write('g/1', bytes);
    const faults: Fault[] = ['cut', 'cut'];
    const by = await faultyProxy(context, bucket().endpoint, () => ({ fault: faults.shift() ?? 'none', delayMs: 0 }));
    const store = await storeInBucket(bucket(), 'cut', { by });
    assert.ok(Buffer.from(bytes).equals((await store.read('g/1'))!));
    faults.push('cut', 'cut', 'cut', 'none');
    await assert.rejects(store.read('g/1'), /^Error: reading s3:\/\/assay\/cut\/g\/1 failed: /);
    assert.deepEqual(faults, ['none']);
  });

  test('slow, busy, reset and cut: what is acknowledged is there, whole', async (context) => {
    context.diagnostic(`SEED=${seed}`);
    const random = seeded(seed);
    const kinds: readonly Fault[] = ['none', 'none', 'slow', 'slow down', 'reset', 'cut'];
    const by = await faultyProxy(context, bucket().endpoint, () => {
      const fault = kinds[Math.floor(random() * kinds.length)]!;
      return { fault, delayMs: fault === 'slow' ? 20 + random() * 480 : 0 };
    });
    const faulty = await storeInBucket(bucket(), 'faults', { by });
    const sound = await storeInBucket(bucket(), 'faults');
    const failures = { count: 0 };
    const insist = async <T>(work: () => Promise<T>): Promise<T> => {
      let found: { readonly value: T } | undefined;
      await until('the store answers', async () => {
        found = await work().then(
          (value) => ({ value }),
          () => void failures.count++,
        );
        return found !== undefined;
      });
      return found!.value;
    };
    for (let at = 0; at < 60; at++) {
      const bytes = new Uint8Array(1 + Math.floor(random() * 300_000)).fill(at);
      await insist(() => faulty.write(`g/${at}`, bytes));
      assert.ok(Buffer.from(bytes).equals((await sound.read(`g/${at}`))!), `file ${at}, as it lies there`);
      assert.ok(Buffer.from(bytes).equals((await insist(() => faulty.read(`g/${at}`)))!), `file ${at}, as it is read`);
    }
    assert.equal((await insist(() => faulty.files('g'))).length, 60);
    context.diagnostic(`${failures.count} operations failed beyond the client's own attempts`);
  });
});

/** What every store promises. */
function contract(make: (context: TestContext) => ObjectStore | Promise<ObjectStore>): void {
  test('files are written, listed, read and removed', async (context) => {
    const store = await make(context);
    assert.deepEqual(await store.files('g/t/0'), []);
    assert.equal(await store.read('g/t/0/a'), undefined);
    assert.equal(await store.size('g/t/0/a'), undefined);
    await store.write('g/t/0/b', bytesOf('bb'));
    await store.write('g/t/0/a', bytesOf(''));
    await store.write('g/t/%2Eodd name+&é/c', bytesOf('c'));
    assert.deepEqual(await store.files('g/t/0'), ['a', 'b']);
    assert.deepEqual(await store.folders(''), ['g']);
    assert.deepEqual(await store.folders('g/t'), ['%2Eodd name+&é', '0']);
    assert.equal(textOf(await store.read('g/t/0/b')), 'bb');
    assert.equal(textOf(await store.read('g/t/%2Eodd name+&é/c', true)), 'c');
    assert.deepEqual([await store.size('g/t/0/a'), await store.size('g/t/0/b')], [0, 2]);
    await store.remove('g/t/0/b');
    await store.remove('g/t/0/b');
    assert.deepEqual(await store.files('g/t/0'), ['a']);
    await store.removeFolder('g/t/0');
    await store.removeFolder('g/t/0');
    assert.deepEqual(await store.folders('g/t'), ['%2Eodd name+&é']);
    await store.removeUnfinished('g/t/0');
  });
}
