import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { serve } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

test('events that are scored by truth that says nothing are reported: a metric, a detail of readiness; a right row ends it', async (context) => {
  const served = await serve(temporaryFolder(context));
  const ids = Array.from({ length: 20 }, (_, at) => `e${at}`);
  const calls = [{ name: 'get_weather', arguments: { city: 'Oslo' } }];
  const send = (path: string, records: readonly object[]) => served.post(path, JSON.stringify(records));
  const text = async (path: string): Promise<string> => (await fetch(served.url + path)).text();
  const sent = await send(
    '/v1/truth',
    ids.map((id) => ({ example_id: id, tools: ['get_weather'] })),
  );
  assert.deepEqual(sent.body, { accepted: ids.length, rejected: [] });
  await send(
    '/v1/events',
    ids.map((id) => ({ example_id: id, model: 'm', tool_calls: calls })),
  );
  await until('the metric says it', async () => /^assay_unmeasured_predictions 20$/m.test(await text('/metrics')));
  assert.match(await text('/readyz?verbose'), /metrics[^\n]*none of truth has a value over 20 scored events/);
  await send('/v1/truth', [{ example_id: 'f', label: 'tool_call', expected_tool_calls: calls }]);
  await send('/v1/events', [{ example_id: 'f', model: 'm', tool_calls: calls }]);
  await until('values are there', async () => /^assay_unmeasured_predictions 0$/m.test(await text('/metrics')));
  assert.match(await text('/readyz?verbose'), /metrics[^\n]*have values/);
  served.process.kill('SIGKILL');
  await once(served.process, 'close');
});
