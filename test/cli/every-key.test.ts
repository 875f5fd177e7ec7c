import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import {
  bucketKeys,
  doorKeys,
  everyKey,
  fileKeys,
  impatientKeys,
  insideKeys,
  judgeKeys,
  keysIn,
  loginKeys,
  nested,
  registryKeys,
  secureKeys,
  serviceKeys,
} from '../support/every-key.ts';
import { keyTraffic } from '../support/key-traffic.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/*
 * Every key of the configuration runs with a value other than its default. A key that a replay reads runs here, by
 * itself, and must change what comes out; a new key is taken for one of these. The others run with a broker (test/e2e/every-key.test.ts).
 */

const onlyService =
  /^(kafka|ingest|feedback|judge|run|state|s3|http|page|files|links|log)\b|^metrics\.(semantic|judge)\b|^(input\.topics|truth\.watch|time\.(max_future|idle_after)|snapshots\.(dir|every|keep|format)|limits\.(series|score_rows|revisable|batch_bytes|blames)|grace)$/;

/** Values for keys whose example changes nothing for so few events. */
const values: Readonly<Record<string, unknown>> = {
  'truth.paths': ['other-truth.ndjson'],
  'truth.fields': { label: '=direct' },
  'input.request': '/asked',
  'tools.rename': [{ from: 'book', to: 'reserve' }],
  'metrics.trajectory.order_threshold': 2,
  'metrics.match.overrides': { book: 'ignore' },
  'snapshots.tags': ['region'],
  'limits.pending': 1,
  'limits.open_runs': 1,
  'runs.idle': '5s',
  'runs.steps': 2,
  'limits.dedupe_ids': 1,
  'limits.stability_groups': 1,
  'limits.slices': 1,
  'limits.names': 1,
  'limits.breakdowns': 1,
  'limits.groups_exported': 1,
  'limits.record_bytes': 200,
  'limits.depth': 4,
  'limits.elements': 1,
  'limits.calls': 2,
  'limits.values': 50,
  'limits.truth_load': '1ms',
};

/** Answers to one example are steps of a run; with the key, unless the value is that of no key. */
function ofRuns(key: string) {
  return (value: unknown): Record<string, unknown> => {
    const { runs, ...rest } = typeof value === 'object' ? {} : nested(key, value);
    return { ...rest, runs: { by: 'example', ...(runs as object | undefined) } };
  };
}

/** Settings for a value of a key that needs another one. */
const besides: Readonly<Record<string, (value: unknown) => Record<string, unknown>>> = {
  'runs.end': ofRuns('runs.end'),
  'runs.idle': ofRuns('runs.idle'),
  'runs.steps': ofRuns('runs.steps'),
  'limits.open_runs': ofRuns('limits.open_runs'),
  'truth.fields': (fields) => ({ truth: { paths: ['truth.ndjson'], fields } }),
  'metrics.match.overrides': (overrides) => nested('metrics.match', { profile: 'agentevals.superset', overrides }),
};

/** The two modes are one in these families (docs/reference/scoring.md, "tool_calls" and "structured"). */
const same = ['metrics.tool_calls.mode', 'metrics.structured.mode'];

const folder = temporaryFolder({ after });
keyTraffic(folder);

const keys = await everyKey();
const base = await outcome('base', {});

test('a replay of the same gives the same', async () => {
  assert.deepEqual(await outcome('again', {}), base);
});

describe('a key that a replay reads changes what comes out', { concurrency: 3 }, () => {
  for (const [key, example] of keys) {
    if (onlyService.test(key)) continue;
    test(key, async () => {
      const value = values[key] ?? example;
      const beside = besides[key];
      const without = beside === undefined ? base : await outcome(`${key} beside`, beside({}));
      const changed = await outcome(key, beside?.(value) ?? nested(key, value));
      assert.equal(changed.status, key === 'limits.truth_load' ? 1 : 0, changed.stderr);
      if (same.includes(key)) assert.deepEqual(changed, base);
      else assert.notDeepEqual(changed, without, `${key}: ${JSON.stringify(value)} changes nothing`);
    });
  }
});

test('every other key runs with a broker', () => {
  const world = {
    brokers: [],
    topic: '',
    truthTopic: '',
    feedbackTopic: '',
    deadLetterTopic: '',
    group: '',
    truth: '',
    folder: '',
  };
  const options = { ...world, port: 1, from: '' };
  const run = new Set([
    ...fileKeys,
    ...judgeKeys,
    ...bucketKeys,
    ...insideKeys,
    ...keysIn(serviceKeys(options)),
    ...keysIn(impatientKeys(options)),
    ...secureKeys,
    ...loginKeys,
    ...doorKeys,
    ...registryKeys,
  ]);
  assert.deepEqual(
    [...keys.keys()].filter(
      (key) => onlyService.test(key) && ![...run].some((one) => one === key || one.startsWith(`${key}.`)),
    ),
    [],
  );
});

interface Outcome {
  readonly status: number | null;
  readonly stderr: string;
  readonly files: readonly (readonly string[])[];
}

/** All that a replay gives under a configuration: status, messages and files, but for the hash of the configuration. */
async function outcome(name: string, config: Record<string, unknown>): Promise<Outcome> {
  const out = join(folder, name);
  mkdirSync(out);
  const { truth = { paths: ['truth.ndjson'] }, ...rest } = config;
  writeFileSync(join(folder, `${name}.yaml`), JSON.stringify({ truth, ...rest }));
  const files = { summary: 'summary.json', scores: 'rows.ndjson', snapshots: 'snapshots', rejects: 'rejects.ndjson' };
  const flags = Object.entries(files).flatMap(([flag, file]) => [`--${flag}`, join(name, file)]);
  const args = ['replay', '-c', `${name}.yaml`, '--events', 'events.ndjson', '--windows', '--allow-empty', ...flags];
  const { status, stderr } = await runProgram(args, { cwd: folder });
  const written = readdirSync(out, { recursive: true, encoding: 'utf8' }).sort();
  const contents = written
    .filter((file) => statSync(join(out, file)).isFile())
    .map((file) => [file, contentOf(join(out, file)).replace(/"config_hash": *"\w+"/, '')]);
  // The commands that it names have the configuration of this replay.
  return { status, stderr: stderr.replaceAll(`${name}.yaml`, 'assay.yaml'), files: contents };
}

/** The text of a file; of an Arrow file its rows, since the library numbers dictionaries within a process. */
function contentOf(path: string): string {
  const bytes = readFileSync(path);
  return path.endsWith('.arrow') ? `${tableFromIPC(bytes)}` : bytes.toString('latin1');
}
