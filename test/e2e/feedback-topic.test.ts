import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withKafka } from '../support/kafka.ts';
import { rateIn } from '../support/served.ts';
import { serviceConfig, startService, type TestService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const ts = Date.UTC(2026, 4, 1);
const call = (city: string): object => ({ name: 'book', arguments: { city } });
const event = (id: string): { key: string; value: string } => ({
  key: id,
  value: JSON.stringify({ example_id: id, event_id: `${id}-event`, ts, model: 'm', tool_calls: [call('Oslo')] }),
});

withKafka('feedback by a topic', (kafka) => {
  test('reaches events of every partition, moves what its truth file says, and counts once through kill -9', async (context) => {
    const folder = temporaryFolder(context);
    const truth = join(folder, 'truth.ndjson');
    const ids = Array.from({ length: 30 }, (_, at) => `e${at}`);
    const row = (id: string): string => JSON.stringify({ example_id: id, expected_tool_calls: [call('Bergen')] });
    writeFileSync(truth, ids.slice(0, 20).map(row).join('\n'));
    const topic = await kafka().freshTopic(3);
    const feedbackTopic = await kafka().freshTopic(2);
    const config = serviceConfig({
      ...{ brokers: kafka().brokers, topics: [topic], group: kafka().freshGroup(), truth: [truth], folder },
      more: {
        kafka: { feedback_topic: feedbackTopic },
        watches: [{ metric: 'feedback.human.correct', by: ['model'], baseline: 0.1 }],
      },
    });
    const say = (id: string, more: object): Promise<void> =>
      kafka().produce(feedbackTopic, [{ value: JSON.stringify({ about: { event_id: `${id}-event` }, ...more }) }]);
    for (const id of ids.slice(0, 5)) await say(id, { by: 'human:ann', correct: true });
    await kafka().produce(topic, ids.map(event));
    let service = startService(config);
    const seen = async (of: TestService) => {
      const summary = await of.summary();
      const { scored, pending, feedback } = summary.records;
      return [scored, pending, feedback, rateIn(summary, 'match', 'correct'), rateIn(summary, 'feedback', 'correct')];
    };
    const shows = (expected: readonly unknown[]) =>
      until(`${expected.join()}`, async () => JSON.stringify(await seen(service)) === JSON.stringify(expected));
    await shows([20, 10, 5, '0/20', '5/5']);
    for (const id of ids.slice(15, 25))
      await say(id, { by: 'human:bob', correct: false, expected: { tool_calls: [call('Oslo')] } });
    await shows([25, 5, 15, '10/25', '5/15']);
    service.kill('SIGKILL');
    await service.ended;
    for (const id of ids.slice(0, 5)) await say(id, { by: 'human:ann', correct: true });
    service = startService(config);
    await shows([25, 5, 15, '10/25', '5/15']);
    // The file agrees with Oslo now: what it had called wrong is right.
    writeFileSync(truth, ids.map((id) => row(id).replace('Bergen', 'Oslo')).join('\n'));
    await shows([30, 0, 15, '30/30', '5/15']);
    assert.equal(await service.stop(), 0, service.log());
  });
});
