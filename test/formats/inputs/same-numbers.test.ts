import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { runProgram } from '../../support/program.ts';
import type { JsonObject } from '../../../src/scoring/json.ts';
import { type NativeCall, type NativeEvent, wrapped, writers } from '../../support/provider-forms.ts';
import { dialects, mixed, type RunCall } from '../../support/run-dialects.ts';
import { soak } from '../../support/soak.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/* Recorded traffic as native events and in each form gives the same summary to the last bit. */

const folder = temporaryFolder({ after });
// Decisions in words are read of answers by default, and of native events where that is configured.
const config = join(folder, 'assay.yaml');
writeFileSync(config, 'decision: {rules: words}\n');
// A whole run has the results of its calls, which the native events do not record.
const withoutResults = join(folder, 'without-results.yaml');
writeFileSync(withoutResults, 'decision: {rules: words}\nmetrics: {tool_use: {enabled: false}}\n');
const traffic = new URL('../../../../test/fixtures/traffic/', import.meta.url).pathname;

for (const [predictions, truth] of [
  ['when2call-predictions.ndjson', 'when2call-truth.ndjson'],
  ['tau-airline-predictions.ndjson', 'tau-airline-truth.ndjson'],
  ['mcpeval-predictions.ndjson', 'mcpeval-truth.ndjson'],
] as const) {
  describe(predictions, { concurrency: 2 }, () => {
    const events = readFileSync(join(traffic, predictions), 'utf8')
      .trim()
      .split('\n')
      .filter((_, at) => soak || at % 5 === 0)
      .map((line) => JSON.parse(line) as NativeEvent)
      .map(
        ({ output, oracle: _, ...event }) => (typeof output === 'string' ? { ...event, output } : event) as NativeEvent,
      );

    // A provider leaves out an empty list of calls, and native events may do so.
    const native = events.map(({ tool_calls: calls, ...event }) =>
      calls?.length ? { ...event, tool_calls: calls } : event,
    );
    const once: { expected?: Promise<string>; ofRuns?: Promise<string> } = {};
    const expected = () => (once.expected ??= summary(`${predictions} native`, native, truth, []));

    for (const [format, write] of Object.entries(writers))
      for (const named of predictions.startsWith('mcpeval') ? [format, 'auto'] : [format])
        test(`${format} as ${named}`, async () => {
          const records = native.map((event) => wrapped(event, write));
          const flags = ['--format', named, '--response', '/answer'];
          assert.equal(await summary(`${predictions} ${format} ${named}`, records, truth, flags), await expected());
        });

    if (!predictions.startsWith('mcpeval')) return;
    for (const [dialect, write] of [...Object.entries(dialects), ['mixed', mixed] as const])
      test(`whole runs: ${dialect}`, async () => {
        const records = native.map(({ tool_calls: calls, output, ...event }) => ({
          ...event,
          messages: [
            { role: 'user', content: 'do it' },
            ...write({ calls: runCalls((calls ?? []) as readonly NativeCall[]), words: wordsOf(output, calls) }),
          ],
        }));
        const expectedOfRuns = (once.ofRuns ??= summary(`${predictions} runs`, native, truth, [], withoutResults));
        const found = await summary(`${predictions} ${dialect}`, records, truth, [], withoutResults);
        assert.equal(found, await expectedOfRuns);
      });
  });
}

/** A run always ends in a message of the agent. */
function wordsOf(output: unknown, calls: unknown): string | undefined {
  return typeof output === 'string' ? output : calls === undefined ? '' : undefined;
}

/** Calls of a run with what came back. */
function runCalls(calls: readonly NativeCall[]): readonly RunCall[] {
  return calls.map(({ name, arguments: given }, at) => ({
    name,
    arguments: (typeof given === 'string' ? JSON.parse(given) : given) as JsonObject,
    result: { ok: at % 3 > 0, text: 'something' },
  }));
}

async function summary(
  name: string,
  records: readonly object[],
  truth: string,
  flags: string[],
  options = config,
): Promise<string> {
  const file = join(folder, name.replaceAll(/\W/g, '-'));
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const args = [
    'replay',
    '--truth',
    join(traffic, truth),
    '--events',
    file,
    '--windows',
    '--summary',
    '-',
    '-c',
    options,
    ...flags,
  ];
  const { status, stdout, stderr } = await runProgram(args, { cwd: folder });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /"scored": ?[1-9]/);
  return stdout.replace(/"config_hash": *"\w+"/, '').replaceAll(JSON.stringify(file), '"events"');
}
