import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLog } from '../../src/adapters/log.ts';
import { checkpointFileName, partitionFolder } from '../../src/formats/checkpoint/names.ts';
import { encode } from '../../src/formats/checkpoint/checkpoint.ts';
import { shapingByKey } from '../../src/config/config-hash.ts';
import { plainConfig } from '../../src/config/config-yaml.ts';
import { groupReading } from '../../src/service/group-states.ts';
import { createHearing } from '../../src/service/hear-scorer.ts';
import { createReadModel, type ReadModel } from '../../src/service/read-model.ts';
import { createReporter, type ScorerMessage, sizeOf } from '../../src/service/scorer-messages.ts';
import type { CheckpointStore } from '../../src/ports.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import { windowCounts } from '../../src/state/window-counts.ts';
import { watcherOf } from '../../src/service/watches.ts';
import { exampleId, truthVersion } from '../sim/truth.ts';
import { configWith, foldingOf, type Folding, viewWith } from '../support/folding.ts';
import { memoryStore } from '../support/memory-store.ts';
import { documentOf } from '../support/otlp.ts';
import { runs } from '../support/soak.ts';
import { called, ran, type ShortSpan, spanOf } from '../support/trace-runs.ts';

// Predictions without truth wait for a short time, so that some come and go between two checkpoints.
const shortly = { 'join.truth_wait': '2m', 'time.out_of_orderness': '1s' };
const config = configWith({ 'kafka.topics': ['t'], 'runs.by': '/run', 'input.format': 'auto', ...shortly });
const log = createLog({ ...config.log, level: 'error', version: 'test' });
const startMs = Date.UTC(2026, 0, 1);
const partition = { topic: 't', partition: 0 };
const none: CheckpointStore = { load: async () => [], save: async () => undefined, wantsSnapshot: () => false };

/** A scorer of one partition, whose checkpoints come when told. */
function scorer() {
  const folding = foldingOf(config, truthVersion(4, true));
  const identity = { cluster: 'c', partitions: 1, settings: shapingByKey(config), config: plainConfig(config) };
  let number = 0;
  return {
    ...folding,
    checkpoint(isSnapshot = false) {
      const base = number === 0 || isSnapshot ? undefined : `c${number}`;
      const id = `c${++number}`;
      const { nextOffset } = folding.state.numbers;
      const key = { id, nextOffset, group: config.kafka.group_id, ...partition };
      return { id, base, nextOffset, bytes: finish(encode(storeOf(folding.state, identity), key, base)) };
    },
  };
}

/** Compares what a model shows with the state of the scorer itself. As texts: to name how objects as large as these differ takes gigabytes. */
function assertShown(model: ReadModel, { state }: Folding): void {
  const asOfMs = Number.isFinite(state.numbers.greatestTs) ? state.numbers.greatestTs : undefined;
  const textOf = (states: readonly PartitionState[]): string => {
    const watcher = watcherOf(config, state.settings);
    const view = viewWith(config, states, asOfMs, { watcher });
    return JSON.stringify([view, windowCounts(states, state.settings, asOfMs)]);
  };
  assert.ok(textOf([...model.states.values()].map((saved) => saved.state)) === textOf([state]), 'the views differ');
  // The watcher of the model has read the checkpoints before.
  const shown = model.views.watches();
  const watches = viewWith(config, [state], shown.asOfMs, { watcher: watcherOf(config, state.settings) }).watches;
  assert.ok(JSON.stringify(shown.watches) === JSON.stringify(watches), 'the watches differ');
}

const batches = fc.array(
  fc.record({
    events: fc.array(
      fc.record({
        onMs: fc.oneof(fc.nat(60_000), fc.nat(4_000_000)),
        /** So long before the record its event time lies. */
        backMs: fc.oneof(fc.constant(0), fc.nat(400_000)),
        example: fc.nat(7),
        model: fc.constantFrom('a', 'b'),
        label: fc.constantFrom('tool_call', 'direct', 'cannot_answer', 'nonsense'),
      }),
      { maxLength: 12 },
    ),
    isSnapshot: fc.boolean(),
    /** The server was too far behind to be sent the bytes. */
    isBehind: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);

test('a server shows of checkpoints what the scorer would of its state, also where it reads some from the store', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const contents = new Map<string, Uint8Array>();
      const model = createReadModel({ config, writesSnapshots: false, readiness: () => [] });
      const hearing = createHearing(model, groupReading(config, memoryStore(contents)), log);
      const own = scorer();
      let nowMs = startMs;
      for (const { events, isSnapshot, isBehind } of all) {
        for (const { onMs, backMs, example, model: name, label } of events) {
          nowMs += onMs;
          own.add([{ example_id: exampleId(example), label, model: name, ts: nowMs - backMs }], nowMs);
        }
        const checkpoint = own.checkpoint(isSnapshot);
        const path = `${partitionFolder(config.kafka.group_id, partition)}/${checkpointFileName(checkpoint)}`;
        contents.set(path, checkpoint.bytes);
        const { id, base, bytes } = checkpoint;
        await hearing.hear(1, {
          ...{ kind: 'saved', partition },
          checkpoint: { id, base, bytes: isBehind ? undefined : bytes },
        });
        assertShown(model, own);
      }
    }),
    { numRuns: runs(10, 200) },
  );
});

test('ids, and the content of predictions that wait, are not held to be shown', async () => {
  const model = createReadModel({ config, writesSnapshots: false, readiness: () => [] });
  const own = scorer();
  own.add([{ example_id: 'unknown', label: 'direct', model: 'a', event_id: 'e' }], startMs);
  const { id, base, bytes } = own.checkpoint();
  await createHearing(model, groupReading(config, undefined), log).hear(1, {
    ...{ kind: 'saved', partition, checkpoint: { id, base, bytes } },
  });
  const { state } = [...model.states.values()][0]!;
  assert.deepEqual([own.state.dedupe.ids.size, state.dedupe.ids.size], [1, 0]);
  assert.match([...own.state.pending.log.texts.values()].join(), /"model":"a"/);
  assert.doesNotMatch([...state.pending.log.texts.values()].join(), /"model"/);
  assertShown(model, own);
});

test('of open traces a server counts the runs, and holds no span', async () => {
  const model = createReadModel({ config, writesSnapshots: false, readiness: () => [] });
  const hearing = createHearing(model, groupReading(config, undefined), log);
  const own = scorer();
  const spans: readonly ShortSpan[] = [
    { id: 'plain', in: 'root', has: { 'http.request.method': 'GET' } },
    { id: 'chat', in: 'plain', has: called('f#1') },
    { id: 'tool', in: 'chat', has: ran('f#1') },
    { id: 'root', has: { 'assay.example_id': 'e' } },
    { id: 'later', trace: 'u', at: [100, 200] },
  ];
  for (const span of spans) {
    own.add([documentOf([spanOf(span)]) as object], startMs);
    const { id, base, bytes } = own.checkpoint();
    await hearing.hear(1, { kind: 'saved', partition, checkpoint: { id, base, bytes } });
    assertShown(model, own);
  }
  const { log: held, runs: open } = [...model.states.values()][0]!.state.openRuns;
  assert.equal(open.size, own.state.openRuns.runs.size);
  assert.doesNotMatch([...held.texts.values()].join(), /plain|"f"/);
});

test('a partition that another scorer has taken over is not given up by the one before', async () => {
  const model = createReadModel({ config, writesSnapshots: false, readiness: () => [] });
  const hearing = createHearing(model, groupReading(config, undefined), log);
  const own = scorer();
  const save = (of: number): Promise<void> => {
    const { id, base, bytes } = own.checkpoint(true);
    return hearing.hear(of, { kind: 'saved', partition, checkpoint: { id, base, bytes } });
  };
  await save(1);
  await save(2);
  await hearing.hear(1, { kind: 'revoked', partition });
  assert.equal(model.states.size, 1);
  await hearing.hear(2, { kind: 'revoked', partition });
  assert.equal(model.states.size, 0);
});

test('of a server that hears nothing the scorer waits for no answer, and sends no more than a bounded part', async () => {
  const sent: ScorerMessage[] = [];
  const reporter = createReporter((message) => sent.push(message));
  const store = reporter.reported(none);
  const bytes = new Uint8Array(2 ** 25);
  const save = (id: number): Promise<void> =>
    store.save(partition, { id: `${id}`, base: `${id - 1}`, nextOffset: id, bytes });
  const withBytes = (): boolean[] =>
    sent.map((message) => message.kind === 'saved' && message.checkpoint.bytes !== undefined);
  for (let id = 1; id <= 4; id++) await save(id);
  assert.deepEqual(withBytes(), [true, true, false, false]);
  for (const message of sent.splice(0)) reporter.heard(sizeOf(message));
  await save(5);
  assert.deepEqual(withBytes(), [true]);
});
