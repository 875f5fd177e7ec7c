import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { expectedAggregates } from '../support/expected-snapshots.ts';
import { withKafka } from '../support/kafka.ts';
import { runProgram } from '../support/program.ts';
import { runToEnd, startService, stateSummary } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { sceneOf } from '../support/scene.ts';

type Row = Readonly<Record<string, unknown>>;

withKafka('snapshots of the service', (kafka) => {
  test('a service that is killed and goes on: its snapshot is its summary, its score files hold each prediction once', async (context) => {
    const folder = temporaryFolder(context);
    const more = {
      snapshots: { dir: join(folder, 'snapshots'), every: '1s', scores: 'all' },
      state: { checkpoint_every: '200ms' },
      limits: { score_rows: 100 },
    };
    const { config, topic, traffic } = await sceneOf(context, kafka(), 3_000, { folder, partitions: 3, more });
    await kafka().produce(topic, traffic.records.slice(0, 1_500));
    const first = startService(config);
    const scores = join(folder, 'snapshots', 'scores');
    await until('score rows are written', () => filesIn(scores).length > 0);
    first.kill('SIGKILL');
    await first.ended;
    rmSync(join(folder, 'snapshots', 'latest.json'), { force: true });
    await kafka().produce(topic, traffic.records.slice(1_500));
    const second = startService(config);
    const latest = join(folder, 'snapshots', 'latest.json');
    await until('a snapshot is written on the timer', () => filesIn(join(folder, 'snapshots')).includes('latest.json'));
    assert.equal(await second.stop(), 0, second.log());
    await runToEnd(config);
    const summary = await stateSummary(join(folder, 'state'));
    const named = JSON.parse(readFileSync(latest, 'utf8')) as { as_of: string; aggregates: string; scores: string };
    assert.equal(named.as_of, summary.as_of);
    assert.ok(filesIn(folder).length > 0 && filesIn(join(folder, 'snapshots')).includes(named.aggregates));
    const found = rowsIn(join(folder, 'snapshots', named.aggregates));
    assert.deepEqual(found, expectedAggregates(summary as never, ['model', 'agent']));
    const replayed = join(folder, 'replayed.arrow');
    const flags = ['replay', '-c', config, '--events', traffic.events, '--scores', replayed];
    const { status, stderr } = await runProgram(flags);
    assert.equal(status, 0, stderr);
    const rows = filesIn(scores)
      .filter((name) => name.endsWith('.arrow'))
      .flatMap((name) => rowsIn(join(scores, name)));
    assert.deepEqual(sorted(rows), sorted(rowsIn(replayed)));
  });
});

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Rows as plain values; integers of 64 bits as numbers. */
function rowsIn(path: string): Row[] {
  const table = tableFromIPC(readFileSync(path));
  const text = JSON.stringify(table.toArray(), (_key, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
  return JSON.parse(text) as Row[];
}

/** By event; where a row comes from differs between a topic and a file. */
function sorted(rows: readonly Row[]): Row[] {
  return rows
    .map(({ source: _source, ...row }) => row)
    .sort((a, b) => (String(a['event_id']) < String(b['event_id']) ? -1 : 1));
}
