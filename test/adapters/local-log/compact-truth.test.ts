import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { localSource, truthPartition } from '../../../src/adapters/local-log/local-source.ts';
import { openLog, segmentsIn } from '../../support/local-log.ts';
import { recordingConsumer } from '../../support/recording-consumer.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('rows of truth that later ones replaced are gone at the next start, where they are more than half; the newest stay', async (context) => {
  const folder = temporaryFolder(context);
  const first = await openLog(folder);
  const row = (key: string, text: string | null) => ({
    key: Buffer.from(key),
    value: text === null ? null : Buffer.from(text.padEnd(100_000)),
  });
  for (let round = 0; round < 8; round++)
    await first.intake.append('truth', [row('a', `a${round}`), row('b', `b${round}`), row(`c${round}`, 'c')]);
  await first.intake.append('truth', [row('b', null), ...Array.from({ length: 7 }, (_, at) => row(`c${at}`, null))]);
  const rows = async (local: typeof first): Promise<Map<string | null, string | undefined>> => {
    const consumer = recordingConsumer({ start: async (at) => (await source.bounds(at)).low });
    const source = localSource({
      ...{ shared: local.shared, partitions: [truthPartition], untilEnd: true, log: local.log },
      signal: new AbortController().signal,
    });
    await source.run(consumer);
    const newest = new Map(consumer.seen.get('truth/0')!.map(({ key, value }) => [key, value?.trim()]));
    return new Map([...newest].filter(([, value]) => value !== undefined));
  };
  const expected = new Map([
    ['a', 'a7'],
    ['c7', 'c'],
  ]);
  assert.deepEqual(await rows(first), expected);
  await first.close();
  const second = await openLog(folder);
  const [path, ...others] = segmentsIn(folder, 'truth-0');
  assert.ok(others.length === 0 && statSync(path!).size < 210_000);
  assert.deepEqual(await rows(second), expected);
  await second.intake.append('truth', [row('a', 'new')]);
  assert.equal((await rows(second)).get('a'), 'new');
  await second.close();
});
