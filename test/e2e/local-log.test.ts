import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { insideConfig, startInside } from '../support/log-inside.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { runToEnd, startService, stateSummary } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const truth = (example: string): readonly [string, string] => [
  example,
  JSON.stringify({ example_id: example, label: 'tool_call', expected_tool_calls: [{ name: 'find', arguments: {} }] }),
];

function event(id: number, example: string): readonly [string, string] {
  const calls = [{ name: 'find', arguments: {} }];
  return [example, JSON.stringify({ example_id: example, event_id: `e${id}`, model: 'm', tool_calls: calls })];
}

test('truth over the log: events wait for it, a later row replaces it, and it is there after a restart', async (context) => {
  const folder = temporaryFolder(context);
  const config = insideConfig(folder);
  const inside = startInside(config);
  assert.ok(await inside.append('events', [event(1, 'a'), event(2, 'b')]));
  assert.ok(await inside.append('truth', [truth('a'), truth('c')]));
  const scored = async (): Promise<unknown> =>
    (await stateSummary(join(folder, 'state')).catch(() => undefined))?.records['scored'];
  await until('the event is scored', async () => (await scored()) === 1);
  assert.ok(await inside.append('truth', [['c', null]]));
  await inside.stop();
  const again = startInside(config);
  assert.ok(await again.append('events', [event(3, 'a'), event(4, 'c')]));
  await again.stop();
  await runToEnd(config);
  const { records } = await stateSummary(join(folder, 'state'));
  assert.deepEqual([records['scored'], records['pending']], [2, 2]);
});

test('the keys of section ingest: partitions, how long records are kept, how many bytes may wait', async (context) => {
  const folder = temporaryFolder(context);
  const inside = startInside(
    insideConfig(folder, { ingest: { partitions: 1, keep: '1ms', backlog: 100 }, runs: { by: 'off' } }),
  );
  assert.ok(await inside.append('events', [event(1, 'a')]));
  assert.ok(!(await inside.append('events', [event(2, 'a')])), 'too much waits');
  await until('what waited is saved', async () => await inside.append('events', [event(2, 'a')]));
  const segments = () => readdirSync(join(folder, 'state/log/events-0'));
  await until('nothing is kept', () => segments().join() === '0000000000000002.log');
  assert.deepEqual(
    readdirSync(join(folder, 'state/log')).filter((name) => name.startsWith('events')),
    ['events-0'],
  );
  await inside.stop();
});

const nanoseconds = (ms: number): string => `${ms}000000`;

/** A span of a model without its root, as OTLP/JSON: only time can end its run. */
function trace(id: string, startMs: number): readonly [string, string] {
  const message = { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'find', arguments: {} }] };
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.output.messages': JSON.stringify([message]),
    'assay.example_id': 'a',
  };
  const span = {
    traceId: id,
    spanId: id.slice(0, 16),
    parentSpanId: 'ffffffffffffffff',
    name: 'chat m',
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(startMs + 1),
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
  };
  return [id, JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })];
}

test('a single trace does not wait for later traffic; read again, its log gives the same numbers', async (context) => {
  const folder = temporaryFolder(context);
  const config = insideConfig(folder, { runs: { idle: '1s' }, time: { out_of_orderness: '1s' } });
  const inside = startInside(config);
  assert.ok(await inside.append('truth', [truth('a')]));
  assert.ok(await inside.append('events', [trace('0123456789abcdef0123456789abcdef', Date.now() - 86_400_000)]));
  const summary = async () => await stateSummary(join(folder, 'state')).catch(() => undefined);
  await until('the run is scored', async () => (await summary())?.records['scored'] === 1);
  await inside.stop();
  await runToEnd(config);
  const before = await stateSummary(join(folder, 'state'));
  const rebuilt = startService(config, ['--until-end', '--rebuild']);
  assert.equal(await rebuilt.ended, 0, rebuilt.log());
  assert.deepEqual(await stateSummary(join(folder, 'state')), before);
});

test('assay run in an empty folder, without a configuration: it serves, says where it keeps records, and stops', async (context) => {
  const folder = temporaryFolder(context);
  const child = startProgram(['run'], { cwd: folder, env: { ASSAY_HTTP__PORT: '0', ASSAY_LOG__PRETTY: 'false' } });
  let log = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await until('it says where events are sent', () => /"events":"http:\/\/127.0.0.1:\d+\/v1\/events"/.test(log));
  const url = /"url":"([^"]+)"/.exec(log)![1]!;
  await until('it is ready', async () => (await fetch(`${url}/readyz`)).status === 200);
  assert.ok(log.includes('"folder":".assay/state/log"') && existsSync(join(folder, '.assay/state/log/events-3')), log);
  const second = await runProgram(['run'], { cwd: folder, env: { ASSAY_HTTP__PORT: '0' } });
  assert.equal(second.status, 2);
  assert.match(second.stderr, new RegExp(`^\\.assay/state/log is in use by process ${child.pid} on `, 'm'));
  child.kill('SIGTERM');
  await until('it has ended', () => child.exitCode !== null);
  assert.equal(child.exitCode, 0, log);
  assert.ok(!existsSync(join(folder, '.assay/state/log/lock')));
});
