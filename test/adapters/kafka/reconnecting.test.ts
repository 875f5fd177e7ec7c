import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Link, SilentError } from '../../../src/adapters/kafka/kafka-outage.ts';
import { reconnecting } from '../../../src/adapters/kafka/reconnecting.ts';
import { until } from '../../support/until.ts';

test('work that is not answered in time is an outage while it waits, and none once it is answered', async () => {
  const told: string[] = [];
  const link: Link = {
    isUp: () => true,
    problem: () => undefined,
    up: () => void told.push('up'),
    down: (error) => void told.push(error instanceof SilentError ? 'silent' : 'down'),
    explained: (error) => error,
  };
  const signal = new AbortController().signal;
  const connect = async () => ({ disconnect: async () => undefined });
  const clients = reconnecting(connect, { link, signal, silentMs: 20, isOutage: () => true });
  let answer: (value: number) => void = () => undefined;
  const asked = clients.use(
    () => new Promise<number>((resolve) => (answer = resolve)),
    () => told.push('told'),
  );
  await until('it is silent', () => told.length === 2);
  assert.deepEqual(told, ['silent', 'told']);
  answer(7);
  assert.equal(await asked, 7);
  assert.deepEqual(told, ['silent', 'told', 'up']);
});
