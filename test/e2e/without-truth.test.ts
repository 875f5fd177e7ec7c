import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withKafka } from '../support/kafka.ts';
import { serviceConfig, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { patience, until } from '../support/until.ts';

/* What people say of answers, and what the calls say themselves, raise alarms without any truth. */

const quickly = { baseline: 0.1, worst: 0.2, false_alarm_every: { cases: 10_000 }, by: ['model'] };
const minuteMs = 60_000;

/** Calls of a tool, one every 6 s. */
function callsOf(name: string, startMs: number, from: number, to: number) {
  return Array.from({ length: to - from }, (_, index) => {
    const at = from + index;
    const ids = { example_id: `e${at}`, event_id: `e${at}`, model: 'm', ts: startMs + at * 6_000 };
    return { key: `e${at}`, value: JSON.stringify({ ...ids, tools: ['find'], tool_calls: [{ name, arguments: {} }] }) };
  });
}

/** Thumbs for models a and b, one each every 6 s: every tenth is down; where it is worse, every fifth of model b. */
function thumbsOf(startMs: number, from: number, to: number, isWorse: boolean) {
  const thumb = (at: number, model: string, isDown: boolean) => {
    const ids = { judgement: 'thumbs', example_id: `e${at}`, id: `${model}${at}`, model, by: 'human:user' };
    const value = { ...ids, ts: startMs + at * 6_000, score: isDown ? 0 : 1 };
    return { key: `e${at}`, value: JSON.stringify(value) };
  };
  return Array.from({ length: to - from }, (_, index) => from + index).flatMap((at) => [
    thumb(at, 'a', at % 10 === 0),
    thumb(at, 'b', at % (isWorse ? 5 : 10) === 0),
  ]);
}

withKafka('a service without truth', (kafka) => {
  test('a thumbs-down rate that doubles raises the alarm of its model, and no other', {
    timeout: patience * 60_000,
  }, async (t) => {
    const judged = await kafka().freshTopic();
    const topic = await kafka().freshTopic();
    const config = serviceConfig({
      ...{ brokers: kafka().brokers, topics: [topic], group: kafka().freshGroup(), truth: [] },
      folder: temporaryFolder(t),
      more: {
        kafka: { judgements_topic: judged },
        watches: [{ metric: 'judgements.pass', ...quickly }],
        http: { metrics: 'all' },
      },
    });
    const service = startService(config);
    const startMs = Date.now() - 150 * minuteMs;
    const firing = async (): Promise<string[]> =>
      [...(await service.text('/metrics')).matchAll(/^assay_watch_firing\{.*model="(\w)".*\} 1$/gm)].map(
        ([, model]) => model!,
      );
    const counted = async (): Promise<number> => (await service.summary()).records['scored'] as number;

    await kafka().produce(judged, thumbsOf(startMs, 0, 1_000, false));
    await until('the calm thumbs are counted', async () => (await counted()) === 2_000);
    assert.deepEqual(await firing(), []);
    await kafka().produce(judged, thumbsOf(startMs, 1_000, 1_500, true));
    await until('the alarm of b fires', async () => (await firing()).join() === 'b');
    // The series that the shipped alert pages on.
    const incidents = (await service.text('/metrics')).match(/^assay_incident\{.*\} 1$/gm)!;
    assert.equal(incidents.length, 1);
    assert.match(incidents[0]!, /slice="model".*model="b"|model="b".*slice="model"/);
    assert.match(
      await service.text('/metrics'),
      /assay_window_value\{[^}]*window="all",metric="judgements_pass"\} 0\.8/,
    );
    assert.equal(await service.stop(), 0);
  });

  test('a spike of invented tools raises its alarm, is shown, and leaves no dead letters', {
    timeout: patience * 60_000,
  }, async (t) => {
    const topic = await kafka().freshTopic();
    const dead = await kafka().freshTopic();
    const config = serviceConfig({
      ...{
        brokers: kafka().brokers,
        topics: [topic],
        group: kafka().freshGroup(),
        truth: [],
        folder: temporaryFolder(t),
      },
      more: {
        kafka: { dead_letter_topic: dead },
        watches: [{ metric: 'tool_use.unknown_tool', ...quickly, baseline: 0.01 }],
      },
    });
    const service = startService(config);
    const startMs = Date.now() - 150 * minuteMs;
    const spike = callsOf('teleport', startMs, 1_400, 1_450);
    await kafka().produce(topic, [...callsOf('find', startMs, 0, 1_400), ...spike]);
    await until('the alarm fires', async () => /^assay_watch_firing\{.*\} 1$/m.test(await service.text('/metrics')));
    const { records, groups } = await service.summary();
    const { read, scored, expired, pending } = records as Record<string, number>;
    assert.deepEqual([read, scored, expired, pending], [1_450, 0, 1_450, 0]);
    const total = groups.find(({ window, slice }) => window === 'all' && Object.keys(slice as object).length === 0)!;
    const { numerator, denominator } = (total['tool_use'] as { unknown_tool: Record<string, number> }).unknown_tool;
    assert.deepEqual([numerator, denominator], [50, 1_450]);
    const watches = JSON.parse(await service.text('/api/v1/watches')) as {
      watches: { causes: unknown[]; firing: boolean }[];
    };
    assert.match(JSON.stringify(watches.watches.filter((watch) => watch.firing)), /invented_tool.*teleport/);
    await until('counters are published', async () =>
      /assay_tool_calls_total\{model="m",result="unknown"\} 50$/m.test(await service.text('/metrics')),
    );
    const letters = await kafka().admin.fetchTopicOffsets(dead);
    assert.deepEqual(
      letters.map(({ high }) => high),
      ['0'],
    );
    assert.equal(await service.stop(), 0);
  });
});
