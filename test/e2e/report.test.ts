import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { snapshotHistory, snapshotsIn } from '../../src/commands/report/snapshot-history.ts';
import { withKafka } from '../support/kafka.ts';
import { runProgram } from '../support/program.ts';
import { startService, stateSummary, type TestService } from '../support/service.ts';
import { soak } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { sceneOf } from '../support/scene.ts';

const events = 2_000;

withKafka('a report of what several instances wrote', (kafka) => {
  for (const format of soak ? ['arrow', 'parquet'] : ['parquet'])
    test(`${format}: the instances of a time are added up, and nothing counts twice where one takes over`, async (context) => {
      const dir = temporaryFolder(context);
      const more = { snapshots: { dir, format, every: '100ms' } };
      const { config, state, topic, traffic } = await sceneOf(context, kafka(), events, { partitions: 4, more });
      const services = [0, 1].map(() => startService(config));
      for (const service of services) await until('it has partitions', () => service.log().includes('"partition"'));
      const half = events / 2;
      await kafka().produce(topic, traffic.records.slice(0, half));
      await until('both have read, and their snapshots add up to what they hold', async () => {
        const held = await Promise.all(services.map(totalOf));
        const read = held.reduce((sum, total) => sum + total.read, 0);
        const n = held.reduce((sum, total) => sum + total.n, 0);
        return held.every((total) => total.n > 0) && read === half && (await lastOf(dir)) === n;
      });
      const [first, second] = services as [TestService, TestService];
      second.kill('SIGKILL');
      await second.ended;
      await until('the other has taken its partitions over', async () => (await totalOf(first)).read === half);
      await kafka().produce(topic, traffic.records.slice(half));
      await until('it has read some of the rest', async () => (await totalOf(first)).read > half);
      assert.equal(await first.stop(), 0, first.log());
      const summary = await stateSummary(state);
      const { n, accuracy } = summary.groups[0]!['decision'] as { n: number; accuracy: object };
      const course = await decisionsIn(dir);
      assert.ok(
        course.every((point) => point <= n),
        `${course.join()} of ${n}`,
      );
      const ended = await runProgram(['report', dir, '-o', '-']);
      assert.equal(ended.status, 0, ended.stderr);
      const data = /<script type="application\/json" id="document">([\s\S]*?)<\/script>/.exec(ended.stdout)![1]!;
      const { groups, as_of: asOf, history } = JSON.parse(data);
      const { lower_always: _, upper_always: __, ...wanted } = accuracy as Record<string, number>;
      assert.deepEqual([groups[0].headlines['decision.accuracy'], asOf, groups[0].n], [wanted, summary.as_of, n]);
      assert.ok(history.at.length > 1 && history.kind === 'values');
      const files = filesIn(dir).filter(isAggregates);
      assert.ok(files.every((name) => name.endsWith(format)) && files.length > 2, files.join());
    });
});

/** Records that an instance read, and decisions that it scored. */
async function totalOf(service: TestService): Promise<{ readonly read: number; readonly n: number }> {
  const { records, groups } = await service.summary();
  const decision = groups[0]?.['decision'] as { readonly n: number } | null | undefined;
  return { read: records['read'] as number, n: decision?.n ?? 0 };
}

/** Decisions of the total, over time. */
async function decisionsIn(dir: string): Promise<number[]> {
  if (!filesIn(dir).some(isAggregates)) return [];
  const inputs = await snapshotHistory(await snapshotsIn(dir), new AbortController().signal);
  return inputs.map(({ groups }) => (groups[0]?.['decision'] as { n: number } | undefined)?.n ?? 0);
}

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' });
}

function isAggregates(name: string): boolean {
  return /\baggregates-[^/]*$/.test(name);
}

async function lastOf(dir: string): Promise<number | undefined> {
  return (await decisionsIn(dir)).at(-1);
}
