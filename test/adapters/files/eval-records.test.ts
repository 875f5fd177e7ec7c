import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { evalRecords } from '../../../src/adapters/files/eval-records.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const json = (value: unknown): Uint8Array => strToU8(JSON.stringify(value));

test('.eval: a record of each sample, with the eval of the header', async (context) => {
  const path = join(temporaryFolder(context), 'log.eval');
  const files = {
    'summaries.json': json([]),
    'header.json': json({ eval: { model: 'm' } }),
    'samples/b_epoch_1.json': json({ id: 'b' }),
    'samples/a_epoch_1.json': json({ id: 'a' }),
  };
  writeFileSync(path, zipSync(files));
  const found: unknown[] = [];
  for await (const { records } of (await evalRecords(path)).batches)
    for (const { bytes, start, end } of records)
      found.push(JSON.parse(Buffer.from(bytes).toString('utf8', start, end)));
  assert.deepEqual(found, [
    { id: 'a', eval: { model: 'm' } },
    { id: 'b', eval: { model: 'm' } },
  ]);
});

test('.eval: a bomb and a file that is no zip are refused by name', async (context) => {
  const path = join(temporaryFolder(context), 'log.eval');
  const bomb = Buffer.from(zipSync({ 'samples/a.json': json({}) }));
  // The size that the directory declares.
  bomb.writeUInt32LE(0xff_ff_ff_00, bomb.indexOf(Buffer.from('PK\u0001\u0002')) + 24);
  for (const [bytes, problem] of [
    [bomb, /log\.eval: .*unpacks to more than 1073741824 bytes/],
    [Buffer.from('{}'), /log\.eval: is no \.eval log that can be read/],
  ] as const) {
    writeFileSync(path, bytes);
    await assert.rejects(evalRecords(path), problem);
  }
});
