import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { withKafka } from '../support/kafka.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

withKafka('npm run demo:kafka', (kafka) => {
  test('says where its page is, scores, and Ctrl-C ends everything and leaves nothing behind', async (context) => {
    const folder = temporaryFolder(context);
    const demo = spawn(process.execPath, ['scripts/demo-kafka.mjs', '--rate', '200'], {
      env: { ...process.env, KAFKA_BROKERS: kafka().brokers.join(), ASSAY_HTTP__PORT: '0', TMPDIR: folder },
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    context.after(() => demo.kill('SIGTERM'));
    const said: string[] = [];
    createInterface({ input: demo.stderr }).on('line', (line) => said.push(line));
    const ended = once(demo, 'close');
    const address = (): string | undefined => /open (http:\S+)\/ /.exec(said.join('\n'))?.[1];
    await until('an address is printed', () => address() !== undefined || demo.exitCode !== null, 60_000);
    assert.equal(demo.exitCode, null, said.join('\n'));
    await until('predictions are scored', async () => (await scored(address()!)) > 300);
    demo.kill('SIGINT');
    const [status] = (await ended) as [number | null];
    assert.equal(status, 0, said.join('\n'));
    assert.deepEqual(readdirSync(folder), []);
    const topics = await kafka().admin.listTopics();
    assert.deepEqual(
      topics.filter((topic) => topic.startsWith('assay-demo-')),
      [],
    );
  });
});

async function scored(url: string): Promise<number> {
  const { records } = (await (await fetch(`${url}/api/v1/summary`)).json()) as {
    readonly records: { readonly scored: number };
  };
  return records.scored;
}
