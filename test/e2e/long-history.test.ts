import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { isManifestName, rowFileName } from '../../src/formats/snapshot/row-files.ts';
import { type TestKafka, withKafka } from '../support/kafka.ts';
import { filesBelow } from '../support/row-manifests.ts';
import { startService } from '../support/service.ts';
import { soak } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { patience, until } from '../support/until.ts';
import { sceneOf, type Scene } from '../support/scene.ts';

const skip = !soak && 'soak only';
/** Files of days that are over, which the next start removes; a million is ASSAY_FILES=1000000. */
const oldFiles = Number(process.env['ASSAY_FILES'] ?? 100_000);
const partitions = 4;
const keepDays = 30;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How much later a start may be ready than without a history. */
const laterMs = 1_000;

withKafka('a long history of score rows', (kafka) => {
  test(`${oldFiles} old files, and a month of files in the manifests, do not slow a start`, {
    skip,
  }, async (context) => {
    const folder = temporaryFolder(context);
    const dir = join(folder, 'snapshots');
    const more = {
      state: { checkpoint_every: '500ms' },
      snapshots: { dir, every: '1s', keep: `${keepDays}d`, scores: 'all', format: 'parquet' },
    };
    const scene = await sceneOf(context, kafka(), 4_000, { folder, partitions, more });
    const scores = join(dir, 'scores');
    await startOf(kafka(), scene, () => filesBelow(scores, '.json').length >= partitions);
    const without = await startOf(kafka(), scene, () => true);
    plantOldFiles(scores);
    for (const folder of [scores, scene.state]) extendManifests(folder);
    const withHistory = await startOf(kafka(), scene, (log) => log.includes('old snapshots deleted'));
    context.diagnostic(JSON.stringify({ without, withHistory }));
    assert.ok(withHistory.readyMs < without.readyMs + patience * laterMs);
    assert.ok(filesBelow(scores, '.parquet').every((path) => !path.includes('date=2020')));
  });
});

/** Starts the service, gives it records and stops it when something is so: when all partitions were ready, and how long its loop was held at most. */
async function startOf(
  kafka: TestKafka,
  { topic, config, traffic }: Scene,
  isOver: (log: string) => boolean,
): Promise<{ readyMs: number; longestStallMs: number }> {
  const startMs = performance.now();
  const service = startService(config);
  const ready = /partition (restored|starts without)/g;
  await until('all partitions are ready', () => (service.log().match(ready) ?? []).length === partitions);
  const readyMs = Math.round(performance.now() - startMs);
  let longestStallMs = 0;
  const look = async (): Promise<void> => {
    const metrics = await service.text('/metrics');
    const lag = Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)![1]);
    longestStallMs = Math.max(longestStallMs, Math.round(1_000 * lag));
  };
  await kafka.produce(topic, traffic.records);
  await until(
    'it has done what it had to',
    async () => {
      await look();
      return isOver(service.log());
    },
    600_000,
  );
  assert.equal(await service.stop(), 0, service.log());
  return { readyMs, longestStallMs };
}

/** Row files of days that retention has not removed yet. */
function plantOldFiles(scores: string): void {
  for (let hour = 0; hour < 48; hour++) {
    const day = `date=2020-01-0${1 + Math.floor(hour / 24)}`;
    const folder = join(scores, day, `hour=${String(hour % 24).padStart(2, '0')}`);
    mkdirSync(folder, { recursive: true });
    for (let at = 0; at < oldFiles / 48; at++) closeSync(openSync(join(folder, `scores-t-0-${at}.parquet`), 'w'));
  }
}

/** Manifests name a file of each hour of a month. */
function extendManifests(folder: string): void {
  for (const path of filesBelow(folder, '.json').filter((each) => isManifestName(basename(each)))) {
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { files: object[] };
    const hours = Array.from({ length: keepDays * 24 - 1 }, (_, at) => {
      const endedMs = Date.now() - keepDays * dayMs + (at + 1) * hourMs;
      const name = rowFileName(
        { group: '', topic: 't', partition: 0 },
        { nextOffset: 0, scored: 0 },
        { id: `h${at}`, endedMs, format: 'parquet' },
      );
      return { name, rows: 0, next_offset: 0, ended: new Date(endedMs).toISOString() };
    });
    writeFileSync(path, `${JSON.stringify({ ...manifest, files: [...hours, ...manifest.files] })}\n`);
  }
}
