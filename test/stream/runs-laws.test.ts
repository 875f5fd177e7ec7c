import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readerOf } from '../../src/config/settings.ts';
import type { Config } from '../../src/config/config.ts';
import { parseJson } from '../../src/scoring/parse-json.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { storeOf } from '../../src/state/saved.ts';
import type { LogRecord, Reader, Step } from '../../src/stream/event.ts';
import { prng, type Random } from '../sim/prng.ts';
import { exampleCount, truthOf } from '../sim/truth.ts';
import { contentsOf } from '../support/encoded.ts';
import { configWith, recordAt, viewWith } from '../support/folding.ts';
import { baseMs, idleMs, madeRuns, type MadeStep, type RunForm } from '../support/made-runs.ts';
import { plans, readByPlan, type Reading } from '../support/reading-plans.ts';
import { runs } from '../support/soak.ts';

const examples = Array.from({ length: exampleCount }, (_, example) => example);
const known = (share: (example: number) => boolean) => truthOf(examples.filter(share), 0, false);
const versions = [known((example) => example % 3 === 0), known(() => true)];
const orderMs = 10_000;
const endMs = baseMs + 10_000_000;
const parts = {
  seed: fc.integer(),
  count: fc.integer({ min: 1, max: 25 }),
  form: fc.constantFrom<RunForm>('trace', 'answers', 'linked'),
  plan: plans,
};

test('runs have the numbers of whole records, in any order within the bound, batches and restarts', () => {
  assertLaw(runs(25, 3_000), {});
});

/** Bugs, planted where a test can reach them. */
const bugs: Readonly<Record<string, Planted>> = {
  'a step is lost at a checkpoint': {
    beforeSave({ openRuns: { log } }) {
      const last = [...log.added].findLast((number) => log.texts.get(number)!.startsWith('s['));
      if (last !== undefined) log.added.delete(last);
    },
  },
  'a run is closed twice, as a checkpoint still holds it': {
    beforeSave: ({ openRuns: { log } }) => void log.removed.splice(0),
  },
  'steps are in the order in which they came': { read: (step, number) => ({ ...step, start: baseMs + number }) },
  'an answer ends its run at once': { read: (step) => ({ ...step, ends: step.part === 'model' }) },
  'steps have no id': { read: (step) => ({ ...step, id: undefined }) },
};

for (const [bug, planted] of Object.entries(bugs))
  test(`is caught: ${bug}`, () => {
    assert.throws(() => assertLaw(100, planted), /Property failed/);
  });

test('late steps, limits: equal states for any batches and restarts, and every record is accounted for', () => {
  const chaos = fc.record({ ...parts, stepsMax: fc.constantFrom(3, 200), runsMax: fc.constantFrom(2, 100) });
  const seen = { late: 0, cut: 0 };
  const property = fc.property(chaos, ({ seed, count, form, plan, stepsMax, runsMax }) => {
    const random = prng(seed);
    const config = configOf(form, { 'runs.steps': stepsMax, 'limits.open_runs': runsMax, 'dedupe.window': '1m' });
    const steps = madeRuns(random, count, form).flatMap((run) => run.steps);
    const records = logOf(random, steps, 20 * orderMs);
    const reading = { config, reader: stepReader(config), records, versions: versions.slice(1) };
    const [once, often] = [readByPlan(reading, []), readByPlan(reading, plan)];
    assert.deepEqual(often.numbers, once.numbers);
    assert.deepEqual(contentsOf(storeOf(often, {})), contentsOf(storeOf(once, {})));
    assert.ok(once.openRuns.runs.size <= runsMax);
    seen.late += once.input.late_steps;
    seen.cut += once.limitHits.run_steps + once.limitHits.open_runs;
  });
  fc.assert(property, { numRuns: runs(25, 3_000) });
  assert.ok(seen.late > 0 && seen.cut > 0, JSON.stringify(seen));
});

interface Planted {
  /** A step as the reader gives it, from a step and the number of steps before it. */
  readonly read?: (step: Step, number: number) => Step;
  readonly beforeSave?: (state: PartitionState) => void;
}

/** Steps in any order within the bound, some of them twice, are the same runs as whole records in order. */
function assertLaw(numRuns: number, { read, beforeSave }: Planted): void {
  const property = fc.property(fc.record({ ...parts, isFile: fc.boolean() }), ({ seed, count, form, plan, isFile }) => {
    const random = prng(seed);
    const config = configOf(form, {});
    const made = madeRuns(random, count, form);
    const steps = made.flatMap((run) => run.steps);
    const reading: Reading = { config, reader: stepReader(config, read), records: [], versions, isFile };
    const records = logOf(random, steps, orderMs, isFile ? [] : [endEvent]);
    const state = readByPlan({ ...reading, records, ...(beforeSave && { beforeSave }) }, [...plan, truthAtEnd]);
    const events = [...made.map(({ whole }) => whole), ...(isFile ? [] : [endEvent])];
    const log = events.map((event, offset) => recordAt(event, offset, endMs));
    const whole = readByPlan({ ...reading, records: log, versions: versions.slice(1) }, []);
    const [mine, plain] = [state, whole].map((each) => viewWith(config, [each], endMs));
    const { read: all, steps: taken, runs: closed, duplicates, ...others } = mine!.records;
    const { read: _, steps: __, runs: ___, duplicates: ____, ...expected } = plain!.records;
    assert.deepEqual({ ...others, groups: mine!.groups }, { ...expected, groups: plain!.groups });
    assert.deepEqual([taken, closed, others.open_runs], [steps.length, made.length, 0]);
    assert.equal(all - duplicates, steps.length + (isFile ? 0 : 1));
  });
  // The smallest example of a planted bug is of no interest.
  fc.assert(property, { numRuns, endOnFailure: read !== undefined || beforeSave !== undefined });
}

const truthAtEnd = { size: 1_000, event: 'truth' } as const;
const endEvent = { example_id: 'no example', event_id: 'end', ts: endMs, label: 'direct' };

/** Nothing crosses a horizon, and no limit is reached. */
function configOf(form: RunForm, values: Readonly<Record<string, unknown>>): Config {
  return configWith({
    'runs.by': form === 'trace' ? 'trace' : '/conversation',
    'runs.idle': `${idleMs}ms`,
    'time.out_of_orderness': `${orderMs}ms`,
    'join.truth_wait': '30d',
    'dedupe.window': '30d',
    'time.windows': ['1h', '30d'],
    slices: [['model'], ['agent'], ['model', 'tags.env']],
    // Rolling groups count each run that completes one, which is another in another order.
    'metrics.stability.k': 3,
    'metrics.stability.form': 'closed',
    ...values,
  });
}

/** A reader of arrays of steps, and of native events. */
function stepReader(config: Config, read: Planted['read'] = (step) => step): Reader {
  const native = readerOf({ ...config, runs: { ...config.runs, by: 'off' } }, true);
  let number = 0;
  return {
    ...native,
    read(record) {
      const value = parseJson(Buffer.from(record.bytes.subarray(record.start, record.end)).toString());
      if (!Array.isArray(value)) return native.read(record);
      const steps = (value as unknown as readonly MadeStep[]).map(({ given, ...step }, element): Step => {
        const { offset } = record;
        return read({ ...step, offset, element, content: JSON.stringify(given) }, number++);
      });
      return { events: [], steps, skipped: [] };
    },
  };
}

/** Steps as they come, at most so much later than each ends, some twice, and packed into records. */
function logOf(random: Random, steps: readonly MadeStep[], byMs: number, last: readonly object[] = []): LogRecord[] {
  const again = steps.filter(() => random.chance(0.2)).map((step) => ({ step, at: step.ts + random.int(3 * byMs) }));
  const sent = [...steps.map((step) => ({ step, at: step.ts + random.int(byMs) })), ...again];
  const values: MadeStep[][] = [];
  for (const { step } of sent.sort((a, b) => a.at - b.at))
    if (values.length > 0 && random.chance(0.3)) values.at(-1)!.push(step);
    else values.push([step]);
  return [...values, ...last].map((value, offset) => recordAt(value, offset, endMs));
}
