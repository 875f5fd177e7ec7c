import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { after, test } from 'node:test';
import { verifySync } from '@node-rs/bcrypt';
import { createLogin, type LoginResult } from '../../../src/adapters/http/login.ts';

const hash = '$2y$10$qRTBuFoULoYNA7AQ/F3ck.trZBPyjV64.oA4ZsSBCIWvXuvQlQTuu';
const users = new Map([['carol', hash]]);
const login = createLogin(0);
// As a server does: what waits keeps no process alive.
const alive = setInterval(() => {}, 60_000);
after(() => clearInterval(alive));

const attempt = (name: string, password: string): Promise<LoginResult> =>
  login(`Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`, '127.0.0.1', users);

/** What a password costs that is checked on the event loop. */
const checkMs = timeOf(() => void verifySync('wrong', hash));

test('the event loop does not check passwords', async (context) => {
  const activeMs: number[] = [];
  for (let at = 0; at < 8; at++) {
    const started = performance.eventLoopUtilization();
    assert.equal(await attempt(at % 2 ? 'carol' : 'nobody', `wrong ${at}`), 'wrong');
    activeMs.push(performance.eventLoopUtilization(started).active);
  }
  // Of the least disturbed one.
  const least = Math.min(...activeMs);
  context.diagnostic(`${least} ms of the event loop; a check takes ${checkMs} ms`);
  assert.ok(least < checkMs / 10, `${activeMs} ms of the event loop, where a check takes ${checkMs}`);
});

test('a password that was right, or wrong, is not checked again', async () => {
  for (const [password, result] of [
    ['carol123', 'right'],
    ['wrong', 'wrong'],
  ] as const) {
    assert.equal(await attempt('carol', password), result);
    const startedMs = performance.now();
    for (let at = 0; at < 100; at++) assert.equal(await attempt('carol', password), result);
    assert.ok(performance.now() - startedMs < 10 * checkMs, `${performance.now() - startedMs} ms for 100`);
  }
});

function timeOf(work: () => void): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}
