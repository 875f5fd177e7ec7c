import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kafkaIntake } from '../../../src/adapters/kafka/kafka-intake.ts';
import { IntakeError } from '../../../src/ports.ts';
import { freePort } from '../../support/free-port.ts';
import { testLog } from '../../support/kafka.ts';

test('a sender is told to come again where no broker answers', async () => {
  const log = testLog();
  const brokers = [`127.0.0.1:${await freePort()}`];
  const topics = { events: 'predictions', truth: undefined, feedback: undefined };
  const intake = kafkaIntake({ brokers, clientId: 'test', log, topics, signal: new AbortController().signal });
  const record = { key: undefined, value: Buffer.from('{}') };
  for (let at = 0; at < 2; at++)
    await assert.rejects(intake.append('events', [record]), (error: unknown) => {
      assert.ok(error instanceof IntakeError, String(error));
      assert.deepEqual([error.refusal.status, error.refusal.retryAfter], [503, 5]);
      return true;
    });
  assert.equal(log.lines.filter((line) => line.includes('cannot be reached')).length, 1, log.lines.join('\n'));
  await intake.close();
});
