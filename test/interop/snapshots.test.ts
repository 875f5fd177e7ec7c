import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testTraffic } from '../support/e2e-traffic.ts';
import { expectedAggregates, expectedScore } from '../support/expected-snapshots.ts';
import { oddTraffic } from '../support/odd-traffic.ts';
import { runProgram } from '../support/program.ts';
import { type ArrowRead, readArrow, withPython } from '../support/python.ts';
import { runs } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const readers = ['pyarrow', 'polars', 'pandas'] as const;

type Row = Readonly<Record<string, unknown>>;

interface Replayed {
  readonly summary: { readonly as_of: string; readonly groups: readonly Row[] };
  /** Score rows as NDJSON gives them. */
  readonly rows: readonly Row[];
  readonly scores: string;
  readonly latest: { readonly as_of: string | null; readonly aggregates: string; readonly scores: string | null };
  readonly snapshots: string;
}

async function replayed(
  folder: string,
  traffic: { readonly events: string; readonly truth: string },
  config: object,
): Promise<Replayed> {
  const [summary, lines, scores, snapshots, yaml] = ['s.json', 's.ndjson', 's.arrow', 'snapshots', 'c.yaml'].map(
    (name) => join(folder, name),
  ) as [string, string, string, string, string];
  writeFileSync(yaml, JSON.stringify(config));
  const inputs = ['replay', '--truth', traffic.truth, '--events', traffic.events, '-c', yaml, '--windows'];
  for (const outputs of [
    ['--summary', summary, '--scores', scores, '--snapshots', snapshots],
    ['--scores', lines],
  ]) {
    const { status, stderr } = await runProgram([...inputs, ...outputs]);
    assert.equal(status, 0, stderr);
  }
  return {
    summary: JSON.parse(readFileSync(summary, 'utf8')) as Replayed['summary'],
    rows: readFileSync(lines, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row),
    scores,
    latest: JSON.parse(readFileSync(join(snapshots, 'latest.json'), 'utf8')) as Replayed['latest'],
    snapshots,
  };
}

withPython('snapshots, read by pyarrow, Polars and pandas', (python) => {
  const read = async (paths: readonly string[]): Promise<ArrowRead[]> =>
    await readArrow(
      python,
      paths.flatMap((path) => readers.map((reader) => ({ path, reader }))),
    );

  for (const [name, traffic, config] of [
    [
      'generated traffic',
      (folder: string) => testTraffic(folder, runs(300, 1_500)),
      { slices: [['model'], ['agent'], ['model', 'agent']] },
    ],
    ['odd traffic', oddTraffic, { slices: [['tags.team'], ['model', 'tags.team']], snapshots: { scores: 'all' } }],
    [
      'one family',
      oddTraffic,
      {
        metrics: Object.fromEntries(
          ['decision', 'tool_calls', 'arguments', 'stability', 'schema', 'structured'].map((family) => [
            family,
            { enabled: false },
          ]),
        ),
      },
    ],
  ] as const) {
    test(`${name}: what replay writes is what its summary and its NDJSON rows say`, async (context: TestContext) => {
      const folder = temporaryFolder(context);
      const { summary, rows, scores, latest, snapshots } = await replayed(folder, traffic(folder), config);
      const stamp = summary.as_of.replace(/[-:]|\.\d+/g, '');
      assert.deepEqual(latest, {
        as_of: summary.as_of,
        aggregates: `aggregates-${stamp}.arrow`,
        scores: `scores-${stamp}.arrow`,
      });
      assert.deepEqual(readdirSync(snapshots).sort(), ['latest.json', latest.aggregates, latest.scores].sort());
      const files = [scores, join(snapshots, latest.scores!), join(snapshots, latest.aggregates)];
      const dimensions = [
        ...new Set((('slices' in config ? config.slices : [['model'], ['agent']]) as string[][]).flat()),
      ];
      const wantAll = 'snapshots' in config;
      const expected = [
        rows.map(expectedScore),
        rows.filter((row) => wantAll || isFailed(row)).map(expectedScore),
        expectedAggregates(summary, dimensions),
      ];
      const answers = await read(files);
      answers.forEach(({ rows: found, metadata }, at) => {
        const wanted = expected[Math.floor(at / readers.length)]!;
        assert.equal(found.length, wanted.length, `${readers[at % 3]}: ${files[Math.floor(at / 3)]}`);
        found.forEach((row, index) => void assert.deepEqual(row, wanted[index], readers[at % 3]));
        if (metadata !== undefined) assert.deepEqual(metadata, { 'assay.rows': String(wanted.length) });
      });
    });
  }

  test('nothing read: no snapshot, and latest.json says so', async (context) => {
    const folder = temporaryFolder(context);
    const { truth } = oddTraffic(folder);
    const events = join(folder, 'empty.ndjson');
    writeFileSync(events, '');
    const scores = join(folder, 's.arrow');
    const flags = ['replay', '--truth', truth, '--events', events, '--scores', scores, '--snapshots', folder];
    assert.equal((await runProgram([...flags, '--allow-empty'])).status, 0);
    const latest = JSON.parse(readFileSync(join(folder, 'latest.json'), 'utf8')) as object;
    assert.deepEqual(latest, { as_of: null, aggregates: null, scores: null });
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.tmp')),
      [],
    );
    for (const { rows } of await read([scores])) assert.deepEqual(rows, []);
  });
});

/** A failed prediction, as the page of a score row shows it. */
function isFailed(row: Row): boolean {
  const {
    decision,
    tool_calls,
    trajectory,
    schema,
    arguments: args,
    structured,
    tool_use: use,
  } = row as Record<string, Record<string, unknown> & Record<'strict' | 'flexible', Record<string, unknown>>>;
  return [
    decision && decision['correct'] !== true,
    tool_calls && !tool_calls['skipped'] && [tool_calls.strict, tool_calls.flexible].some(({ f1 }) => f1 !== 1),
    trajectory && [trajectory.strict, trajectory.flexible].some(({ success }) => success !== true),
    schema && !schema['skipped'] && schema['execution'] !== true,
    args && !args['skipped'] && (args['call_exact'] !== true || args['valid_call'] !== true),
    structured && structured['exact_match'] !== true,
    use && ['malformed', 'failed_calls', 'unanswered'].some((name) => use[name] !== 0),
    use && (use['loop'] === true || ['unknown', 'invalid'].some((name) => (use[name] as unknown[]).length > 0)),
  ].some(Boolean);
}
