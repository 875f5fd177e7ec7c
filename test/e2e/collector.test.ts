import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import { freePort } from '../support/free-port.ts';
import { ownGoProgram } from '../support/go-program.ts';
import { documentOf, protobufOf } from '../support/otlp.ts';
import { startService } from '../support/service.ts';
import { soak } from '../support/soak.ts';
import { outputs } from '../support/span-cases.ts';
import { spanWith } from '../support/step-reader.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { installed } from '../support/tools.ts';
import { until } from '../support/until.ts';

const skip = soak ? installed('go') === undefined && '*** go is not installed ***' : 'npm run test:soak';

test('docs/guides/send.md: spans that a Collector exports as the guide says are scored', { skip }, async (context) => {
  const program = ownGoProgram(join('test', 'support', 'collector'), '0.165.0');
  const folder = temporaryFolder(context);
  writeFileSync(
    join(folder, 'assay.yaml'),
    JSON.stringify({ state: { dir: join(folder, 'state') }, http: { port: 0 } }),
  );
  const service = startService(join(folder, 'assay.yaml'));
  context.after(() => service.kill('SIGKILL'));
  const url = await service.url();
  const guide = readFileSync('docs/guides/send.md', 'utf8');
  const [, block] = /^From a Collector.*\n\n((?: {4}.*\n)+)/m.exec(guide)!;
  const port = await freePort();
  const config = join(folder, 'collector.yaml');
  const exported = parse(block!.replaceAll('http://127.0.0.1:9464', url)) as { readonly service: object };
  const receivers = { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } };
  // Two collectors of a machine would have one port for their own metrics.
  const own = { ...exported.service, telemetry: { metrics: { level: 'none' } } };
  writeFileSync(config, stringify({ ...exported, receivers, service: own }));
  const collector = spawn(program, [config], { stdio: 'ignore' });
  context.after(() => collector.kill('SIGKILL'));
  await once(collector, 'spawn');
  const times = { parentSpanId: '', startTimeUnixNano: `${Date.now()}000000`, endTimeUnixNano: `${Date.now()}000000` };
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'assay.example_id': 'e' };
  const body = protobufOf(documentOf([spanWith({ ...attributes, ...outputs }, times)]));
  const headers = { 'content-type': 'application/x-protobuf' };
  await until('the Collector takes it', () =>
    fetch(`http://127.0.0.1:${port}/v1/traces`, { method: 'POST', headers, body }).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  await until('its run is open', async () => (await service.summary()).records['open_runs'] === 1);
  assert.match(await service.text('/metrics'), /^assay_ingest_records_total\{path="\/v1\/traces"\} 1$/m);
  collector.kill('SIGTERM');
  assert.equal(await service.stop(), 0);
});
