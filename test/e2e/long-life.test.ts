import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { pick, type Random, seeded } from '../../src/statistics/random.ts';
import { type TestKafka, testProducer, withKafka } from '../support/kafka.ts';
import {
  again,
  type Chunk,
  type Counts,
  chunksOf,
  countsOf,
  isWellFormed,
  ofAllocator,
  type Sample,
  sampleOf,
  slopePerHour,
  summed,
  swapTruth,
} from '../support/long-life.ts';
import { lookAlways, outcomesIn, peopleKeys, tellOutcomes } from '../support/long-life-people.ts';
import { seed } from '../support/seed.ts';
import { runToEnd, serviceConfig, startService, stateSummary, type TestService } from '../support/service.ts';
import { soak } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { patience, until } from '../support/until.ts';

/** An hour is ASSAY_LIFE_MINUTES=60. */
const minutes = Number(process.env['ASSAY_LIFE_MINUTES'] ?? 10);
const lifeMs = minutes * 60_000;
const skip = !soak ? 'soak only' : process.platform !== 'linux' && 'reads /proc';
/** Records of a chunk, and those that may be read later than they were written. */
const chunkSize = 2_000;
const behindMax = 150_000;
const sampleMs = 5_000;
const partitions = 6;
/** Deltas of a partition that are kept: of two snapshots, of each 50, and what came while a snapshot was made of them. */
const deltasKept = 2 * (50 + 10);

interface Scene {
  readonly kafka: TestKafka;
  readonly topic: string;
  readonly group: string;
  readonly config: string;
  readonly state: string;
  /** Folder of state, snapshots and dead letters. */
  readonly kept: string;
  readonly truthPath: string;
  readonly truth: readonly string[];
  readonly chunks: readonly Chunk[];
}

withKafka(
  'a service that lives long',
  (kafka) => {
    test(`${minutes} minutes of traffic, kills, rebalances and truth swaps (SEED=${seed})`, {
      skip,
    }, async (context) => {
      const scene = await sceneOf(context, kafka());
      const steady = startService(scene.config, [], ofAllocator());
      const sampled = { url: await steady.url(), pid: steady.process.pid! };
      const life = new AbortController();
      const samples: Sample[] = [];
      const sampling = sampleAlways(samples, () => sampleOf(sampled, scene.kept), life.signal);
      const troubles = troubleAnother(scene, seeded(seed), life.signal);
      troubles.catch(() => undefined);
      context.after(() => life.abort());
      const looking = lookAlways(sampled.url, life.signal);
      const { rounds, told } = await whileItRuns(steady, produce(scene, sampled.url, Date.now() + lifeMs));
      life.abort();
      await sampling;
      context.diagnostic(JSON.stringify({ rounds: rounds.length, told, ...(await troubles), looks: await looking }));
      assert.equal(await steady.stop(), 0, steady.log());
      swapTruth(scene.truthPath, scene.truth);
      await runToEnd(scene.config);

      const expected = summed(scene.chunks.map(({ counts }, at) => [counts, rounds.filter((of) => of === at).length]));
      const summary = await stateSummary(scene.state);
      assert.deepEqual(differences(countsOf(summary), expected), []);
      assert.deepEqual(outcomesIn(summary), { numerator: told, denominator: told });
      assertBounded(context, samples);
    });
  },
  lifeMs + patience * 600_000,
);

async function sceneOf(context: TestContext, kafka: TestKafka): Promise<Scene> {
  const folder = temporaryFolder(context);
  const kept = join(folder, 'kept');
  mkdirSync(kept);
  const [truthPath, state] = [join(folder, 'truth.ndjson'), join(kept, 'state')];
  const topic = await kafka.freshTopic(partitions);
  const group = kafka.freshGroup();
  const more = {
    kafka: { dead_letter_topic: await kafka.freshTopic(1), feedback_topic: await kafka.freshTopic(2) },
    ...peopleKeys,
    state: { dir: state, checkpoint_every: '2s' },
    snapshots: { dir: join(kept, 'snapshots'), every: '10s', keep: '1m', format: 'parquet' },
    dedupe: { window: '1m' },
    // They are full by the middle of the shortest life: panes do not grow from then on.
    time: { windows: ['30s', '2m'] },
    metrics: { stability: { keep: '1m' } },
    slices: [['model'], ['model', 'agent']],
    join: { truth_wait: '3h' },
  };
  const config = serviceConfig({ brokers: kafka.brokers, topics: [topic], group, truth: [truthPath], folder, more });
  return { kafka, topic, group, config, state, kept, truthPath, ...(await chunksOf(config, folder, chunkSize)) };
}

/** What is done meanwhile; it is not waited for where the service ends before. */
async function whileItRuns<T>({ ended, log }: TestService, work: Promise<T>): Promise<T> {
  const end = ended.then((status): never => assert.fail(`it ended, status ${status}: ${log().slice(-3_000)}`));
  return await Promise.race([work, end]);
}

async function sampleAlways(into: Sample[], sample: () => Promise<Sample>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // A service that gets no processor for half a minute gives up its reply.
    await sample().then(
      (one) => into.push(one),
      () => undefined,
    );
    await systemClock.sleep(sampleMs, signal);
  }
}

/** Another instance that is killed, stopped and suspended, while the truth loses examples and gets them back. How often each came. */
async function troubleAnother(scene: Scene, random: Random, signal: AbortSignal): Promise<Record<string, number>> {
  const done: Record<string, number> = { SIGKILL: 0, SIGTERM: 0, SIGSTOP: 0, truth: 0 };
  let other = startService(scene.config, [], ofAllocator());
  while (!signal.aborted) {
    await systemClock.sleep(1_000 + 14_000 * random(), signal);
    const trouble = pick(random, Object.keys(done));
    done[trouble]!++;
    if (trouble === 'truth') await loseTruth(scene, random, signal);
    else if (trouble === 'SIGSTOP') await suspend(other, signal);
    else other = await anew(scene, other, trouble as 'SIGKILL' | 'SIGTERM');
  }
  assert.equal(await other.stop(), 0, other.log());
  return done;
}

/** Not for long: predictions that wait are held whole, so that what is held would be a matter of chance. */
async function loseTruth({ truthPath, truth }: Scene, random: Random, signal: AbortSignal): Promise<void> {
  swapTruth(
    truthPath,
    truth.filter(() => random() < 0.95),
  );
  await systemClock.sleep(8_000, signal);
  swapTruth(truthPath, truth);
}

/** For longer than its session lasts: its partitions go to whoever is there, and it finds that out when it wakes. */
async function suspend(service: TestService, signal: AbortSignal): Promise<void> {
  service.kill('SIGSTOP');
  await systemClock.sleep(8_000, signal);
  service.kill('SIGCONT');
}

async function anew(scene: Scene, service: TestService, kill: 'SIGKILL' | 'SIGTERM'): Promise<TestService> {
  service.kill(kill);
  assert.equal(await service.ended, kill === 'SIGTERM' ? 0 : null, service.log());
  const next = startService(scene.config, [], ofAllocator());
  await next.url();
  return next;
}

/** Sends chunks as fast as they are read; the shape of each that was sent, and of how many events the outcome was told. */
async function produce(
  { kafka, topic, group, chunks }: Scene,
  url: string,
  endMs: number,
): Promise<{ readonly rounds: readonly number[]; readonly told: number }> {
  const producer = testProducer(kafka.client(), { idempotent: true });
  await producer.connect();
  const rounds: number[] = [];
  let [sent, told] = [0, 0];
  while (Date.now() < endMs) {
    // Each shape lasts for a while.
    const shape = Math.floor(rounds.length / 50) % chunks.length;
    const messages = again(chunks[shape]!, rounds.length);
    // Told before: where instances get little processor, they hear of it later than feedback.wait after the event.
    if (isWellFormed(shape)) told += await tellOutcomes(url, messages);
    await producer.send({ topic, messages });
    rounds.push(shape);
    sent += messages.length;
    await until('the group keeps up', async () => sent - (await readOf(kafka, topic, group)) < behindMax, 300_000);
  }
  await producer.disconnect();
  return { rounds, told };
}

async function readOf(kafka: TestKafka, topic: string, groupId: string): Promise<number> {
  // A coordinator that moves, or is asked before it has loaded the group, says so.
  const [read] = await kafka.admin.fetchOffsets({ groupId, topics: [topic] }).catch(() => []);
  if (read === undefined) return 0;
  return read.partitions.reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0);
}

/**
 * What is held in the last third of a life is what was held in the third before it; a short one has not come to rest by then. Of buffers that is
 * the median: the most is a matter of when they were collected last, and is told by resident memory. Segments of rows that an instance took over
 * stay for a day: with partitions that move every few seconds they grow for as long. Deltas grow to a number that is known, sooner or later.
 */
function assertBounded(context: TestContext, samples: readonly Sample[]): void {
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const growing: string[] = [];
  for (const name of [
    'rssMiB',
    'heapMiB',
    'buffersMiB',
    'pending',
    'descriptors',
    'files',
    'segments',
    'deltas',
  ] as const) {
    const sorted = (some: readonly Sample[]): number[] => some.map((sample) => sample[name]).sort((a, b) => a - b);
    const most = (some: readonly Sample[]): number => sorted(some).at(-1)!;
    const median = (some: readonly Sample[]): number => sorted(some)[some.length >> 1]!;
    const slope = slopePerHour([...middle, ...last], (sample) => sample[name]);
    const both = (of: typeof most): string => `${of(middle).toFixed(0)}, then ${of(last).toFixed(0)}`;
    context.diagnostic(`${name}: median ${both(median)}; at most ${both(most)}; ${slope.toFixed(1)} an hour`);
    const judged = name === 'buffersMiB' ? median : most;
    if (!['segments', 'pending', 'deltas'].includes(name) && judged(last) > 1.5 * judged(middle)) growing.push(name);
  }
  if (minutes >= 10) assert.deepEqual(growing, []);
  for (const { deltas } of samples) assert.ok(deltas <= partitions * deltasKept, `${deltas} deltas`);
}

function differences(counts: Counts, expected: Counts): unknown[] {
  const paths = new Set([...counts.keys(), ...expected.keys()]);
  return [...paths]
    .filter((path) => counts.get(path) !== expected.get(path))
    .map((path) => ({ path, is: counts.get(path), expected: expected.get(path) }));
}
