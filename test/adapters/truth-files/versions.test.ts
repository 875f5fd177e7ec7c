import assert from 'node:assert/strict';
import { renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { truthVersions, type TruthVersionsOptions } from '../../../src/adapters/truth-files/truth-versions.ts';
import { buildTruthTable } from '../../../src/formats/truth/builder.ts';
import type { TruthFromFiles } from '../../../src/adapters/truth-files/truth-loader.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { patience, until } from '../../support/until.ts';

interface Following {
  /** The next version; it is there within some seconds, or the test fails. */
  next(): Promise<TruthFromFiles>;
  /** Waits for as many refusals. */
  refused(count: number): Promise<readonly string[]>;
  /** Whether a version comes although nothing good happened. */
  quietFor(ms: number): Promise<boolean>;
}

function follow(
  context: TestContext,
  paths: readonly string[],
  watch = true,
  reading: Pick<TruthVersionsOptions, 'fields' | 'rename'> = {},
): Following {
  const stop = new AbortController();
  context.after(() => stop.abort());
  const messages: string[] = [];
  const onRefused = ({ message }: Error): void => void messages.push(message);
  const versions = truthVersions({
    paths,
    watch,
    deadlineMs: patience * 20_000,
    onRefused,
    signal: stop.signal,
    pollMs: 20,
    ...reading,
  });
  let coming: Promise<IteratorResult<TruthFromFiles, void>> | undefined;
  return {
    async next() {
      const { value } = await (coming ?? versions.next());
      coming = undefined;
      return value ?? assert.fail('no more versions');
    },
    async refused(count) {
      coming ??= versions.next();
      await until(`${count} refusals are told`, () => messages.length >= count, 20_000);
      assert.equal(messages.length, count, messages.join('\n'));
      return messages;
    },
    async quietFor(ms) {
      coming ??= versions.next();
      const quiet = new Promise<'quiet'>((resolve) => setTimeout(() => resolve('quiet'), ms));
      return (await Promise.race([coming, quiet])) === 'quiet';
    },
  };
}

function tableOf(...ids: readonly string[]): Uint8Array {
  return buildTruthTable(
    ids.map((id) => ({ example_id: id, label: 'direct', tools: null, expected_tool_calls: null, reference: null })),
  );
}

function replace(path: string, bytes: Uint8Array): void {
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
}

test('each state of a folder is a version; a bad one is told once, and stays so until it changes', async (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'a.arrow'), tableOf('a'));
  const following = follow(context, [folder]);
  assert.equal((await following.next()).rows, 1);
  replace(join(folder, 'b.arrows'), tableOf('b', 'c'));
  const both = await following.next();
  assert.deepEqual([both.rows, both.find('c') >= 0], [3, true]);
  replace(join(folder, 'b.arrows'), tableOf('b', 'c').subarray(0, 900));
  assert.match((await following.refused(1))[0]!, /b\.arrows/);
  assert.ok(await following.quietFor(2_000));
  await following.refused(1);
  unlinkSync(join(folder, 'b.arrows'));
  assert.equal((await following.next()).rows, 1);
});

test('a file is left alone while it is written to', async (context) => {
  const path = join(temporaryFolder(context), 'truth.arrow');
  writeFileSync(path, tableOf('a'));
  const following = follow(context, [path]);
  await following.next();
  const whole = tableOf('a', 'b', 'c');
  const busyUntil = Date.now() + 2_500;
  for (let step = 1; Date.now() < busyUntil; step++) {
    writeFileSync(path, whole.subarray(0, Math.min(whole.length - 1, 40 * step)));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  writeFileSync(path, whole);
  assert.equal((await following.next()).rows, 3);
  await following.refused(0);
});

test('no truth at first: what is wrong is told, and a good file is loaded when it comes, also without watching', async (context) => {
  const folder = temporaryFolder(context);
  const path = join(folder, 'truth.arrow');
  const following = follow(context, [path], false);
  assert.match((await following.refused(1))[0]!, /truth\.arrow.*cannot be read/);
  writeFileSync(path, 'ARROW1 and no more');
  assert.match((await following.refused(2))[1]!, /cut short/);
  replace(path, tableOf('a'));
  assert.equal((await following.next()).rows, 1);
  await assert.rejects(following.next(), /no more versions/);
});

test('files behind a symbolic link, and one that only its time tells apart', async (context) => {
  const folder = temporaryFolder(context);
  const link = join(folder, 'current');
  for (const [name, ids] of [
    ['one', ['a']],
    ['two', ['b']],
  ] as const)
    writeFileSync(join(folder, name), tableOf(...ids));
  for (const name of ['one', 'two']) utimesSync(join(folder, name), 1, 1);
  symlinkSync('one', link);
  const following = follow(context, [link]);
  assert.ok((await following.next()).find('a') >= 0);
  rmSync(link);
  symlinkSync('two', link);
  assert.ok((await following.next()).find('b') >= 0);
});

test('every version is read by the places of fields, and its contradictions are counted by the names of tools', async (context) => {
  const file = join(temporaryFolder(context), 'truth.ndjson');
  const row = { id: 'a', label: 'direct', tools: ['mcp__weather__f'], expected_tool_calls: [{ name: 'f' }] };
  writeFileSync(file, JSON.stringify(row));
  const following = follow(context, [file], true, {
    fields: { example_id: '/id' },
    rename: [{ strip: '^mcp__.+?__' }],
  });
  assert.deepEqual(await (await following.next()).findings, { label: 1, tool: 0, arguments: 0, rules: 0 });
  replace(file, Buffer.from(JSON.stringify({ ...row, id: 'b', tools: ['g'], label: 'tool_call' })));
  const next = await following.next();
  assert.deepEqual([next.find('b'), await next.findings], [0, { label: 0, tool: 1, arguments: 0, rules: 0 }]);
});
