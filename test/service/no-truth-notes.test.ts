import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentOf } from '../../src/service/read-model.ts';
import { readTruthRecord, type TruthRecord } from '../../src/formats/truth/record.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { memoryService } from '../support/memory-service.ts';
import { until } from '../support/until.ts';

test('the input report names an example without truth only as long as it has none', async (context) => {
  const world = memoryService({});
  const { source, scorer, model, show } = world;
  const known: TruthRecord[] = [];
  const learn = (...ids: readonly string[]): void => {
    for (const id of ids) known.push(readTruthRecord(`{"example_id": "${id}", "label": "direct"}`) as TruthRecord);
    scorer.useTruth(truthFromRecords(known));
  };
  learn('other');
  const end = world.run();
  context.after(end);
  const ids = Array.from({ length: 8 }, (_, at) => `e${at}`);
  const now = Date.now();
  for (const id of ids) source.append(id, JSON.stringify({ example_id: id, ts: now, tool_calls: [] }), now);
  const row = async () => {
    await show();
    return documentOf(model).input.find(({ kind }) => kind === 'no_truth');
  };
  await until('all wait', async () => (await row())?.count === 8);
  // Each time the example that is named gets its truth: it is the first of its partition.
  for (let left = 8; left > 0; left--) {
    const named = (await row())!.value!;
    assert.ok(ids.includes(named) && known.every(({ example_id }) => example_id !== named), named);
    learn(named);
    await until('it is scored', async () => ((await row())?.count ?? 0) === left - 1);
  }
  assert.equal(await row(), undefined);
  source.append('late', JSON.stringify({ example_id: 'late', ts: now, tool_calls: [] }), now);
  await until('another one is named', async () => (await row())?.value === 'late');
});

test('an event with neither example nor id waits for no truth: none can name it', async (context) => {
  const { source, scorer, model, show, run } = memoryService({});
  scorer.useTruth(truthFromRecords([readTruthRecord('{"example_id": "other", "label": "direct"}') as TruthRecord]));
  context.after(run());
  const now = Date.now();
  for (const id of [{}, { event_id: 'i' }]) source.append('', JSON.stringify({ ...id, ts: now, tool_calls: [] }), now);
  const counts = async () => {
    await show();
    const { expired, pending } = documentOf(model).records;
    return `${expired} expired, ${pending} pending`;
  };
  await until('both are read', async () => (await counts()) === '1 expired, 1 pending');
});
