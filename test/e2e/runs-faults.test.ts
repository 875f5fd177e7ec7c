import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../../src/statistics/random.ts';
import type { TestRecord } from '../support/kafka.ts';
import { withKafka } from '../support/kafka.ts';
import { sceneOf } from '../support/scene.ts';
import { seed } from '../support/seed.ts';
import { replaySummary, runToEnd, startService, stateSummary, type TestService } from '../support/service.ts';
import { runs } from '../support/soak.ts';
import { until } from '../support/until.ts';

const count = runs(1_500, 30_000);
const partitions = 4;
const examples = 50;

withKafka('runs whose steps lie in several records', (kafka) => {
  test(`two instances, kill -9 and a third one amid open runs: whole records' numbers (SEED=${seed})`, async (context) => {
    const more = {
      runs: { by: '/conversation', idle: '30s' },
      kafka: { dead_letter_topic: await kafka().freshTopic(1) },
    };
    const truth = Array.from({ length: examples }, (_, example) => truthOf(example));
    const scene = await sceneOf(context, kafka(), truth, { partitions, more });
    const { records, events } = madeTraffic();
    const eventsFile = join(scene.folder, 'events.ndjson');
    writeFileSync(eventsFile, events);
    const half = records.length >> 1;
    const [first, second] = [startService(scene.config), startService(scene.config)];
    await Promise.all([first.url(), second.url()]);
    const openOf = async (service: TestService): Promise<number> =>
      Number((await service.summary()).records['open_runs']);
    await kafka().produce(scene.topic, records.slice(0, half));
    await until('both have open runs', async () => (await openOf(first)) > 0 && (await openOf(second)) > 0);
    first.kill('SIGKILL');
    assert.equal(await first.ended, null);
    const third = startService(scene.config);
    await Promise.all([third.url(), kafka().produce(scene.topic, records.slice(half))]);
    const fourth = startService(scene.config);
    await fourth.url();
    for (const service of [second, third, fourth]) assert.equal(await service.stop(), 0, service.log());
    await runToEnd(scene.config);
    const mine = await stateSummary(scene.state);
    const whole = await replaySummary(scene.config, eventsFile);
    const { steps, runs: made, read, open_runs: open, duplicates, ...others } = mine.records;
    const { steps: _, runs: __, read: ___, open_runs: ____, duplicates: _____, ...expected } = whole.records;
    assert.deepEqual(others, expected);
    assert.deepEqual(mine.groups, whole.groups);
    const stepCount = new Set(records.map(({ value }) => value)).size - partitions;
    assert.deepEqual({ steps, made, open }, { steps: stepCount, made: count, open: 0 });
    assert.equal(Number(read) - Number(duplicates), stepCount + partitions);
    context.diagnostic(`${count} runs, ${read} records, ${duplicates} of them twice`);
  });
});

function truthOf(example: number): object {
  const calls = Array.from({ length: example % 4 }, (_, call) => ({ name: `tool${call}`, arguments: { example } }));
  return { example_id: `e${example}`, label: calls.length > 0 ? 'tool_call' : 'direct', expected_tool_calls: calls };
}

/** Steps of runs that overlap in time, some sent twice, and the same runs as lines of whole records. */
function madeTraffic(): { readonly records: readonly TestRecord[]; readonly events: string } {
  const random = seeded(seed);
  const int = (below: number): number => Math.floor(random() * below);
  const startMs = Date.now() - 100 * count - 300_000;
  const sent: { readonly at: number; readonly key: string; readonly event: object }[] = [];
  const lines: object[] = [];
  for (let run = 0; run < count; run++) {
    const example = int(examples);
    const known = { example_id: `e${example}`, model: `m${int(3)}` };
    const calls = Array.from({ length: example % 4 }, (_, call) => ({
      ...{ id: `call ${call}`, name: `tool${call}`, arguments: { example: int(5) === 0 ? -1 : example } },
    }));
    const results = calls.map((_, call) => ({ call, ok: int(4) > 0, output: call }));
    const label = calls.length > 0 ? {} : { label: 'direct' };
    let ts = startMs + 100 * run;
    const step = (event: object): void => {
      ts += 1 + int(8_000);
      const key = `c${run}`;
      const value = { ...known, conversation: key, event_id: `${run} ${ts}`, ts, ...event };
      for (let times = int(50) === 0 ? 2 : 1; times > 0; times--) sent.push({ at: ts + int(5_000), key, event: value });
    };
    for (const [at, call] of calls.entries()) step({ tool_calls: [call], results: [{ ...results[at], call: 0 }] });
    step({ ...label, output: 'done' });
    lines.push({
      ...known,
      event_id: `${run}`,
      ts,
      ...label,
      tool_calls: calls,
      results,
      output: 'done',
      steps: calls.length + 1,
    });
  }
  const records = sent
    .sort((a, b) => a.at - b.at)
    .map(({ key, event }): TestRecord => ({ key, value: JSON.stringify(event) }));
  // The watermark of each partition passes all of them.
  const last = Array.from({ length: partitions }, (_, partition) => {
    const event = { example_id: 'e0', event_id: `last ${partition}`, ts: Date.now(), label: 'direct' };
    lines.push(event);
    return { partition, value: JSON.stringify(event) };
  });
  return { records: [...records, ...last], events: lines.map((line) => `${JSON.stringify(line)}\n`).join('') };
}
