import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scanSegment } from '../../../src/adapters/local-log/scan.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { recordingConsumer, valuesOf } from '../../support/recording-consumer.ts';
import { until } from '../../support/until.ts';
import { openLog, readAll, readUntil, recordsOf, segmentsIn, sourceOf, valuesIn } from '../../support/local-log.ts';

test('records are read in the order of their partition, those of a key in one partition, across restarts', async (context) => {
  const folder = temporaryFolder(context);
  const all: string[] = [];
  for (let round = 0; round < 3; round++) {
    const local = await openLog(folder);
    const texts = Array.from({ length: 50 }, (_, index) => `k${String(index % 7).padStart(3, '0')} ${round} ${index}`);
    await Promise.all(texts.map((text) => local.intake.append('events', recordsOf(text))));
    all.push(...texts);
    const consumer = await readAll(local);
    assert.deepEqual(valuesIn(consumer), [...all].sort());
    for (const key of new Set(all.map((text) => text.slice(0, 4)))) {
      const found = ['events/0', 'events/1'].map((name) =>
        valuesOf(consumer, name).filter((value) => value!.startsWith(key)),
      );
      assert.deepEqual(
        found.filter((each) => each.length > 0),
        [all.filter((text) => text.startsWith(key))],
      );
    }
    await local.close();
  }
});

test('a reader hears of records as they become durable, and stops when it is told to', async (context) => {
  const local = await openLog(temporaryFolder(context));
  const consumer = recordingConsumer();
  const source = sourceOf(local);
  const running = source.run(consumer);
  for (let count = 1; count <= 5; count++) {
    await local.intake.append('events', recordsOf(`${count}`));
    await readUntil(consumer, count);
  }
  assert.equal(source.joined(), true);
  await source.stop();
  await running;
  assert.equal(consumer.events.at(-1), 'beforeStop');
  assert.equal(source.joined(), false);
  await local.close();
});

test('segments follow each other; append time never goes back, though the clock does by an hour', async (context) => {
  const folder = temporaryFolder(context);
  const clock = { ms: Date.now() };
  for (let round = 0; round < 3; round++) {
    const local = await openLog(folder, { partitions: 1, segmentBytesMax: 200, clock: { nowMs: () => clock.ms } });
    for (let index = 0; index < 10; index++) {
      await local.intake.append('events', recordsOf(`round ${round} ${index}`));
      clock.ms += index === 5 ? -3_600_000 : 10;
    }
    const consumer = await readAll(local);
    const seen = consumer.seen.get('events/0')!;
    assert.deepEqual(
      seen.map(({ offset }) => offset),
      Array.from({ length: 10 * (round + 1) }, (_, offset) => offset),
    );
    const times = seen.map(({ timestamp }) => timestamp);
    assert.deepEqual(
      times,
      [...times].sort((a, b) => a - b),
    );
    assert.equal(
      await sourceOf(local).offsetAt({ topic: 'events', partition: 0 }, times.at(-1)!),
      times.indexOf(times.at(-1)!),
    );
    await local.close();
  }
  assert.ok(segmentsIn(folder, 'events-0').length > 5);
});

test('a torn end is cut off at the next start, and logged with its place and bytes', async (context) => {
  const folder = temporaryFolder(context);
  const first = await openLog(folder, { partitions: 1 });
  await first.intake.append('events', recordsOf('whole'));
  await first.close();
  const [path] = segmentsIn(folder, 'events-0') as [string];
  const { size } = statSync(path);
  appendFileSync(path, readFileSync(path).subarray(0, 20));
  const second = await openLog(folder, { partitions: 1 });
  assert.equal(statSync(path).size, size);
  const line = second.log.lines.find((each) => each.includes('cut off'));
  assert.ok(line?.includes(JSON.stringify({ file: path, byte: size, bytes: 20 })), line);
  await second.intake.append('events', recordsOf('after'));
  assert.deepEqual(valuesOf(await readAll(second), 'events/0'), ['whole', 'after']);
  await second.close();
});

test('a damaged record pauses its partition by name, other partitions go on; records that follow are taken, and read once the file is away', async (context) => {
  const folder = temporaryFolder(context);
  const first = await openLog(folder);
  for (let index = 0; index < 20; index++) await first.intake.append('events', recordsOf(`${index % 10}   ${index}`));
  const whole = await readAll(first);
  await first.close();
  const [path] = segmentsIn(folder, 'events-0') as [string];
  const bytes = readFileSync(path);
  bytes[40]! ^= 1;
  writeFileSync(path, bytes);
  const second = await openLog(folder);
  assert.ok(second.log.lines.some((line) => line.startsWith('a record of the log is damaged')));
  await second.intake.append('events', recordsOf(...Array.from({ length: 10 }, (_, index) => `${index}   later`)));
  const consumer = recordingConsumer();
  const refused = /Stopped before the end of events\/0: refused/;
  await assert.rejects(sourceOf(second, { untilEnd: true }).run(consumer), refused);
  const problem = `unreadable events/0: ${path} is damaged at byte 0, where the record with offset 0 belongs`;
  assert.deepEqual(
    consumer.events.filter((event) => event.startsWith('unreadable')),
    [problem],
  );
  assert.equal(valuesOf(consumer, 'events/0').length, 0);
  const others = valuesOf(whole, 'events/1');
  assert.deepEqual(valuesOf(consumer, 'events/1').slice(0, others.length), others);
  renameSync(path, join(folder, 'away'));
  const later = await readAll(second);
  assert.deepEqual(
    valuesOf(later, 'events/0').map((value) => value!.slice(4)),
    Array(valuesOf(later, 'events/0').length).fill('later'),
  );
  assert.equal(valuesOf(later, 'events/0').length + valuesOf(later, 'events/1').length, 10 + others.length);
  await second.close();
});

test('a second process is refused by name; so is another number of partitions', async (context) => {
  const folder = temporaryFolder(context);
  const local = await openLog(folder);
  await assert.rejects(openLog(folder), new RegExp(`^UsageError: ${folder} is in use by process ${process.pid} on `));
  await local.close();
  const remedy = `ingest.partitions: is 3, the log in ${folder} has 2; set it to 2, or move that folder away and begin anew`;
  await assert.rejects(openLog(folder, { partitions: 3 }), { name: 'UsageError', message: remedy });
  await (await openLog(folder)).close();
  writeFileSync(join(folder, 'log.json'), '{"id":');
  const damaged = `${folder}/log.json is damaged: put a good copy in its place, or move the folder away and begin anew`;
  await assert.rejects(openLog(folder), { name: 'UsageError', message: damaged });
});

test('beyond ingest.backlog senders get status 429, until checkpoints have passed the records', async (context) => {
  const local = await openLog(temporaryFolder(context), { partitions: 1, backlogBytes: 1_000 });
  const source = sourceOf(local);
  while (local.intake.refusal() === undefined) await local.intake.append('events', recordsOf('x'.repeat(60)));
  const refusal = local.intake.refusal();
  assert.equal(refusal?.status, 429);
  assert.match(refusal.reason, /^\d+ bytes wait to be scored, and ingest.backlog allows 1000; send it again later/);
  await assert.rejects(local.intake.append('events', recordsOf('y')), { name: 'IntakeError', refusal });
  const consumer = recordingConsumer();
  const running = source.run(consumer);
  await readUntil(consumer, 10);
  await source.commit([{ topic: 'events', partition: 0, nextOffset: 8 }]);
  assert.equal(local.intake.refusal(), undefined);
  await source.stop();
  await running;
  await local.close();
});

test('a segment goes when checkpoints are beyond it and its time has passed; the next offset stays', async (context) => {
  const folder = temporaryFolder(context);
  const clock = { ms: Date.now() };
  const options = { partitions: 1, segmentBytesMax: 200, keepMs: 60_000, clock: { nowMs: () => clock.ms } };
  const local = await openLog(folder, options);
  for (let index = 0; index < 12; index++) await local.intake.append('events', recordsOf(`record ${index}`));
  const before = segmentsIn(folder, 'events-0').length;
  const source = sourceOf(local);
  const at = { topic: 'events', partition: 0 };
  clock.ms += 61_000;
  await source.commit([{ ...at, nextOffset: 6 }]);
  await until('covered segments are gone', async () => (await source.bounds(at)).low > 0);
  const { low } = await source.bounds(at);
  assert.ok(low > 0 && low <= 6 && segmentsIn(folder, 'events-0').length < before);
  assert.equal(await source.committed(at), low);
  await source.commit([{ ...at, nextOffset: 12 }]);
  await until('all records are gone', async () => (await source.bounds(at)).low === 12);
  await local.close();
  const again = await openLog(folder, options);
  assert.deepEqual(await sourceOf(again).bounds(at), { low: 12, high: 12 });
  await again.intake.append('events', recordsOf('next'));
  assert.deepEqual(
    (await readAll(again, 12)).seen.get('events/0')?.map(({ offset }) => offset),
    [12],
  );
  await again.close();
});

test('records without a key go to each partition in turn', async (context) => {
  const local = await openLog(temporaryFolder(context), { partitions: 4 });
  await local.intake.append(
    'events',
    Array.from({ length: 8 }, () => ({ key: undefined, value: Buffer.from('x') })),
  );
  const consumer = await readAll(local);
  assert.deepEqual(
    [...consumer.seen.values()].map((seen) => seen.length),
    [2, 2, 2, 2],
  );
  await local.close();
});

test('a quiet partition is told of time that passes, as long as a run may wait and no longer, also across a restart', async (context) => {
  const folder = temporaryFolder(context);
  const options = { partitions: 1, quietMs: 200, everyMs: 20 };
  const told = (): number => {
    const [path] = segmentsIn(folder, 'events-0') as [string];
    return scanSegment(readFileSync(path), 0).quietMs;
  };
  const first = await openLog(folder, options);
  await first.intake.append('events', recordsOf('event'));
  await until('time is told', () => told() > 0);
  await first.close();
  const before = told();
  const second = await openLog(folder, options);
  await until('the rest is told', () => told() >= 200);
  assert.ok(before < 200);
  const all = told();
  const look = async (): Promise<unknown> => {
    const looked = Date.now() + 200;
    await until('it looks ten times more', () => Date.now() > looked);
    return [told(), (await sourceOf(second).bounds({ topic: 'events', partition: 0 })).high];
  };
  // The file says it a moment before the end of the partition does.
  const settled = await look();
  assert.deepEqual(await look(), settled);
  assert.equal(told(), all);
  await second.intake.append('events', recordsOf('next'));
  await until('time is told anew', () => told() > 0 && told() < all);
  await second.close();
});

test('a full disk: refused with the folder and the remedy, nothing half written stays, and it goes on by itself', async (context) => {
  const folder = temporaryFolder(context);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    context.skip('SKIPPED: a full disk needs a small tmpfs, and mounting one needs root');
    return;
  }
  try {
    const local = await openLog(folder, { partitions: 1 });
    await local.intake.append('events', recordsOf('before'));
    const ballast = join(folder, 'ballast');
    writeFileSync(ballast, Buffer.alloc(300_000));
    const large = recordsOf('x'.repeat(300_000));
    const refused = {
      name: 'IntakeError',
      message: new RegExp(`^the log in ${folder} cannot be written .ENOSPC.*; the disk is full: make room there$`),
    };
    await assert.rejects(local.intake.append('events', large), refused);
    assert.equal(local.intake.refusal()?.status, 503);
    assert.deepEqual(local.outages, [local.intake.refusal()!.reason]);
    await assert.rejects(local.intake.append('events', recordsOf('small')), refused);
    rmSync(ballast);
    // As if the cut had failed as well: it is made before the next write.
    appendFileSync(segmentsIn(folder, 'events-0')[0]!, Buffer.alloc(1_000, 1));
    await until('it takes records again', () => local.intake.refusal() === undefined);
    assert.equal(local.outages.at(-1), undefined);
    await Promise.all(['after', 'more'].map((text) => local.intake.append('events', recordsOf(text))));
    assert.deepEqual(valuesOf(await readAll(local), 'events/0'), ['before', 'after', 'more']);
    await local.close();
    const again = await openLog(folder, { partitions: 1 });
    assert.deepEqual(again.log.lines, []);
    assert.deepEqual(valuesOf(await readAll(again), 'events/0'), ['before', 'after', 'more']);
    await again.close();
  } finally {
    execFileSync('umount', [folder]);
  }
});
