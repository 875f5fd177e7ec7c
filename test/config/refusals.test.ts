import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal, type Written } from '../support/configuration.ts';

/** What a user wrote, a file where it is a text, and every line that is said about it, without the name of that file. */
const refused: readonly (readonly [what: string, written: string | Written, ...lines: string[]])[] = [
  [
    'an unknown key, with the one that was meant',
    'kafka:\n  grupid: x\n',
    '2:3: kafka.grupid: unknown key; did you mean kafka.group_id?',
  ],
  ['a known key in the wrong section', 'brokers: [a:1]\n', '1:1: brokers: unknown key; did you mean kafka.brokers?'],
  [
    'an unknown key that is near to none',
    'join: {zzzzzz: 1}\n',
    '1:8: join.zzzzzz: unknown key; known keys of join: truth_wait',
  ],
  [
    'a key of the prototype of objects',
    '__proto__: {a: 1}\njoin: {constructor: 1}\n',
    '2:8: join.constructor: unknown key; known keys of join: truth_wait',
    '1:1: __proto__: unknown key; known keys: kafka, ingest, input, runs, decision, tools, truth, time, join, feedback, dedupe, slices, metrics, watches, judge, run, state, s3, snapshots, http, page, links, limits, files, log, grace',
  ],
  [
    'a duration without a unit',
    'time: {pane: 10}\n',
    '1:14: time.pane: 10 is not a duration; write a whole number with a unit (ms, s, m, h, d), such as 10s',
  ],
  [
    'a pane of no length',
    'time: {pane: 0s}\n',
    '1:14: time.pane: "0s" is out of range; give at least 1ms, and at most 100 years',
  ],
  [
    'a delay that no timer takes',
    'snapshots: {every: 30d}\n',
    '1:20: snapshots.every: "30d" is out of range; give between 1ms and 24d',
  ],
  [
    'a list that is none',
    'kafka: {topics: predictions}\n',
    '1:17: kafka.topics: "predictions" is not a list; write it as [predictions]',
  ],
  [
    'records that are to be produced into no topic',
    'ingest: {to: kafka}\n',
    '1:14: ingest.to: "kafka" needs a topic; name one in kafka.topics',
  ],
  [
    'a target of records that is none',
    'ingest: {to: log}\n',
    '1:14: ingest.to: "log" is not kafka; leave it out to take nothing where brokers are configured',
  ],
  [
    'a broker without a port',
    'kafka:\n  brokers: [a:1, b]\n',
    '2:18: kafka.brokers[1]: "b" is not host:port; write a broker as localhost:9092',
  ],
  ['text that is a number in YAML', 'kafka: {group_id: 7}\n', '1:19: kafka.group_id: 7 is not text; put it in quotes'],
  ['empty text', 'state: {dir: ""}\n', '1:14: state.dir: "" is empty; leave the key out, or give it a value'],
  ['yes for true', 'truth: {watch: yes}\n', '1:16: truth.watch: "yes" is neither true nor false'],
  ['one of two words', 'metrics: {mode: x}\n', '1:17: metrics.mode: "x" is neither spec nor upstream'],
  ['one of several words', 'log: {level: verbose}\n', '1:14: log.level: "verbose" is none of debug, info, warn, error'],
  ['a number with bounds', 'http: {port: 70000}\n', '1:14: http.port: 70000 is not a whole number from 0 to 65535'],
  [
    'a number with a least value',
    'limits: {pending: 0, depth: 1.5, calls: "9"}\n',
    '1:19: limits.pending: 0 is not a whole number of at least 1',
    '1:29: limits.depth: 1.5 is not a whole number of at least 1',
    '1:41: limits.calls: "9" is not a whole number of at least 1',
  ],
  [
    'a number that is not finite',
    'metrics: {tool_calls: {threshold: .inf}}\n',
    '1:35: metrics.tool_calls.threshold: Infinity is not a finite number',
  ],
  [
    'a confidence level in percent',
    'metrics: {interval: 95}\n',
    '1:21: metrics.interval: 95 is not a confidence level; give a number above 0 and below 1, such as 0.95',
  ],
  [
    'families that are not there',
    'metrics: {taste: {enabled: false}}\n',
    '1:11: metrics.taste: unknown key; known keys of metrics: mode, decision, stability, tool_calls, trajectory, schema, arguments, structured, match, tool_use, semantic, judge, interval',
  ],
  [
    'a starting point',
    'kafka: {from: 2026-02-30}\n',
    '1:15: kafka.from: "2026-02-30" is no starting point; write earliest, latest, or a time such as 2026-05-01T00:00:00Z',
  ],
  [
    'a typo below a key with two forms',
    'kafka: {ssl: {kee: x}}\n',
    '1:15: kafka.ssl.kee: unknown key; did you mean kafka.ssl.key?',
  ],
  [
    'neither of two forms',
    'kafka: {ssl: 3}\nlog: {pretty: 3}\n',
    '1:14: kafka.ssl: the value (hidden) is neither true, false nor a set of ssl keys',
    '2:15: log.pretty: 3 is neither true, false nor auto',
  ],
  ['keys that are missing', 'kafka:\n  sasl: {username: u}\n', '2:3: kafka.sasl.mechanism: is missing'],
  [
    'keys that a mechanism needs',
    'kafka:\n  sasl: {mechanism: plain, username: u}\n',
    '2:3: kafka.sasl.password: is missing',
  ],
  [
    'a token from nowhere',
    'kafka:\n  sasl: {mechanism: oauthbearer}\n',
    '2:21: kafka.sasl.mechanism: "oauthbearer" needs either token_file or token_url',
  ],
  [
    'what a login at Amazon MSK needs',
    'kafka:\n  sasl: {mechanism: aws-msk-iam}\n',
    '2:3: kafka.sasl.region: is missing',
    '2:21: kafka.sasl.mechanism: "aws-msk-iam" needs kafka.ssl: true',
  ],
  [
    'a certificate given twice',
    'kafka:\n  ssl: {ca: x, ca_file: y}\n',
    '2:25: kafka.ssl.ca_file: "y" says the same as ca; leave one of them out',
  ],
  [
    'a dimension',
    'slices: [[modle], [tags.]]\n',
    '1:11: slices[0][0]: "modle" is no dimension; write model, agent, or tags.<name>',
    '1:20: slices[1][0]: "tags." is no dimension; write model, agent, or tags.<name>',
  ],
  [
    'a mark of no set of slices',
    'page: {marks: tags.version}\n',
    '1:15: page.marks: "tags.version" is in no set of slices; add [tags.version] to slices',
  ],
  [
    'an outcome of another form',
    'feedback: {outcomes: {good: [re-opened]}}\n',
    '1:30: feedback.outcomes.good[0]: "re-opened" is no name of an outcome; write a letter, then at most 63 letters, digits or _',
  ],
  [
    'an outcome that is good and bad',
    'feedback: {outcomes: {good: [a], bad: [b, a]}}\n',
    '1:22: feedback.outcomes: {"good":["a"],"bad":["b","a"]} names a twice; name each outcome once',
  ],
  [
    'more outcomes than have rates',
    `feedback: {outcomes: {bad: [${Array.from({ length: 21 }, (_, at) => `a${at}`).join()}]}}\n`,
    '1:22: feedback.outcomes: {"bad":["a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","a10","a11","a12","... names 21 outcomes; name at most 20',
  ],
  ['a set without dimensions', 'slices: [[]]\n', '1:10: slices[0]: [] is empty; the total is always there'],
  [
    'a set or a dimension twice',
    'slices: [[agent, model], [model, agent], [model, model]]\n',
    '1:26: slices[1]: ["model","agent"] is the same set as slices[0]; leave one of them out',
    '1:42: slices[2]: ["model","model"] names model twice; name each dimension once',
  ],
  [
    'two tags with one label',
    'slices: [[tags.a-b], [tags.a_b]]\n',
    '1:9: slices: [["tags.a-b"],["tags.a_b"]] holds tags.a-b and tags.a_b, which have one label in Prometheus (tag_a_b); rename one of the tags',
  ],
  [
    'windows of one length',
    'time: {windows: [300s, 1h, 5m, 1h]}\n',
    '1:17: time.windows: ["300s","1h","5m","1h"] names 300s and 5m, the same length; name each window once',
    '1:17: time.windows: ["300s","1h","5m","1h"] names 1h twice; name each window once',
  ],
  [
    'weights that add up to 0',
    'metrics: {trajectory: {weights: {name: 1, params: -1, order: 0}}}\n',
    '1:33: metrics.trajectory.weights: {"name":1,"params":-1,"order":0} add up to 0, and they are divided by their sum; give others, such as {name: 0.4, params: 0.4, order: 0.2}',
  ],
  [
    'topics that would feed themselves',
    'kafka: {topics: [a, b, a], truth_topic: t, dead_letter_topic: t}\n',
    '1:17: kafka.topics: ["a","b","a"] names a twice; name each topic once',
    '1:63: kafka.dead_letter_topic: "t" is read as another topic too; give it a topic of its own',
  ],
  [
    'YAML that does not parse',
    'time: [\nkafka: 1\n',
    '2:1: is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]; text that holds one of *&!#:{}[] goes in quotes',
  ],
  [
    'a key twice',
    'http:\n  port: 1\n  port: 2\n',
    '3:3: is not YAML: Map keys must be unique; text that holds one of *&!#:{}[] goes in quotes',
  ],
  ['a file that holds no keys', '- a\n', '1:1: is no configuration; write keys and values, such as time: {pane: 10s}'],
  [
    'a variable that sets nothing',
    { environment: { ASSAY_KAFKA__GRUP_ID: 'x', ASSAY_NO__THING: '1', ASSAY_LOG__ZZZZZZZZ: '1' } },
    'ASSAY_KAFKA__GRUP_ID: sets no key of the configuration; did you mean ASSAY_KAFKA__GROUP_ID?',
    'ASSAY_LOG__ZZZZZZZZ: sets no key of the configuration; there are ASSAY_LOG__LEVEL, ASSAY_LOG__PRETTY',
    'ASSAY_NO__THING: sets no key of the configuration; there are ASSAY_<section>__<key>, see assay config schema',
  ],
  [
    'a login in a broker',
    'kafka: {brokers: ["u:p@a:1"]}\n',
    '1:19: kafka.brokers[0]: the value (hidden) holds a login; write host:port alone, and the login under kafka.sasl',
  ],
  [
    'a value of a variable',
    { yaml: 'http: {port: 1}\n', environment: { ASSAY_HTTP__PORT: 'high' } },
    'ASSAY_HTTP__PORT: http.port: "high" is not a whole number from 0 to 65535',
  ],
  [
    'a path where a certificate is meant, and paths to nowhere',
    'kafka:\n  ssl: {ca: ./LICENSE, key: /nope.pem}\n',
    '2:13: kafka.ssl.ca: "./LICENSE" is a path and no PEM text; name the file with ca_file instead',
    '2:29: kafka.ssl.key: the value (hidden) is a file that is missing; put the file there or correct the path, and name it with key_file (key is for PEM text)',
  ],
  [
    'a variable that is not YAML',
    { environment: { ASSAY_KAFKA__TOPICS: '[a' } },
    'ASSAY_KAFKA__TOPICS: kafka.topics: "[a" is not YAML: Flow sequence must end with a ]; text that holds one of *&!#:{}[] goes in quotes',
  ],
  [
    'an unknown key inside a variable',
    { environment: { ASSAY_KAFKA__SASL: '{mechanism: plain, username: u, password: p, realm: r}' } },
    'ASSAY_KAFKA__SASL: kafka.sasl.realm: unknown key; known keys of kafka.sasl: mechanism, username, password, token_file, token_url, client_id, client_secret, scope, region',
  ],
  [
    'a file that is not there',
    { environment: { ASSAY_STATE__DIR_FILE: '/does/not/exist' } },
    "ASSAY_STATE__DIR_FILE: state.dir: the file cannot be read: ENOENT: no such file or directory, stat '/does/not/exist'",
  ],
  [
    'a value and a file for one key',
    { environment: { ASSAY_STATE__DIR: 'a', ASSAY_STATE__DIR_FILE: 'b' } },
    'ASSAY_STATE__DIR_FILE: ASSAY_STATE__DIR is set too; keep one of them',
  ],
  [
    'a file for what is no text',
    { environment: { ASSAY_HTTP__PORT_FILE: 'b' } },
    'ASSAY_HTTP__PORT_FILE: sets no key of the configuration; did you mean ASSAY_HTTP__PORT?',
  ],
  [
    'a value of a flag',
    { yaml: 'state: {dir: a}\n', flags: [{ path: ['state', 'dir'], value: '', place: '--dir' }] },
    '--dir: state.dir: "" is empty; leave the key out, or give it a value',
  ],
];

for (const [name, written, ...lines] of refused)
  test(`refused: ${name}`, (context) => {
    const inFile = typeof written === 'string';
    const expected = inFile ? lines.map((line) => `assay.yaml:${line}`) : lines;
    assert.deepEqual(refusal(context, inFile ? { yaml: written } : written), expected);
  });
