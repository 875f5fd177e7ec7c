import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { followTruth } from '../../src/service/follow-truth.ts';
import type { Scorer } from '../../src/service/scorer.ts';
import { telemetryOf } from '../../src/service/service-telemetry.ts';
import { configOf } from '../support/configuration.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

test('contradictions of each version are in the telemetry, and in the log where there are some', async (context) => {
  const file = join(temporaryFolder(context), 'truth.ndjson');
  const write = (row: object): void => {
    writeFileSync(
      `${file}.new`,
      `${JSON.stringify({ example_id: 'a', expected_tool_calls: [{ name: 'f' }], ...row })}\n`,
    );
    renameSync(`${file}.new`, file);
  };
  const flags = [{ path: ['truth', 'paths'], value: [file], place: 'test' }];
  const config = configOf(context, { flags });
  const telemetry = telemetryOf(config);
  const warnings: string[] = [];
  const ignored = (): void => undefined;
  const stop = new AbortController();
  write({ label: 'direct', tools: ['g'] });
  const followed = followTruth({
    ...{ config, topic: undefined, begun: undefined, signal: stop.signal },
    scorer: { telemetry, useTruth: ignored, truthProblem: ignored } as Partial<Scorer> as Scorer,
    log: { debug: ignored, info: ignored, warn: (_, message) => void warnings.push(message), error: ignored },
  });
  assert.equal(await followed.ready, true);
  await until('the first version is counted', () => telemetry.truth.findings?.tool === 1);
  assert.deepEqual(telemetry.truth.findings, { label: 1, tool: 1, arguments: 0, rules: 0 });
  write({ label: 'tool_call', tools: ['f'] });
  await until('the second version is counted', () => telemetry.truth.findings?.tool === 0);
  assert.deepEqual(warnings, ['the truth contradicts itself: label 1, tool 1; see them with assay truth check']);
  stop.abort();
  await followed.ended;
});
