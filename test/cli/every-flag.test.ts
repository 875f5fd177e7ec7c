import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { everyFlag, serviceFlags } from '../support/every-key.ts';
import { keyTraffic } from '../support/key-traffic.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/*
 * Every command and flag that the help of the built program names runs on it, and does what it is there for. Those that need a broker, or
 * checkpoints of a service, run in test/e2e/every-key.test.ts.
 */

const cwd = temporaryFolder({ after });
keyTraffic(cwd);
writeFileSync(join(cwd, 'assay.yaml'), '{truth: {paths: [truth.ndjson]}, http: {port: 0}, metrics: {mode: upstream}}');
writeFileSync(join(cwd, 'bad.ndjson'), `${readFileSync(join(cwd, 'truth.ndjson'), 'utf8')}nonsense\n`);
writeFileSync(join(cwd, 'few.yaml'), '{limits: {calls: 1}}');
writeFileSync(join(cwd, 'other.ndjson'), '{"example_id":"other","label":"direct"}\n');
writeFileSync(join(cwd, 'many.ndjson'), '{"example_id":"m","expected_tool_calls":[{"name":"f"},{"name":"g"}]}\n');

writeFileSync(join(cwd, 'judgements.ndjson'), '{"judgement":"judge","example_id":"a","score":7,"ts":1780000000000}\n');
writeFileSync(join(cwd, 'feedback.ndjson'), '{"about":{"example_id":"nobody"},"by":"human:ann","correct":true}\n');
writeFileSync(join(cwd, 'w2c.jsonl'), '{"uuid":"u","correct_answer":"direct","tools":[]}\n');

const oslo = { name: 'book', arguments: { city: 'Oslo' } };
writeFileSync(join(cwd, 'said.ndjson'), `${JSON.stringify({ example_id: 'o', expected_tool_calls: [oslo] })}\n`);
const norway = { ...oslo, arguments: { city: 'Oslo, Norway' } };
const says = ['a', 'b'].map((model) => ({ example_id: 'o', ts: 1_780_000_000_000, model, tool_calls: [norway] }));
writeFileSync(join(cwd, 'says.ndjson'), says.map((event) => `${JSON.stringify(event)}\n`).join(''));

const passed = {
  judgement: 'judge',
  example_id: 'o',
  ts: 1_780_000_000_000,
  model: 'a',
  score: 7,
  by: 'j',
  exact: false,
};
const corrected = { about: { example_id: 'o' }, id: 'c', ts: '2026-05-01', by: 'human:ann', correct: true };
writeFileSync(
  join(cwd, 'corrected.ndjson'),
  JSON.stringify({ ...corrected, outcome: { refund: 2 }, expected: { tool_calls: [norway] } }),
);

writeFileSync(join(cwd, 'passes.ndjson'), `${JSON.stringify(passed)}\n`);

writeFileSync(join(cwd, 'calls.csv'), 'id,tool,args\no,book,"{""city"":""Oslo""}"\r\np,,\n');
writeFileSync(
  join(cwd, 'items.ndjson'),
  '{"id":"i","case":"o","decision":"direct","input":{},"expected_output":{"tool_calls":[{"name":"book","args":{}}]}}\n' +
    '{"id":"j","case":"p","input":{},"expected_output":"Booked."}\n',
);
writeFileSync(
  join(cwd, 'kept.ndjson'),
  '{"example_id":"k","case":"c","label":"direct","expected_tool_calls":[{"name":"book"}]}\n',
);
writeFileSync(join(cwd, 'bfcl.ndjson'), '{"id":"irrelevance_0","function":[]}\n{"id":"live_simple_1","function":[]}\n');
writeFileSync(join(cwd, 'lost.yaml'), 'truth: {paths: [lost.arrow]}\n');
const truthFields =
  '--truth-field example_id=/id --truth-field expected_tool_calls.name=/tool --truth-field expected_tool_calls.arguments=/args';

const contentOf = (name: string): string => readFileSync(join(cwd, name), 'utf8');

interface Run {
  /** Its arguments, between single spaces. */
  readonly args: string;
  readonly status?: number;
  /** What standard output and standard error say. */
  readonly says?: RegExp;
  /** What lies in a file afterwards. */
  readonly writes?: Readonly<Record<string, RegExp>>;
}

const files = '--truth truth.ndjson --events events.ndjson';
const replay = `replay ${files}`;
const said = '--truth said.ndjson --events says.ndjson';
const inputFlags = '--format mapping --field model=/model --request /asked --response /none --runs-by off';
const drillFlags = '--metric decision.accuracy --size 0.5 --for 1m --every 1h --seed 2 --json';

const runs: readonly Run[] = [
  { args: '--version', says: /^\d+\.\d+\.\d+\n$/ },
  { args: `${replay} --rejects rejects.ndjson`, says: /^total /m, writes: { 'rejects.ndjson': /no_truth/ } },
  {
    args: `${replay} --summary a.json --windows --scores rows.ndjson --snapshots snapshots`,
    writes: { 'a.json': /"window": "5m"/, 'rows.ndjson': /"example_id"/, 'snapshots/latest.json': /aggregates/ },
  },
  { args: `${replay} --format assay --field example_id=/example_id --rejects -`, says: /no_truth/ },
  { args: `${replay} --response /none --rejects - --all`, status: 1, says: /\/none: is absent; name the place/ },
  { args: `${replay} --format mapping --request /asked --runs-by off`, says: /^model=asked /m },
  { args: `${replay} --gate accuracy>=1 --gate accuracy>0`, status: 3, says: /gate ✗ accuracy>=1: / },
  { args: `${replay} --report junit=junit.xml`, writes: { 'junit.xml': /<testsuite name="assay.examples/ } },
  { args: `${replay} --gate accuracy>0 --allow-unread`, says: /gate ✓ accuracy>0: / },
  { args: `${replay} --truth other.ndjson --allow-empty`, says: /events without truth/ },
  { args: 'replay --config assay.yaml --events events.ndjson --summary -', says: /"upstream"/ },
  { args: `${replay} --pending pending.ndjson`, writes: { 'pending.ndjson': /^\{"example_id"/ } },
  { args: 'convert --events events.ndjson --output native.ndjson', writes: { 'native.ndjson': /"ts":/ } },
  {
    args: 'convert --events events.ndjson --format mapping --field model=/model --config assay.yaml',
    says: /events written/,
  },
  { args: 'convert --events events.ndjson --from inspect', status: 1, says: /has no samples/ },
  { args: 'convert --events events.ndjson --response /none --rejects -', status: 1, says: /is absent/ },
  { args: 'convert --events events.ndjson --format mapping --request /asked --runs-by off', says: /asked/ },
  {
    args: `explain ${said} --id o`,
    says: /wrong_value of book at city\n {2}expected {2}"Oslo"\n {2}actual {4}"Oslo, Norway"/,
  },
  {
    args: `explain ${said} --id o --feedback corrected.ndjson`,
    says: /^feedback c, 2026-05-01T00:00:00\.000Z: human says right; refund 2; its expectation holds\nmatch: .* 1 of 1 expected/m,
  },
  { args: `explain ${said} --id none --format assay`, status: 1, says: /none of 2 scored events has/ },
  {
    args: 'explain --events events.ndjson --id x --config assay.yaml --field model=/model',
    status: 1,
    says: /has the example_id or event_id x/,
  },
  {
    args: `explain ${said} --id o --response /none --request /asked --runs-by off`,
    status: 2,
    says: /none of 2 events was scored/,
  },
  {
    args: `truth suspects ${said}`,
    says: /"models":\["a","b"\].*"remedy":\{"accept":\[\{"expected_call":0,"rules":\{"city":\{"any":\["Oslo, Norway"\]\}\}\}\]\}\}\n/,
  },
  {
    args: `truth suspects ${said} --models 3 --judgements passes.ndjson`,
    says: /"models":\["a","b"\],"of_models":2,"events":2,"right_models":0,"judges":\["j"\]/,
  },
  { args: `truth suspects ${said} --feedback feedback.ndjson`, says: /feedback on 0 events conflicts/ },
  { args: `truth suspects ${said} --models 3 --format assay`, says: /^0 of 1 examples are suspect/m },
  {
    args: 'truth suspects --events events.ndjson --config assay.yaml --field model=/model',
    says: /examples are suspect/,
  },
  { args: `truth suspects ${said} --response /none --request /asked --runs-by off`, says: /^0 of 0 examples/m },
  { args: `judge ${said} --output judged.ndjson --human ann`, says: /0 judged, \d left, judged\.ndjson/ },
  {
    args: 'judge --events events.ndjson -o judged.ndjson --config assay.yaml --field model=/model',
    status: 2,
    says: /no judge is configured/,
  },
  { args: `judge ${said} --human ann -o none.ndjson --format assay`, says: /0 judged/ },
  {
    args: `judge ${said} --human ann -o none.ndjson --response /none --request /asked --runs-by off`,
    says: /0 judged, 0 left/,
  },
  { args: `${replay} --feedback feedback.ndjson --summary -`, says: /"human":\{"n":3/ },
  { args: `${replay} --judgements judgements.ndjson --summary -`, says: /"judge":\{"n":1|"n": 1/ },
  { args: 'init --from gemini started', writes: { 'started/assay.yaml': /format: gemini/ } },
  { args: 'truth build truth.ndjson --output truth.arrow', writes: { 'truth.arrow': /^ARROW1/ } },
  {
    args: 'truth build many.ndjson -o no.arrow --config few.yaml',
    status: 1,
    says: /many\.ndjson:1: expected_tool_calls: holds 2 calls, limits\.calls allows 1; /,
  },
  { args: 'truth build w2c.jsonl --from when2call -o w2c.arrow', says: /1 rows/ },
  { args: 'truth build w2c.jsonl --from w2c -o no.arrow', status: 2, says: /--from w2c is none of/ },
  {
    args: 'truth build bfcl.ndjson --from bfcl -o no.arrow',
    status: 1,
    says: /1 records of bfcl are not whole; one lacks/,
  },
  { args: 'truth build bfcl.ndjson --from bfcl --skip-invalid -o b.arrow', says: /^skipped: .*not whole.*\n.*1 rows/ },
  { args: 'truth build bad.ndjson -o no.arrow', status: 1, says: /bad\.ndjson:11: not JSON/ },
  {
    args: 'truth build bad.ndjson -o b.arrow --skip-invalid',
    says: /^skipped: bad\.ndjson:11: not JSON .*\n.*: 10 rows, .*, 1 records skipped/,
  },
  { args: 'truth build many.ndjson -o many.arrow', says: /1 rows/ },
  {
    args: 'truth build items.ndjson --from opik --id /case -o items.ndjson.out',
    says: /1 {2}expected answers in free text.*first at items\.ndjson:2; .*\n.*: 1 rows, 1 with expected calls/,
  },
  {
    args: 'truth build items.ndjson --from opik --truth-field label=/decision -o items.parquet',
    says: /: 1 rows/,
    writes: { 'items.parquet': /^PAR1/ },
  },
  { args: 'truth build calls.csv --from opik -o no.arrow', status: 1, says: /2 {2}records of another kind/ },
  {
    args: 'truth build says.ndjson --from events --agree 2 --run 0 -o agreed.ndjson',
    writes: { 'agreed.ndjson': /^\{"example_id":"o","label":"tool_call","expected_tool_calls":\[\{"name":"book"/ },
  },
  {
    args: 'truth build says.ndjson --from events --model c -o no.arrow',
    status: 1,
    says: /2 {2}events of other models/,
  },
  { args: `truth build says.ndjson --from events ${inputFlags} -o no.arrow`, status: 1, says: /\/none: is absent/ },
  { args: 'truth build says.ndjson --model a -o no.arrow', status: 2, says: /give --from events/ },
  {
    args: 'replay --truth kept.ndjson --events events.ndjson --allow-empty --summary -',
    says: /"kind":"truth_label","count":1,.*"remedy":"see them with assay truth check"/,
  },
  { args: 'truth check kept.ndjson', says: /^\{"kind":"label","example_id":"k",.*\n1 rows; label 1\n/ },
  { args: 'truth check kept.ndjson --strict --id /case --config assay.yaml', status: 3, says: /"example_id":"c"/ },
  { args: 'truth check calls.csv --id /id --truth-field label=/no', status: 1, says: /label .*: no record holds/ },
  {
    args: 'truth inspect many.arrow --config few.yaml',
    status: 1,
    says: /many\.arrow, row 0, column expected_tool_calls: /,
  },
  { args: 'truth inspect truth.arrow', says: /"rows": 10/ },
  {
    args: 'truth build calls.csv -o no.arrow',
    status: 1,
    says: /:2: nothing reads tool, args, .* --truth-field example_id=\/id/,
  },
  {
    args: `truth build calls.csv -o calls.arrow ${truthFields}`,
    says: /2 rows, 2 with expected calls, 0 with a label/,
  },
  { args: `truth inspect calls.csv ${truthFields}`, says: /"expected_tool_calls": 2/ },
  { args: `truth suspects --truth calls.csv --events says.ndjson ${truthFields}`, says: /1 of 1 examples are suspect/ },
  { args: `explain --id o --truth calls.csv --events says.ndjson ${truthFields}`, says: /city/ },
  { args: `judge --truth calls.csv --events says.ndjson --human ann -o none.ndjson ${truthFields}`, says: /judged/ },
  { args: `replay --truth calls.csv --events says.ndjson ${truthFields}`, says: /2 of 2 events scored/ },
  {
    args: `replay --truth calls.csv --events says.ndjson ${truthFields} --truth-field label=/no`,
    status: 1,
    says: /truth\.fields\.label .*: no record holds/,
  },
  { args: 'replay --truth - --events -', status: 2, says: /only one can be read from stdin/ },
  { args: 'config check --config lost.yaml', says: /truth\.paths: lost\.arrow: cannot be read/ },
  { args: 'report a.json --output r.html', writes: { 'r.html': /Assay report/ } },
  { args: 'compare a.json a.json#model=m --metric decision.accuracy', says: /"gap":/ },
  { args: 'mcp a.json', says: /^$/ },
  { args: 'mcp --url file:a.json', status: 2, says: /is no HTTP address/ },
  { args: 'compare a.json a.json --report junit=c.xml', writes: { 'c.xml': /name="assay.compare.a.json"/ } },
  { args: 'compare a.json a.json --fail-on worse --output c.html', writes: { 'c.html': /comparison/ } },
  {
    args: 'watch design --baseline 0.05 --worst 0.1 --cases-per-day 1000 --false-alarm-every 10d',
    says: /^ *5 % +1\d,\d{3} /m,
  },
  {
    args: 'watch design --baseline 0.05 --worst 0.052 --cases-per-day 1000',
    status: 2,
    says: /worst 0\.052 must lie at least 0\.005 above the baseline 0\.05/,
  },
  {
    args: `watch backtest ${files} --json --summary alarms.json`,
    says: /^\{"format":"assay\.incidents\/1",.*"incidents":\[\]\}$/m,
    writes: { 'alarms.json': /"incidents":\[\]/ },
  },
  { args: `watch backtest ${files} ${inputFlags} --config assay.yaml`, says: /^0 incidents in 0\.0 days/m },
  {
    args: `watch drill ${files} ${inputFlags} ${drillFlags} --config assay.yaml`,
    status: 2,
    says: /no watch of a group learned a baseline/,
  },
  { args: 'config check --config assay.yaml', says: /memory at the limits/ },
  { args: 'config print --config assay.yaml', says: /^ {2}mode: upstream$/m },
  { args: 'config schema', says: /Configuration of Assay/ },
  {
    args: 'demo --rate 500 --models 4 --past 5s --speed 10 --spike 2s --spike-at 1s --seconds 3 --port 0 --config assay.yaml',
    says: /^atlas-mini goes wrong now$.*^total +\d/ms,
  },
];

for (const { args, status = 0, says = /^/, writes = {} } of runs) {
  test(`assay ${args}`, async () => {
    const ended = await runProgram(args.split(' '), { cwd, built: true });
    assert.equal(ended.status, status, ended.stderr);
    assert.match(ended.stdout + ended.stderr, says);
    for (const [name, content] of Object.entries(writes)) assert.match(contentOf(name), content, name);
    if (status !== 0) assert.ok(!existsSync(join(cwd, 'no.arrow')));
  });
}

test('no command and no flag is without a run', async () => {
  const flags = await everyFlag();
  for (const known of ['run --rebuild', 'replay --gate', 'truth build --output', 'config schema --help'])
    assert.ok(flags.includes(known), `the help is read: ${flags.join(', ')}`);
  // The help of every command was run to read it.
  const needed = flags.map((flag) => flag.replace(/ ?--help$/, ''));
  const run = [...runs.flatMap(({ args }) => namesOf(args.split(' '))), ...serviceFlags];
  assert.deepEqual(
    needed.filter((name) => !run.some((called) => called === name || called.startsWith(`${name} `) || name === '')),
    [],
  );
});

/** A command that was called, and it with each of its flags: `replay`, `replay --gate`. */
function namesOf(args: readonly string[]): string[] {
  const depth = ['truth', 'state', 'watch', 'config'].includes(args[0]!) ? 2 : 1;
  const command = args.slice(0, depth).filter((word) => !word.startsWith('-'));
  const flags = args.filter((word) => word.startsWith('--'));
  return [command, ...flags.map((flag) => [...command, flag])].map((words) => words.join(' '));
}
