import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { withKafka } from '../support/kafka.ts';
import { startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/* Readiness names each outage that is in the log. */

/** Runs the program on a Kafka; `readiness` asks it. */
async function started(context: TestContext, brokers: readonly string[], topics: readonly string[]) {
  const env = {
    ASSAY_KAFKA__BROKERS: brokers.join(),
    ASSAY_KAFKA__TOPICS: topics.join(),
    ASSAY_KAFKA__GROUP_ID: 'outages',
    ASSAY_HTTP__PORT: '0',
    ASSAY_RUN__THREADS: '1',
    ASSAY_GRACE: '2s',
  };
  const child = startProgram(['run'], { cwd: temporaryFolder(context), env });
  let log = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await until('it serves', () => /"url":"[^"]+"/.test(log));
  const url = /"url":"([^"]+)"/.exec(log)![1]!;
  return {
    logged: () => log,
    readiness: async () => (await fetch(`${url}/readyz?verbose`)).text(),
    async end() {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

test('readiness names brokers that cannot be reached, as the log does', async (context) => {
  const run = await started(context, ['127.0.0.1:1'], ['predictions']);
  const problem = 'Kafka at 127.0.0.1:1 cannot be reached: reading waits and retries';
  await until('the log says it', () => run.logged().includes(problem));
  await until('readiness says it', async () => (await run.readiness()).includes(problem));
  assert.doesNotMatch(await run.readiness(), /outages[^\n]*none/);
  await run.end();
});

withKafka('a topic that is not there', (kafka) => {
  test('readiness names it, until it is there', async (context) => {
    const topic = `${kafka().freshGroup()}-later`;
    const run = await started(context, kafka().brokers, [topic]);
    const problem = 'does not have the topic (create it, or correct its name): reading waits and retries';
    await until('readiness says it', async () => (await run.readiness()).includes(problem));
    assert.ok(run.logged().includes(problem));
    await kafka().admin.createTopics({ topics: [{ topic, numPartitions: 1 }] });
    await until('it is gone', async () => /outages[^\n]*none/.test(await run.readiness()));
    await run.end();
  });
});
