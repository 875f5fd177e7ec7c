import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runProgram } from '../support/program.ts';
import { rateIn, type Served, serve } from '../support/served.ts';
import type { Summary } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/* Feedback by HTTP: what people say of events moves the numbers, exactly, through kills; and a replay of the same gives the same. */

const eventOf = (at: number): object => ({
  ...{ example_id: `e${at}`, event_id: `v${at}`, ts: Date.UTC(2026, 4, 1) + at, model: `m${at % 2}` },
  tool_calls: [{ name: 'book', arguments: { city: at % 3 === 0 ? 'Oslo' : 'Bergen' } }],
});

const book = (city: string): object => ({ tool_calls: [{ name: 'book', arguments: { city } }] });

/** Feedback on an event: a thumb, and for some what was right, which later records of some contradict. */
const feedbackOf = (at: number): object[] => [
  { about: { event_id: `v${at}` }, by: 'human:ann', correct: at % 3 === 0, ts: 1_770_000_000_000 + at },
  ...(at % 2 === 0 ? [{ about: { event_id: `v${at}` }, expected: book('Oslo'), ts: 1_770_000_000_000 }] : []),
  ...(at % 10 === 0 ? [{ about: { event_id: `v${at}` }, expected: book('Rome'), ts: 1_770_000_000_001 }] : []),
];

const lines = (records: readonly object[]): string => records.map((record) => JSON.stringify(record)).join('\n');

/** A row of the report of the input. */
interface Row {
  readonly kind: string;
  readonly count: number;
}

async function restarted(served: Served, cwd: string): Promise<Served> {
  served.process.kill('SIGKILL');
  await once(served.process, 'close');
  return serve(cwd);
}

test('events, feedback before and after them, truth and kills: the numbers are those of a replay', async (context) => {
  const cwd = temporaryFolder(context);
  const events = Array.from({ length: 60 }, (_, at) => eventOf(at));
  const feedback = events.flatMap((_, at) => feedbackOf(at));
  const parts = [feedback.slice(0, 20), feedback.slice(20, 70), [...feedback.slice(70), ...feedback.slice(0, 30)]];
  let served = await serve(cwd);
  const send = async (path: string, records: readonly object[]): Promise<void> => {
    const { status, body } = await served.post(path, lines(records), 'application/x-ndjson');
    assert.deepEqual([status, body], [200, { accepted: records.length, rejected: [] }]);
  };
  await send('/v1/feedback', parts[0]!);
  await send('/v1/events', events.slice(0, 40));
  served = await restarted(served, cwd);
  await send('/v1/feedback', parts[1]!);
  await until('feedback has arrived', async () => Number((await served.summary()).records['feedback']) > 20);
  served = await restarted(served, cwd);
  await send('/v1/events', events.slice(40));
  await send('/v1/feedback', parts[2]!);
  const counts = async () => {
    const { read, scored, pending, feedback: reached } = (await served.summary()).records;
    return [read, scored, pending, reached];
  };
  await until('all is counted', async () => JSON.stringify(await counts()) === JSON.stringify([60, 30, 30, 96]));
  served = await restarted(served, cwd);
  await until('nothing is lost', async () => JSON.stringify(await counts()) === JSON.stringify([60, 30, 30, 96]));
  const live = await served.summary();
  writeFileSync(join(cwd, 'events.ndjson'), lines(events));
  writeFileSync(join(cwd, 'feedback.ndjson'), lines(feedback));
  const files = ['--events', 'events.ndjson', '--feedback', 'feedback.ndjson'];
  const { stdout, stderr, status } = await runProgram(['replay', ...files, '--summary', '-'], { cwd });
  assert.equal(status, 0, stderr);
  const again = JSON.parse(stdout) as typeof live;
  const rates = (summary: typeof live): unknown =>
    [
      ['match', 'correct'],
      ['feedback', 'correct'],
      ['tool_use', 'unknown_tool'],
    ].map(([family, name]) => rateIn(summary, family!, name!));
  assert.deepEqual(rates(again), ['8/30', '20/60', rateIn(live, 'tool_use', 'unknown_tool')]);
  assert.deepEqual(rates(live), rates(again));
  served.process.kill('SIGTERM');
  assert.deepEqual(await once(served.process, 'close'), [0, null]);
});

test('what is no feedback is refused by place and remedy; replay tells of feedback about nothing', async (context) => {
  const cwd = temporaryFolder(context);
  const served = await serve(cwd);
  const wrong = [{ about: {}, correct: true }, { about: { event_id: 'v1' } }];
  const { status, body } = await served.post('/v1/feedback', lines(wrong), 'application/x-ndjson');
  const details = (body['rejected'] as { index: number; code: string; detail: string }[]).map(
    ({ index, code, detail }) => `${index} ${code} ${detail}`,
  );
  assert.deepEqual(
    [status, details],
    [
      400,
      [
        '0 schema about names no event; give event_id, trace_id or example_id',
        '1 schema says nothing; give correct, expected or outcome',
      ],
    ],
  );
  served.process.kill('SIGKILL');
  await once(served.process, 'close');
  writeFileSync(join(cwd, 'events.ndjson'), lines([eventOf(1)]));
  const about = (id: string): object => ({ about: { event_id: id }, correct: true });
  writeFileSync(join(cwd, 'feedback.ndjson'), lines([about('v1'), about('v2'), ...wrong]));
  const files = ['--events', 'events.ndjson', '--feedback', 'feedback.ndjson'];
  const { stderr } = await runProgram(['replay', ...files], { cwd });
  assert.match(stderr, /^feedback: 2 of 4 records refused; the first: feedback\.ndjson:3: about names no event;/m);
  const unmatched = / 1 {2}feedback records about no event that can be reached\n +first at (.*)\n +name the event_id/;
  assert.equal(unmatched.exec(stderr)?.[1], 'feedback.ndjson:2: event_id v2');
  const gated = [...files, '--gate', 'feedback.correct>0'];
  const [refused, accepted] = [
    await runProgram(['replay', ...gated], { cwd }),
    await runProgram(['replay', ...gated, '--allow-unread'], { cwd }),
  ];
  assert.deepEqual([refused.status, accepted.status], [3, 0], refused.stderr);
  assert.match(
    refused.stderr,
    /^gate ✗ feedback: of 4 records 2 refused and 1 about no event, more than 1 % refused; correct/m,
  );
});

test('truth suspects lists the events on which feedback does not agree', async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'truth.ndjson'), JSON.stringify({ example_id: 'e1', label: 'tool_call' }));
  writeFileSync(join(cwd, 'events.ndjson'), lines([eventOf(1), eventOf(2)]));
  const expectation = (at: number, city: string, ts: string): object => ({
    ...{ about: { event_id: `v${at}` }, id: `${at}-${city}`, ts },
    expected: book(city),
  });
  const [early, late] = ['2026-05-02T00:00:00.000Z', '2026-05-03T00:00:00.000Z'];
  const records = [expectation(1, 'Rome', late), expectation(1, 'Oslo', early), expectation(2, 'Oslo', early)];
  writeFileSync(join(cwd, 'feedback.ndjson'), lines(records));
  const files = '--truth truth.ndjson --events events.ndjson --feedback feedback.ndjson'.split(' ');
  const { stdout, stderr } = await runProgram(['truth', 'suspects', ...files], { cwd });
  const conflict = [
    { id: '1-Oslo', ts: early, label: 'tool_call', ...book('Oslo') },
    { id: '1-Rome', ts: late, label: 'tool_call', ...book('Rome') },
  ];
  assert.deepEqual(JSON.parse(stdout), { example_id: 'e1', event_id: 'v1', conflict });
  assert.match(stderr, /; feedback on 1 events conflicts$/m);
});

test('run tells of feedback about nothing and about an event that is too old; what contradicts is counted, what comes twice is not', async (context) => {
  const served = await serve(temporaryFolder(context), '2', {
    feedback: { wait: '1h', outcomes: { good: ['resolved'] } },
  });
  context.after(() => served.process.kill('SIGKILL'));
  let log = '';
  served.process.stderr!.on('data', (text: string) => void (log += text));
  const send = async (path: string, records: readonly object[]): Promise<void> =>
    assert.equal((await served.post(path, lines(records), 'application/x-ndjson')).status, 200);
  const late = { ...eventOf(0), event_id: 'late', ts: Date.UTC(2026, 4, 1, 3) };
  await send('/v1/events', [eventOf(0), late]);
  await until('both are counted', async () => Number((await served.summary()).records['read']) === 2);
  const about = (event_id: string, more: object): object => ({ about: { event_id }, ts: 1_770_000_000_000, ...more });
  const thumb = about('late', { correct: true, outcome: { resolved: true } });
  const expectations = ['Oslo', 'Rome'].map((city) => about('late', { expected: book(city) }));
  await send('/v1/feedback', [thumb, thumb, ...expectations]);
  const conflict = [about('v0', { id: 'f', correct: true }), about('late', { id: 'f', correct: true })];
  await send('/v1/feedback', [...conflict, about('later', { correct: false }), thumb]);
  const counts = async (): Promise<unknown> => {
    const { records, input } = (await served.summary()) as Summary & { readonly input: readonly Row[] };
    const row = (wanted: string): number => input.find(({ kind }) => kind === wanted)?.count ?? 0;
    return [records['feedback'], row('truth_conflicts'), row('feedback_unmatched')];
  };
  const isNow =
    (...wanted: number[]) =>
    async () =>
      JSON.stringify(await counts()) === JSON.stringify(wanted);
  await until('the counts', isNow(3, 1, 2));
  const inWindow = (await (await fetch(`${served.url}/api/v1/summary?window=1h`)).json()) as Summary;
  const { good } = inWindow.groups[0]!['outcome'] as {
    good: Record<string, { rate: { numerator: number; denominator: number } }>;
  };
  assert.deepEqual([good['resolved']!.rate.numerator, good['resolved']!.rate.denominator], [1, 1]);
  const page = await (await fetch(`${served.url}/metrics`)).text();
  assert.match(page, /^assay_window_value\{slice="",window="1h",metric="outcome_good_resolved_rate"\} 1$/m);
  assert.match(page, /^assay_feedback_unmatched 2$/m);
  await until('the log tells', () => /feedback records about no event that can be reached: 2;/.test(log));
  assert.match(log, /"about":"event_id (v0|later)"/);
  await until('the log tells of the conflict', () =>
    /"problem":"id \\"f\\" came before with another content/.test(log),
  );
  const rejects = async (): Promise<string> => await (await fetch(`${served.url}/metrics`)).text();
  await until('it is counted', async () => /^assay_truth_rejects_total [1-9]/m.test(await rejects()));
  await send('/v1/events', [{ ...late, event_id: 'later' }]);
  await until('one has found its event', isNow(4, 1, 1));
});
