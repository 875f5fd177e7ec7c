import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fixture } from '../support/fixtures.ts';
import { withKafka } from '../support/kafka.ts';
import { replaySummary, runToEnd, serviceConfig, stateSummary } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

withKafka('one log, one summary: replay and the service', (kafka) => {
  test('recorded predictions give the same summary through a topic as through replay', async (context) => {
    const [events, truth] = [
      fixture('traffic/when2call-predictions.ndjson'),
      fixture('traffic/when2call-truth.ndjson'),
    ];
    const folder = temporaryFolder(context);
    const topic = await kafka().freshTopic(3);
    const lines = readFileSync(events, 'utf8').trim().split('\n');
    await kafka().produce(
      topic,
      lines.map((value) => ({ key: (JSON.parse(value) as { example_id: string }).example_id, value })),
    );
    const { brokers } = kafka();
    const config = serviceConfig({ brokers, topics: [topic], group: kafka().freshGroup(), truth: [truth], folder });
    await runToEnd(config);
    const service = await stateSummary(join(folder, 'state'));
    const replay = await replaySummary(config, events);
    assert.deepEqual(service.groups, replay.groups);
    assert.deepEqual(service.records, replay.records);
    assert.equal(service.as_of, replay.as_of);
    assertPublished(replay.groups);
  });
});

/** The numbers that the data are known to give, by model. */
function assertPublished(groups: readonly Readonly<Record<string, unknown>>[]): void {
  const expected = {
    'sim-strong': [1500, 17, 85, 101, 500, 98, 0.718667, 0.553983, 0.738645],
    'sim-weak': [1500, 22, 85, 221, 500, 249, 0.435333, 0.331547, 0.442063],
  };
  for (const [model, numbers] of Object.entries(expected)) {
    const group = groups.find(({ slice, window }) => window === 'all' && (slice as { model?: string }).model === model);
    const decision = group?.['decision'] as Record<string, never>;
    const { tool_hall, param_hall, answer_hall, accuracy } = decision as Record<
      string,
      { numerator: number; denominator: number; value: number }
    >;
    const { n, macro_f1, macro_f1_no_direct } = decision as Record<string, number>;
    const rounded = [accuracy!.value, macro_f1!, macro_f1_no_direct!].map((value) => Number(value.toFixed(6)));
    const counts = [tool_hall!, param_hall!].flatMap(({ numerator, denominator }) => [numerator, denominator]);
    assert.deepEqual([n, ...counts, answer_hall!.numerator, ...rounded], numbers);
  }
}
