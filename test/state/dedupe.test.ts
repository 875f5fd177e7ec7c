import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { bucketMs } from '../../src/state/containers/ids.ts';
import { createDedupe, evictSeen, type Seen, seenBefore } from '../../src/state/dedupe.ts';
import { noLimitHits } from '../../src/state/limit-hits.ts';
import { runs } from '../support/soak.ts';

const settings = settingsOf(loadConfig({}).config, undefined);

/** The definition: ids by the time at which they were met, whole buckets forgotten. */
interface Model {
  readonly met: Map<number, number>;
  readonly contents: Map<number, number>;
  floor: number;
  hits: number;
}

function lookUp(
  model: Model,
  id: number,
  content: number,
  ts: number,
  greatestTs: number,
  reachMs: number,
  most: number,
): Seen {
  const horizon = Math.max(greatestTs - reachMs, model.floor);
  if (ts < horizon) return 'unverified';
  const remembered = [...model.met].filter(([, at]) => at >= model.floor);
  const known = remembered.find(([other]) => other === id);
  if (known === undefined && remembered.length >= most) {
    const oldest = Math.min(...remembered.map(([, at]) => Math.floor(at / bucketMs)));
    model.floor = (oldest + 1) * bucketMs;
    model.hits++;
  }
  if (known !== undefined && known[1] >= horizon) return model.contents.get(id) === content ? 'duplicate' : 'conflict';
  if (ts >= model.floor) {
    model.met.set(id, ts);
    model.contents.set(id, content);
  }
  return 'new';
}

/** Whole ones, so that many times are equal. */
const seconds = (most: number): fc.Arbitrary<number> => fc.nat(most).map((count) => 1_000 * count);

test('an id is a duplicate within the horizon, a conflict with another content; at the limit the oldest bucket is forgotten, and that is counted', () => {
  const step = fc.record({
    id: fc.nat(9),
    content: fc.nat(1),
    on: fc.oneof(fc.constant(0), seconds(3), seconds(60)),
    back: fc.oneof(fc.constant(0), seconds(40)),
  });
  const bounds = fc.record({ late: seconds(5), window: seconds(30), most: fc.integer({ min: 1, max: 8 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: 'max' }), bounds, (steps, { late, window, most }) => {
      const limitHits = noLimitHits();
      const limits = { ...settings.limits, dedupeIds: most };
      const dedupe = createDedupe({ ...settings, outOfOrdernessMs: late, dedupeWindowMs: window, limits }, limitHits);
      const reachMs = late + window;
      const model: Model = { met: new Map(), contents: new Map(), floor: Number.NEGATIVE_INFINITY, hits: 0 };
      let greatestTs = 0;
      for (const { id, content, on, back } of steps) {
        greatestTs += on;
        evictSeen(dedupe, greatestTs);
        model.floor = Math.max(model.floor, Math.floor((greatestTs - reachMs) / bucketMs) * bucketMs);
        const words = Uint32Array.of(0, id, id, id, content);
        const ts = greatestTs - back;
        const expected = lookUp(model, id, content, ts, greatestTs, reachMs, most);
        assert.equal(seenBefore(dedupe, words, 1, ts, greatestTs), expected);
        assert.equal(limitHits.dedupe_ids, model.hits);
        assert.equal(dedupe.ids.size, [...model.met.values()].filter((at) => at >= model.floor).length);
      }
    }),
    { numRuns: runs(60) },
  );
});
