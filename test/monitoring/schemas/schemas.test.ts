import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { tableFromIPC } from 'apache-arrow';
import { describeArrow } from '../../../packages/monitoring/schemas/arrow-description.ts';
import { isEvent } from '../../../src/formats/prediction/schema.ts';
import { readTruthRecord } from '../../../src/formats/truth/record.ts';
import { testTraffic } from '../../support/e2e-traffic.ts';
import { fixture } from '../../support/fixtures.ts';
import { oddTraffic } from '../../support/odd-traffic.ts';
import { runProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ajv = new Ajv({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv) => void)(ajv);

function validator(name: string): ValidateFunction {
  return ajv.compile(JSON.parse(readFileSync(join('schemas', `${name}.schema.json`), 'utf8')) as object);
}

const [prediction, truthRecord, summary, scoreRow] = ['prediction', 'truth-record', 'summary', 'score-row'].map(
  validator,
) as [ValidateFunction, ValidateFunction, ValidateFunction, ValidateFunction];

function assertValid(validate: ValidateFunction, value: unknown, what: string): void {
  assert.ok(
    validate(value),
    `${what}: ${JSON.stringify(validate.errors?.slice(0, 3))}\n${JSON.stringify(value)?.slice(0, 500)}`,
  );
}

function linesOf(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

interface Traffic {
  readonly events: string;
  readonly truth: string;
}

function recorded(name: string): Traffic {
  return { truth: fixture(`traffic/${name}-truth.ndjson`), events: fixture(`traffic/${name}-predictions.ndjson`) };
}

const traffics: readonly (readonly [string, (folder: string) => Traffic])[] = [
  ['generated', (folder) => testTraffic(folder, 1_000)],
  ['odd', oddTraffic],
  ['MCPEval', () => recorded('mcpeval')],
  ['tau-bench', () => recorded('tau-airline')],
];

for (const [name, make] of traffics)
  for (const mode of ['spec', 'upstream'])
    test(`what replay writes is as the schemas say: ${name} traffic, mode ${mode}`, async (context: TestContext) => {
      const folder = temporaryFolder(context);
      const traffic = make(folder);
      const [out, rows, yaml] = ['s.json', 's.ndjson', 'c.yaml'].map((file) => join(folder, file)) as [
        string,
        string,
        string,
      ];
      writeFileSync(yaml, `metrics: {mode: ${mode}}\nslices: [[model], [tags.team, agent]]\n`);
      const inputs = ['-c', yaml, '--truth', traffic.truth, '--events', traffic.events, '--windows'];
      const outputs = ['--summary', out, '--scores', rows, '--snapshots', folder];
      const { status, stderr } = await runProgram(['replay', ...inputs, ...outputs]);
      assert.equal(status, 0, stderr);
      assertValid(summary, JSON.parse(readFileSync(out, 'utf8')), 'summary');
      for (const row of linesOf(rows)) assertValid(scoreRow, row, 'score row');
      for (const line of linesOf(traffic.truth)) assertValid(truthRecord, line, 'truth record');
      const { scores } = JSON.parse(readFileSync(join(folder, 'latest.json'), 'utf8')) as { scores: string };
      const described = JSON.parse(readFileSync('schemas/scores.arrow.json', 'utf8')) as { columns: unknown };
      assert.deepEqual(describeArrow(tableFromIPC(readFileSync(join(folder, scores))).schema), described.columns);
    });

test('recorded and generated predictions are as their schema says', (context) => {
  const folder = temporaryFolder(context);
  for (const name of ['mcpeval', 'tau-airline', 'when2call'])
    for (const line of linesOf(recorded(name).events)) assertValid(prediction, line, name);
  for (const { value } of testTraffic(folder, 300).records) {
    const parsed = parsedOr(value);
    if (isEvent(parsed)) assertValid(prediction, parsed, 'generated');
  }
});

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

test('an event is refused by the schema where the reader refuses it', () => {
  const cases: readonly Readonly<Record<string, unknown>>[] = [
    ...['example_id', 'event_id'].flatMap((key) => ['', 'x'.repeat(513), 1, {}].map((value) => ({ [key]: value }))),
    ...['model', 'agent'].flatMap((key) => ['__other__', 'x'.repeat(257), 1].map((value) => ({ [key]: value }))),
    ...[true, [], {}].map((ts) => ({ ts })),
    ...[-1, 0.5, '1', true].map((run) => ({ run })),
    ...[1, [], true].map((label) => ({ label })),
    ...['x', {}, [1], ['f'], [null]].map((tool_calls) => ({ tool_calls })),
    ...['x', {}, [1], [null]].map((tools) => ({ tools })),
    ...[1, []].map((error) => ({ error })),
    ...[0, 'true'].map((success) => ({ success })),
  ];
  for (const event of cases) {
    assert.ok(!isEvent(event), JSON.stringify(event));
    assert.ok(!prediction(event), JSON.stringify(event));
  }
  for (const value of [null, 1, 'x', [], [1]]) assert.ok(!prediction(value), JSON.stringify(value));
});

test('what the schema of events takes is read', () => {
  const all = {
    event_id: 'é'.repeat(512),
    ts: 1,
    model: '',
    agent: 'x'.repeat(256),
    tags: { a: 1, b: null },
    run: 0,
    label: 'odd',
  };
  const calls = [{ name: '', arguments: '[' }, { name: 'f', arguments: null, id: 1 }, { name: 'f' }];
  const tools = ['f', { name: 'g', parameters: 1 }, { type: 'function', function: { name: 'h' } }];
  const full = { ...all, tool_calls: calls, tools, output: [], error: '', success: false, more: 1 };
  const nothing = Object.fromEntries(Object.keys(full).map((key) => [key, null]));
  for (const event of [full, nothing, {}]) {
    assertValid(prediction, event, 'event');
    assert.ok(isEvent(event));
  }
  assertValid(prediction, [full, nothing], 'array');
});

test('the schema of truth records and their reader agree', () => {
  const cases: readonly (readonly [unknown, boolean])[] = [
    [{ example_id: 'a' }, true],
    [{ example_id: 'a', label: null, tools: null, expected_tool_calls: null, reference: null, more: 1 }, true],
    [{ example_id: 'a', tools: ['f', { name: 'g', parameters: null }, { type: 'function', function: {} }] }, true],
    [
      {
        example_id: 'a',
        expected_tool_calls: [{ name: '' }, { name: 'f', arguments: '{}' }, { name: 'f', arguments: {} }],
      },
      true,
    ],
    [{}, false],
    [{ example_id: '' }, false],
    [{ example_id: 'a', label: 'invalid' }, false],
    [{ example_id: 'a', tools: [1] }, false],
    [{ example_id: 'a', tools: [{}] }, false],
    [{ example_id: 'a', expected_tool_calls: ['f'] }, false],
    [{ example_id: 'a', expected_tool_calls: [{ arguments: {} }] }, false],
    [{ example_id: 'a', expected_tool_calls: [{ name: 'f', arguments: [] }] }, false],
    [[], false],
  ];
  for (const [record, good] of cases) {
    const text = JSON.stringify(record);
    assert.equal(truthRecord(record), good, text);
    assert.equal(!('problem' in readTruthRecord(text)), good, text);
  }
});

test('the schemas of what comes out leave no room for what nobody described', async (context) => {
  const folder = temporaryFolder(context);
  const { events, truth } = oddTraffic(folder);
  const [out, rows] = [join(folder, 's.json'), join(folder, 's.ndjson')];
  await runProgram(['replay', '--truth', truth, '--events', events, '--summary', out, '--scores', rows]);
  const whole = JSON.parse(readFileSync(out, 'utf8')) as { groups: Record<string, Record<string, unknown>>[] };
  const [row] = linesOf(rows) as Record<string, unknown>[];
  assertValid(summary, whole, 'summary');
  const spoiled = (change: (copy: typeof whole) => void): unknown => {
    const copy = structuredClone(whole);
    change(copy);
    return copy;
  };
  for (const change of [
    (copy: typeof whole) => Object.assign(copy, { more: 1 }),
    (copy: typeof whole) => Object.assign(copy.groups[0]!['decision']!, { more: 1 }),
    (copy: typeof whole) => Object.assign(copy.groups[0]!['decision']!, { accuracy: 0.5 }),
    (copy: typeof whole) => delete copy.groups[0]!['trajectory']!['strict'],
  ])
    assert.ok(!summary(spoiled(change)));
  for (const change of [{ more: 1 }, { ts: 'yesterday' }, { source: {} }, { decision: {} }, { run: -1 }])
    assert.ok(!scoreRow({ ...row, ...change }), JSON.stringify(change));
});
