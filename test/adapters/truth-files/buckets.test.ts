import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { S3Settings } from '../../../src/adapters/object-store/object-store.ts';
import { loadTruth } from '../../../src/adapters/truth-files/truth-loader.ts';
import { truthVersions } from '../../../src/adapters/truth-files/truth-versions.ts';
import { buildTruthTable } from '../../../src/formats/truth/builder.ts';
import { storeInBucket, type TestBucket, withBucket } from '../../support/bucket.ts';
import { patience, until } from '../../support/until.ts';

const deadlineMs = patience * 20_000;

const s3Of = ({ endpoint }: TestBucket): S3Settings => ({ endpoint, region: 'us-east-1', pathStyle: undefined });

function tableOf(...ids: readonly string[]): Uint8Array {
  return buildTruthTable(
    ids.map((id) => ({ example_id: id, label: 'direct', tools: null, expected_tool_calls: null, reference: null })),
  );
}

withBucket('truth in a bucket', (bucket) => {
  test('objects and folders of objects are read as files are', async () => {
    const store = await storeInBucket(bucket(), 'read');
    await store.write('one', tableOf('a', 'b'));
    await store.write('many/a.arrow', tableOf('a'));
    await store.write('many/b.arrows', tableOf('b', 'c'));
    await store.write('many/c.ndjson', Buffer.from('{"example_id": "d", "label": "direct"}\n'));
    await store.write('lines/c.ndjson', Buffer.from('{"example_id": "d", "label": "direct"}\n'));
    const rows = async (...paths: string[]): Promise<number> =>
      (await loadTruth(paths, { deadlineMs, s3: s3Of(bucket()) })).rows;
    const at = (path: string): string => `${bucket().location}/read/${path}`;
    assert.equal(await rows(at('one')), 2);
    assert.equal(await rows(at('many')), 3);
    assert.equal(await rows(at('many/')), 3);
    assert.equal(await rows(at('lines'), at('many/b.arrows')), 3);
    for (const [path, problem] of [
      ['nothing', /read\/nothing: the folder holds no \*\.arrow/],
      ['one/', /^$/],
    ] as const)
      await assert.rejects(
        rows(at(path)).then(() => Promise.reject(new Error(''))),
        { message: problem },
      );
    await assert.rejects(rows('s3://elsewhere/x'), {
      name: 'TruthError',
      message: /s3:\/\/elsewhere\/x: cannot be read/,
    });
  });

  test('objects are followed as they change; the truth in use stays while the store is away', async (context) => {
    const stop = new AbortController();
    context.after(() => stop.abort());
    const store = await storeInBucket(bucket(), 'follow');
    await store.write('a.arrow', tableOf('a'));
    const refused: string[] = [];
    const versions = truthVersions({
      ...{ paths: [`${bucket().location}/follow`], s3: s3Of(bucket()), watch: true, deadlineMs, pollMs: 50 },
      ...{ onRefused: ({ message }) => void refused.push(message), signal: stop.signal },
    });
    const next = async (): Promise<number | undefined> => (await versions.next()).value?.rows;
    assert.equal(await next(), 1);
    await store.write('b.arrow', tableOf('b', 'c'));
    assert.equal(await next(), 3);
    await store.write('b.arrow', tableOf('d', 'e', 'f'));
    assert.equal(await next(), 4);
    const coming = next();
    await bucket().stop();
    await until('the outage is told', () => refused.length > 0, patience * 60_000);
    await bucket().start();
    assert.equal(await coming, 4, 'read anew when the store is back');
    await store.remove('a.arrow');
    assert.equal(await next(), 3);
  });
});
