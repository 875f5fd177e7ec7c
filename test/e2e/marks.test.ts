import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { sumOf } from '../../packages/dashboard/history.ts';
import { historyMetrics } from '../../src/formats/summary/history.ts';
import { type CountHistory, type LiveDocument, totalId } from '../../src/formats/summary/live-document.ts';
import { type Served, serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/* A new version in the traffic of a service that runs: `page.marks`. */

async function historyOf({ url }: Served): Promise<CountHistory> {
  const { history } = (await (await fetch(`${url}/api/v1/live`)).json()) as LiveDocument;
  return history as CountHistory;
}

/** Events of the total at the points for which it holds. */
function countIn({ groups }: CountHistory, isIn: (index: number) => boolean): number {
  const calls = historyMetrics.find(({ path }) => path === 'tool_use.unknown_tool')!;
  const read = sumOf(groups[totalId]!.filter((_, index) => isIn(index)));
  const value = calls.read(read);
  return typeof value === 'object' && value !== null ? value.denominator : 0;
}

test('versions are marked, the first too, and a restart keeps the marks and the points', async (context) => {
  const cwd = temporaryFolder(context);
  const config = { slices: [['model'], ['tags.version']], page: { marks: 'tags.version' } };
  const served = await serve(cwd, '1', config);
  context.after(() => served.process.kill('SIGKILL'));
  const call = { name: 'f', arguments: {} };
  const send = (version: string) =>
    served.post(
      '/v1/events',
      JSON.stringify({ example_id: version, model: 'm', tags: { version }, tools: ['f'], tool_calls: [call] }),
    );
  const marked = async (of: Served): Promise<string[]> => (await historyOf(of)).marks.map(({ value }) => value);
  assert.equal((await send('v1')).status, 200);
  await until('the first is marked', async () => (await marked(served)).join() === 'v1');
  assert.equal((await send('v2')).status, 200);
  await until('the second is marked', async () => (await marked(served)).join() === 'v1,v2');
  const { marks, at } = await historyOf(served);
  assert.ok(
    marks.every((mark) => at.includes(mark.at)),
    'at the times of points',
  );

  served.process.kill('SIGTERM');
  await once(served.process, 'exit');
  const again = await serve(cwd, '1', config);
  context.after(() => again.process.kill('SIGKILL'));
  await until('the points are back', async () => (await historyOf(again)).at.length > 0);
  const history = await historyOf(again);
  assert.equal(
    countIn(history, (index) => history.ingest[index] === null),
    2,
  );
  assert.deepEqual(await marked(again), ['v1', 'v2']);
});
