import assert from 'node:assert/strict';
import { test } from 'node:test';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { createReviewed, reviewDocument } from '../../src/service/review.ts';
import { memoryService } from '../support/memory-service.ts';
import { until } from '../support/until.ts';

const hours = 2 * 3_600_000;
const events = 600;
const spikeFrom = 540;

/** A service whose watch fires: of two models one calls a tool with a wrong city, from some event on always. */
async function spiked(flags: Readonly<Record<string, unknown>> = {}) {
  const watch = { metric: 'match.correct', by: ['model'], baseline: 0.1 };
  const world = memoryService({ watches: [watch], 'kafka.feedback_topic': 'feedback', ...flags });
  const rows = Array.from({ length: events }, (_, at) => ({
    example_id: `x${at}`,
    ...{ label: 'tool_call' as const, tools: null, reference: null },
    expected_tool_calls: [{ name: 'book', arguments: { city: 'Oslo', seats: 2 } }],
  }));
  world.scorer.useTruth(truthFromRecords(rows));
  const end = world.run();
  const now = Date.now();
  for (let at = 0; at < events; at++) {
    const isWrong = at % 20 === 0 || (at >= spikeFrom && at % 2 === 0);
    const tsMs = now - hours + (hours * at) / events;
    const calls = [{ name: 'book', arguments: { city: isWrong ? 'Rome' : 'Oslo', seats: 2 } }];
    const event = { example_id: `x${at}`, event_id: `e${at}`, ts: tsMs, model: at % 2 === 0 ? 'a' : 'b' };
    world.source.append(`x${at}`, JSON.stringify({ ...event, tool_calls: calls }), tsMs);
  }
  await until('all is scored', async () => {
    await world.show();
    return world.model.views.all().view.records.scored === events;
  });
  await world.show();
  await end();
  return world;
}

test('cases of the alarm come first, then other failures; the random share has right events too, each with its chance', async () => {
  const { model } = await spiked();
  const reviewed = createReviewed();
  const { items } = reviewDocument(model, reviewed);
  const reasons = items.map(({ reason }) => reason);
  const order = ['alarm', 'suspect', 'failure', 'random'];
  assert.deepEqual(
    reasons,
    [...reasons].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
  );
  const [first] = items;
  assert.deepEqual([first!.reason, first!.watch, first!.event.slice['model']], ['alarm', 'match.correct', 'a']);
  assert.equal(first!.review.expected, '[{"name":"book","arguments":{"city":"Oslo","seats":2}}]');
  assert.equal(first!.review.made, '[{"name":"book","arguments":{"city":"Rome","seats":2}}]');
  const random = items.filter(({ reason }) => reason === 'random');
  assert.equal(random.length, 20);
  assert.ok(random.some(({ event }) => event.families.length === 0));
  assert.ok(random.every(({ probability }) => probability! > 0.005 && probability! < 0.2));
  assert.equal(new Set(items.map(({ key }) => key)).size, items.length);
});

test('what was sent is said of its event, a correction beside a verdict', async () => {
  const { model } = await spiked();
  const reviewed = createReviewed();
  const { key, review } = reviewDocument(model, reviewed).items[0]!;
  const send = (more: object): void =>
    reviewed.add([
      { key: undefined, value: Buffer.from(JSON.stringify({ about: review.about, by: 'human:ann', ...more })) },
    ]);
  const said = (): unknown => reviewDocument(model, reviewed).items.find((item) => item.key === key)!.said;
  assert.equal(said(), null);
  send({ correct: false });
  assert.deepEqual(said(), { by: 'human:ann', correct: false, corrected: false });
  send({ expected: { tool_calls: [] } });
  assert.deepEqual(said(), { by: 'human:ann', correct: false, corrected: true });
});

test('where arguments are hidden no calls are given to be edited, and single events are not shown where none are wanted', async () => {
  for (const hidden of [{ 'http.show_content': false }, { 'http.redact': ['city'] }]) {
    const { model } = await spiked(hidden);
    const { items } = reviewDocument(model, createReviewed());
    assert.ok(items.length > 0);
    assert.doesNotMatch(JSON.stringify(items), /Oslo|Rome/);
    assert.ok(items.every(({ review }) => review.expected === null && review.made === null));
  }
  const { model } = await spiked({ 'http.samples': 0 });
  assert.deepEqual(reviewDocument(model, createReviewed()).items, []);
});
