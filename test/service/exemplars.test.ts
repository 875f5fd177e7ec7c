import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exemplarsOf } from '../../src/service/exemplars.ts';
import { readFamilyRow } from '../../src/scoring/family.ts';
import { createTelemetry, exemplarKey, modelCounters } from '../../src/telemetry.ts';
import { exampleId, truthVersion } from '../sim/truth.ts';
import { configWith, recordAt, foldingOf } from '../support/folding.ts';

const build = { version: '0', revision: '', node: '' };
const intervals = { checkpointIntervalMs: 1_000, snapshotIntervalMs: undefined };
const labels = ['tool_call', 'direct', 'request_for_info', 'cannot_answer', 'nonsense'];

test('each kind of hallucination has the event that showed it, and calls are read of no event for that', () => {
  const { fold, state, apply } = foldingOf(configWith(), truthVersion(8, true));
  const { layout } = state.settings;
  const telemetry = createTelemetry({ build, configHash: '', topics: [], limits: [], ...intervals });
  for (const label of labels) modelCounters(telemetry, label);
  const keep = exemplarsOf(telemetry, layout, () => 0);
  const expected = new Map<string, string>();
  fold.out.onFailed = (scored) => {
    const { event, outcomes, joined, prepared } = scored;
    const read = { outcome: outcomes[0], input: joined, prepared: prepared.prepared[0] };
    const { hallucinations } = readFamilyRow(layout.families[0]!, read) as { hallucinations: string[] };
    for (const kind of hallucinations) {
      const key = exemplarKey(event.model, kind);
      // A model gets one a second, and the clock stands still.
      if (!expected.has(key)) expected.set(key, event.eventId!);
    }
    const unread = {
      truth: joined.truth,
      calls: undefined,
      get prediction(): never {
        throw new Error('the event was read');
      },
    };
    keep({ ...scored, joined: unread });
  };
  apply(everyLabel());
  assert.ok(expected.size >= 2, `${[...expected.keys()]}`);
  assert.ok(telemetry.exemplars.size > 0);
  for (const [key, exemplar] of telemetry.exemplars) assert.equal(exemplar.labels[0]![1], expected.get(key), key);
});

/** Events of eight examples, each with every label. */
function everyLabel() {
  return Array.from({ length: 8 * labels.length }, (_, offset) => {
    const model = labels[offset % labels.length]!;
    const event = { example_id: exampleId(offset % 8), event_id: `e${offset}`, label: model, model };
    return recordAt(event, offset, 1.78e12 + offset);
  });
}
