import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CountHistory, LiveDocument } from '../../src/formats/summary/live-document.ts';
import { type Served, serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/* A new version in the traffic of a service that runs: `page.marks`. */

async function historyOf({ url }: Served): Promise<CountHistory> {
  const { history } = (await (await fetch(`${url}/api/v1/live`)).json()) as LiveDocument;
  return history as CountHistory;
}

test('a version that comes while the service runs is marked, the one before is not', async (context) => {
  const config = { slices: [['model'], ['tags.version']], page: { marks: 'tags.version' } };
  const served = await serve(temporaryFolder(context), '1', config);
  context.after(() => served.process.kill('SIGKILL'));
  const send = (version: string) =>
    served.post('/v1/events', JSON.stringify({ example_id: version, model: 'm', tags: { version }, tool_calls: [] }));
  assert.equal((await send('v1')).status, 200);
  await until('a point holds the first version', async () => {
    const { groups } = await historyOf(served);
    return Object.values(groups).some((points) => points.at(-1) != null);
  });
  assert.deepEqual((await historyOf(served)).marks, []);
  assert.equal((await send('v2')).status, 200);
  await until('the second is marked', async () => (await historyOf(served)).marks.length > 0);
  const { marks, at } = await historyOf(served);
  assert.deepEqual(
    marks.map(({ value }) => value),
    ['v2'],
  );
  assert.ok(at.includes(marks[0]!.at), 'at the time of a point');
});
