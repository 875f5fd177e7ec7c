import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { standingThread } from '../../src/adapters/standing-thread.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const worker = pathToFileURL(resolve('dist', 'src', 'adapters', 'standing-worker.js')).href;

/** A thread that counts the requests it was asked, and fails, ends or waits for ever when it is told to. */
function counting(t: TestContext) {
  const path = join(temporaryFolder(t), 'counting.mjs');
  writeFileSync(
    path,
    `import { answerRequests } from ${JSON.stringify(worker)};
     let asked = 0;
     answerRequests(async (request) => {
       if (request === 'fail') throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
       if (request === 'end') process.exit(3);
       if (typeof request !== 'string')
         setImmediate(() => {
           Atomics.store(request, 0, 1);
           Atomics.notify(request, 0);
         });
       if (request === 'for ever') await new Promise(() => undefined);
       return { answer: [request, ++asked] };
     });`,
  );
  const thread = standingThread<string | Int32Array, [unknown, number]>(pathToFileURL(path));
  t.after(() => thread.close());
  return thread;
}

test('one thread answers all requests, in order', async (t) => {
  const thread = counting(t);
  const answers = await Promise.all(['a', 'b', 'c'].map((request) => thread.ask(request)));
  assert.deepEqual(answers, [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  assert.deepEqual(await thread.ask('d'), ['d', 4]);
});

test('what it throws is told whoever asked, with its code, and the next request begins another', async (t) => {
  const thread = counting(t);
  const [first, failed, next] = ['a', 'fail', 'b'].map((request) => thread.ask(request));
  assert.deepEqual(await first, ['a', 1]);
  await assert.rejects(failed!, { message: 'no room', code: 'ENOSPC' });
  assert.deepEqual(await next, ['b', 1]);
});

test('a thread that ends is not waited for', async (t) => {
  const thread = counting(t);
  await assert.rejects(thread.ask('end'), /the thread ended with code 3/);
  assert.deepEqual(await thread.ask('a'), ['a', 1]);
});

test('one that is closed answers no more; asked again, it begins anew', async (t) => {
  const thread = counting(t);
  await thread.ask('a');
  const never = thread.ask('for ever');
  const refused = assert.rejects(never, /the thread ended/);
  await new Promise((done) => setImmediate(done));
  await thread.close();
  await refused;
  assert.deepEqual(await thread.ask('b'), ['b', 1]);
});

test('one that has answered while it is closed is waited for', async (t) => {
  const thread = counting(t);
  const answered = new Int32Array(new SharedArrayBuffer(4));
  void thread.ask(answered).catch(() => undefined);
  await new Promise((done) => setImmediate(done));
  // Its answer is there, and this thread has not seen it.
  Atomics.wait(answered, 0, 0);
  await thread.close();
});
