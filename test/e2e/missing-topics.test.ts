import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { withKafka } from '../support/kafka.ts';
import { startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

withKafka('topics that are not there', (kafka) => {
  test('a missing topic of predictions, dead letters or truth is named at start, before anything is to be written there', async (context) => {
    const cwd = temporaryFolder(context);
    const { brokers } = kafka();
    const [topic, group] = [await kafka().freshTopic(), kafka().freshGroup()];
    const config = {
      kafka: {
        brokers,
        group_id: group,
        topics: [topic, `${topic}-more`],
        dead_letter_topic: `${topic}-dead`,
        truth_topic: `${topic}-truth`,
      },
      state: { dir: 'state' },
      http: { port: 0 },
    };
    writeFileSync(join(cwd, 'assay.yaml'), stringify(config));
    const child = startProgram(['run', '-c', 'assay.yaml'], { cwd });
    context.after(() => child.kill('SIGKILL'));
    let log = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    const names = (key: string, name: string): boolean =>
      log.includes(`kafka.${key}: Kafka has no topic ${name}: create it`);
    await until('all are named', async () => {
      const others = names('dead_letter_topic', `${topic}-dead`) && names('truth_topic', `${topic}-truth`);
      return others && names('topics', `${topic}-more`);
    });
    const known = await kafka().admin.listTopics();
    assert.ok(!known.includes(`${topic}-dead`), 'looking for a topic creates none');
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null], log);
  });
});
