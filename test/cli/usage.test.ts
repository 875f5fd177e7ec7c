import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ended, runProgram } from '../support/program.ts';

test('the top help lists the commands and the exit statuses', async () => {
  const { stdout } = await runProgram(['--help']);
  for (const text of ['run', 'replay', 'truth', 'state', 'compare', 'config'])
    assert.match(stdout, new RegExp(`^  ${text}`, 'm'));
  assert.match(stdout, /^ {2}3 {2}a gate does not hold, a candidate is worse, or truth contradicts itself$/m);
});

test('the help of a command shows a duration as one writes it', async () => {
  const { stdout } = await runProgram(['demo', '--help']);
  assert.match(stdout, /which watches learn from \(default:\s+90m\)/);
});

test('only a command that needs --events says so', async () => {
  const eventsOf = async (command: string) => (await runProgram([command, '--help'])).stdout.replaceAll(/\s+/g, ' ');
  assert.match(await eventsOf('judge'), /- is stdin \(without it: beside the service\)/);
  assert.match(await eventsOf('explain'), /- is stdin \(required\)/);
});

const wrong: readonly (readonly [readonly string[], string])[] = [
  [['rplay'], "error: unknown command 'rplay'\n(Did you mean replay?)\n"],
  [['inspect', 't.arrow'], "error: unknown command 'inspect'\n(Did you mean truth inspect?)\n"],
  [['truth', 'inspct'], "error: unknown command 'inspct'\n(Did you mean inspect?)\n"],
  [['replay', '--evnts', 'x'], "error: unknown option '--evnts'\n(Did you mean --events?)\n"],
  [['run', '--untilend'], "error: unknown option '--untilend'\n(Did you mean --until-end?)\n"],
  [['config', 'print', '--config'], "error: option '-c, --config <file>' argument missing\n"],
  [['replay', '--truth', 't'], 'replay: --events is missing; name files of predictions, or - for stdin\n'],
  [
    ['judge', '--events', 'e', '-o', 'o'],
    'judge: no judge is configured; set judge.judge, or judge.semantic, with endpoint and model\n',
  ],
  [
    ['replay', '--truth', 't', '--events', 'e', '--scores', 's.csv'],
    "error: option '--scores <file>' argument 's.csv' is invalid. The name says the form: it ends in .ndjson or .arrow.\n",
  ],
  [['truth', 'build', 'a'], 'truth build: --output is missing; name the table to write\n'],
  [['truth', 'build', '-o', 'a'], "error: missing required argument 'in'\n"],
  [['truth', 'inspect'], "error: missing required argument 'table'\n"],
  [['state', 'drop', 'd'], 'state drop: --partition is missing; name one, such as predictions/0\n'],
  [['compare', 'a'], "error: missing required argument 'b'\n"],
  [
    ['config', 'check', 'x'],
    "error: too many arguments for 'check'. Expected 0 arguments but got 1.\n(Files are named by options: assay config --help lists them)\n",
  ],
  [
    ['replay', 'events.ndjson'],
    "error: too many arguments for 'replay'. Expected 0 arguments but got 1.\n(Files are named by options: assay replay --help lists them)\n",
  ],
];

for (const [args, message] of wrong) {
  test(`wrong usage: assay ${args.join(' ')}`, async () => {
    assert.deepEqual(await runProgram(args), { status: 2, stdout: '', stderr: message } satisfies Ended);
  });
}

for (const args of [[], ['truth'], ['state'], ['config']]) {
  test(`no command: assay ${args.join(' ')}`, async () => {
    const { status, stdout, stderr } = await runProgram(args);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /^Usage: assay/);
  });
}

const withoutBrokers: readonly (readonly [environment: Readonly<Record<string, string>>, message: string])[] = [
  [
    { ASSAY_KAFKA__TOPICS: '[t]' },
    'kafka.brokers: is empty, but kafka.topics is set; name a broker, such as [localhost:9092], or leave the section kafka out to read from a log of its own\n',
  ],
  [
    { ASSAY_KAFKA__TRUTH_TOPIC: 't', ASSAY_KAFKA__CLIENT_ID: 'c', ASSAY_KAFKA__GROUP_ID: 'g' },
    'kafka.brokers: is empty, but kafka.client_id, kafka.truth_topic are set; name a broker, such as [localhost:9092], or leave the section kafka out to read from a log of its own\n',
  ],
  [
    { ASSAY_STATE__DIR: 's3://bucket/state' },
    'state.dir: is an object store, and the log inside needs a folder; name one, or kafka.brokers\n',
  ],
  [{ ASSAY_KAFKA__BROKERS: '[a:1]' }, 'kafka.topics: is empty; name a topic with predictions, such as [predictions]\n'],
];

for (const [env, message] of withoutBrokers) {
  test(`assay run with ${JSON.stringify(env)} says what it needs`, async () => {
    assert.deepEqual(await runProgram(['run'], { env }), { status: 2, stdout: '', stderr: message } satisfies Ended);
  });
}
