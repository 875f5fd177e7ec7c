import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { serviceSnapshots } from '../../src/service/snapshots.ts';
import { openAggregates } from '../../src/formats/snapshot/aggregate-groups.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { memoryService } from '../support/memory-service.ts';
import { memoryStore } from '../support/memory-store.ts';
import { until } from '../support/until.ts';

const truth = truthFromRecords([
  { ...{ example_id: 'x', label: 'direct', tools: [] }, expected_tool_calls: null, reference: null },
]);
const secondMs = Date.UTC(2026, 0, 1);

test('the last snapshot is the newest, also where one of the same second is under way', async () => {
  const { source, scorer, model, show, log, run } = memoryService({ 'snapshots.every': '1ms' });
  scorer.useTruth(truth);
  const end = run();
  const predict = (event: number): void =>
    source.append(
      'x',
      JSON.stringify({ event_id: `e${event}`, example_id: 'x', label: 'direct', model: 'm' }),
      secondMs,
    );
  const scored = async (): Promise<number | undefined> => {
    await show();
    return model.views.all().view.groups[0]?.scored;
  };
  const { contents, store, held, release } = holdingFirst();
  const snapshots = serviceSnapshots(model, store, log);
  const over = new AbortController();

  predict(1);
  await until('it is scored', async () => (await scored()) === 1);
  const running = snapshots.run(over.signal);
  await held;
  predict(2);
  await until('the second is scored', async () => (await scored()) === 2);
  const last = snapshots.writeLast();
  await turns();
  over.abort();
  release();
  await Promise.all([last, running]);

  const names = [...contents.keys()].filter((name) => name.startsWith('aggregates-'));
  assert.equal(names.length, 1, names.join());
  const { groups } = await openAggregates(contents.get(names[0]!)!)!.read();
  assert.equal((groups[0]!['decision'] as { n: number }).n, 2);
  await end();
});

/** A store in which the first file takes until it is released. */
function holdingFirst() {
  const contents = new Map<string, Uint8Array>();
  const memory = memoryStore(contents);
  const events = new EventEmitter();
  const released = once(events, 'release');
  let files = 0;
  const store = {
    ...memory,
    async write(path: string, bytes: Uint8Array) {
      if (files++ === 0) {
        events.emit('held');
        await released;
      }
      await memory.write(path, bytes);
    },
  };
  return { contents, store, held: once(events, 'held'), release: () => events.emit('release') };
}

/** More turns of the event loop than writing to memory takes. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 1_000; turn++) await new Promise((resolve) => setImmediate(resolve));
}
