import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/*
 * Events and truth in the envelopes of shippers of records are refused by the envelope's name, with options that read them: what the
 * message says to type gives the numbers of the records without envelopes.
 */

const cwd = temporaryFolder({ after });
const calls = [{ name: 'get_weather', arguments: { city: 'Oslo' } }];
const events = ['e0', 'e1', 'e2'].map((id) => ({
  example_id: id,
  model: 'm',
  ts: 1_777_636_800_000,
  tool_calls: calls,
}));
const truth = ['e0', 'e1', 'e2'].map((id) => ({ example_id: id, label: 'tool_call', expected_tool_calls: calls }));

type Wrap = (content: object) => object;
const wraps: readonly (readonly [name: string, wrap: Wrap])[] = [
  ['Kafka Connect', (content) => ({ schema: { type: 'struct' }, payload: content })],
  ['Kafka Connect', (content) => ({ schema: null, payload: JSON.stringify(content) })],
  ['Debezium', (content) => ({ before: null, after: content, op: 'c', ts_ms: 1 })],
  ['CloudEvents', (content) => ({ specversion: '1.0', id: 'x', source: 's', type: 't', data: content })],
  [
    'Filebeat',
    (content) => ({
      ...{ '@timestamp': '2026-05-01T12:00:00Z', '@metadata': { beat: 'filebeat' } },
      message: JSON.stringify(content),
    }),
  ],
  [
    'Filebeat',
    (content) => ({
      ...{ '@timestamp': '2026-05-01T12:00:00Z', agent: { type: 'filebeat', version: '8.1' } },
      message: JSON.stringify(content),
    }),
  ],
  ['Fluent Bit', (content) => ({ date: 1.5, log: `${JSON.stringify(content)}\n`, stream: 'stdout' })],
  ['Vector', (content) => ({ message: content, source_type: 'file' })],
];

function write(name: string, records: readonly object[]): void {
  writeFileSync(join(cwd, name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

async function accuracy(...args: readonly string[]): Promise<{ readonly stderr: string; readonly value: unknown }> {
  const { stderr } = await runProgram(['replay', '--summary', 'sums.json', ...args], { cwd });
  const { groups } = JSON.parse(readFileSync(join(cwd, 'sums.json'), 'utf8')) as {
    readonly groups: readonly { readonly decision: { readonly accuracy: { readonly value: number } } | null }[];
  };
  return { stderr, value: groups[0]!.decision?.accuracy };
}

write('plain.ndjson', events);
write('truth.ndjson', truth);
const plain = (await accuracy('--events', 'plain.ndjson', '--truth', 'truth.ndjson')).value;

for (const [at, [name, wrap]] of wraps.entries()) {
  test(`an event in an envelope of ${name} (${at + 1}) is refused by name; the options in the message read it`, async () => {
    write('events.ndjson', events.map(wrap));
    const args = ['--events', 'events.ndjson', '--truth', 'truth.ndjson'];
    const { stderr } = await accuracy(...args, '--format', 'assay', '--allow-empty');
    assert.match(
      stderr,
      new RegExp(`3  events rejected \\((?:no_decision|schema)\\)\\n[^]*the record is an envelope of ${name}`),
    );
    const [, options] = /\(replay: (--format [^)]+)\)/.exec(stderr)!;
    assert.deepEqual((await accuracy(...args, ...options!.split(' '))).value, plain);
  });

  test(`truth in an envelope of ${name} (${at + 1}) is refused by name; the options in the message read it`, async () => {
    write('wrapped.ndjson', truth.map(wrap));
    const args = ['replay', '--events', 'plain.ndjson', '--truth', 'wrapped.ndjson'];
    const { status, stderr } = await runProgram(args, { cwd });
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`wrapped\\.ndjson, line 1: the record is an envelope of ${name}`));
    const options = [...stderr.matchAll(/--truth-field \S+/g)].flatMap(([option]) => option.split(' '));
    assert.deepEqual((await accuracy(...args.slice(1), ...options)).value, plain);
  });
}

test('values in the JSON encoding of Avro are refused by its name', async () => {
  const encoded = events.map(({ example_id }) => ({ example_id: { string: example_id }, label: { string: 'direct' } }));
  write('avro.ndjson', encoded);
  const { stderr } = await accuracy('--events', 'avro.ndjson', '--truth', 'truth.ndjson', '--allow-empty');
  assert.match(stderr, /3 {2}events rejected \(schema\)\n[\s\S]*its values are in the JSON encoding of Avro/);
});
