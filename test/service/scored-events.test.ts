import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachScored } from '../../src/service/scored-events.ts';
import { configWith } from '../support/folding.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const call = {
  role: 'assistant',
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
};
const answer = (id: string, example: string, second: number, message: object): string =>
  `${JSON.stringify({ id, example_id: example, ts: `2026-05-01T12:00:0${second}Z`, model: 'm', choices: [{ message }] })}\n`;
const words = { role: 'assistant', content: 'done' };

/* A run of two files, one whose second file is the last, and runs of one answer. */
const files = {
  'a.ndjson': answer('x0', 'x', 0, words) + answer('r1', 'long', 1, call),
  'b.ndjson': '',
  'c.ndjson': answer('y0', 'y', 2, words) + answer('r2', 'long', 3, words) + answer('s1', 'open', 4, call),
};

test('files are one log: a run of several is placed at its first step, and none is left out at the end', async (context) => {
  const folder = temporaryFolder(context);
  const events = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const truth = join(folder, 'truth.ndjson');
  writeFileSync(truth, ['x', 'y', 'long', 'open'].map((id) => `{"example_id":"${id}","label":"direct"}\n`).join(''));
  const config = configWith({ 'runs.by': 'example', 'input.format': 'auto' });
  const seen: string[] = [];
  const batches: string[][] = [];
  const { read, scored } = await eachScored(
    { config, truth: [truth], events, signal: new AbortController().signal },
    ({ event }, _, { file, line }) => void seen.push(`${event.eventId} ${file.slice(folder.length + 1)}:${line}`),
    { afterBatch: async () => void batches.push(seen.splice(0)) },
  );
  assert.deepEqual([...batches.flat()].sort(), ['r1 a.ndjson:2', 's1 c.ndjson:3', 'x0 a.ndjson:1', 'y0 c.ndjson:1']);
  assert.deepEqual(seen, [], 'each is followed by a batch: its judging is asked for');
  assert.deepEqual([read, scored], [5, 4]);
});
