import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputRow } from '../../src/view/input-report.ts';
import { withKafka } from '../support/kafka.ts';
import { runProgram } from '../support/program.ts';
import { serviceConfig, startService, stateSummary } from '../support/service.ts';
import { until } from '../support/until.ts';
import { sceneOf } from '../support/scene.ts';

const truth = [{ example_id: 'a', label: 'tool_call', expected_tool_calls: [{ name: 'f', arguments: {} }] }];
const good = '{"example_id":"a","model":"m","tool_calls":[{"name":"f","arguments":{}}]}';
const cutOff = '{"example_id":"a","model":"m","tool_calls":[{"name":"f","arguments":"{\\"secret\\": "}]}';
const misspelt = '{"example_id":"a","model":"m","output":"x","toolCalls":[{"name":"f"}]}';

const json = `the record is not JSON: Unexpected token 'o', "no json" is not valid JSON; send one JSON object, or an array of objects`;
const all = { 'rejected.not_json': 1, malformed_calls: 2, unparsed_arguments: 2, labels_missing: 2, near_names: 2 };

interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly kind?: string;
  readonly count?: number;
  readonly first?: string | null;
  readonly value?: string | null;
}

/** What a run logged of its input, by kind. */
function inputLines(log: string): Record<string, readonly unknown[]> {
  const lines = log.trim().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as LogLine).filter(({ msg }) => msg.startsWith('input: '));
  return Object.fromEntries(parsed.map(({ kind, level, count, first, value }) => [kind, [level, count, first, value]]));
}

const counts = (rows: readonly InputRow[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));

/** What a service that has nothing left to read says of its input. */
async function shownBy(config: string): Promise<readonly InputRow[]> {
  const service = startService(config);
  const url = await service.url();
  await until('the partition is restored', async () => (await fetch(`${url}/readyz`)).ok);
  const { input } = (await service.summary()) as unknown as { readonly input: readonly InputRow[] };
  assert.equal(await service.stop(), 0);
  return input;
}

withKafka('what was wrong with the input of a topic', (kafka) => {
  test('is logged with its first place, counted once over restarts, shown over HTTP, and stays hidden where arguments do', async (context) => {
    const { topic, settings, state } = await sceneOf(context, kafka(), truth);
    const produce = (values: readonly string[]) =>
      kafka().produce(
        topic,
        values.map((value) => ({ key: 'k', value })),
      );

    await produce([good, 'no json', cutOff, misspelt, misspelt]);
    const first = await runProgram(['run', '-c', serviceConfig(settings), '--until-end']);
    assert.equal(first.status, 0, first.stderr);
    assert.deepEqual(inputLines(first.stderr), {
      'rejected.not_json': ['warn', 1, `${topic}/0:1`, json],
      malformed_calls: ['warn', 1, `${topic}/0:2`, '{"name": "f", "arguments": "{\\"secret\\": "}'],
      unparsed_arguments: ['warn', 1, `${topic}/0:2`, '"{\\"secret\\": "'],
      labels_missing: ['warn', 2, `${topic}/0:3`, null],
      near_names: ['warn', 2, `${topic}/0:3`, 'toolCalls: meant as tool_calls?'],
    });
    assert.match(
      first.stdout,
      /^4 of 5 events scored, coverage 80\.0 % .*\n {2}malformed_calls 1, rejected\.not_json 1$/m,
    );
    assert.match(first.stdout, /^model=m +4 +25\.0 % .* +50\.0 % \[/m);

    await produce([cutOff]);
    const hiding = serviceConfig({ ...settings, more: { http: { redact: ['secret'] } } });
    const second = await runProgram(['run', '-c', hiding, '--until-end']);
    assert.deepEqual(inputLines(second.stderr), {
      malformed_calls: ['warn', 1, `${topic}/0:5`, null],
      unparsed_arguments: ['warn', 1, `${topic}/0:5`, null],
    });
    assert.ok(!(second.stderr + second.stdout).includes('secret'));
    const saved = (await stateSummary(state)) as unknown as { readonly input: readonly InputRow[] };
    assert.deepEqual(counts(saved.input), all);

    const shown = await shownBy(serviceConfig(settings));
    assert.deepEqual(counts(shown), all);
    assert.ok(shown.every(({ first }) => first === null));
  });
});
