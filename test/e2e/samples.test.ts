import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Summary } from '../support/service.ts';
import { serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/* A restart takes nothing from what was wrong: samples of failures lie in the checkpoints. */

const truth = (at: number): object => ({
  ...{ example_id: `e${at}`, label: 'tool_call' },
  expected_tool_calls: [{ name: 'book', arguments: { city: 'Oslo' } }],
});
const event = (at: number): object => ({
  ...{ example_id: `e${at}`, event_id: `v${at}`, ts: Date.UTC(2026, 4, 1) + at, model: 'm' },
  tool_calls: [{ name: 'book', arguments: { city: at % 5 === 1 ? 'Bergen' : 'Oslo' } }],
});
const lines = (records: readonly object[]): string => records.map((record) => JSON.stringify(record)).join('\n');

/** The summary with its events whose arguments do not match. */
type SummaryWithWrong = Summary & { readonly wrong_arguments: readonly object[] };

test('after a kill the page and the summary show the failures of before, and the same numbers', async (context) => {
  const cwd = temporaryFolder(context);
  let served = await serve(cwd);
  const all = Array.from({ length: 10 }, (_, at) => at);
  await served.post('/v1/truth', lines(all.map(truth)), 'application/x-ndjson');
  await served.post('/v1/events', lines(all.map(event)), 'application/x-ndjson');
  const shown = async () => {
    const { records, wrong_arguments: wrong } = (await served.summary()) as SummaryWithWrong;
    return { records, wrong };
  };
  const isThere = async (): Promise<boolean> => {
    const { records, wrong } = await shown();
    return records['scored'] === 10 && wrong.length === 2;
  };
  await until('the failures are shown', isThere);
  const before = await shown();
  served.process.kill('SIGKILL');
  await once(served.process, 'close');
  served = await serve(cwd);
  await until('they are shown again', isThere);
  assert.deepEqual(await shown(), before);
  served.process.kill('SIGKILL');
  await once(served.process, 'close');
});
