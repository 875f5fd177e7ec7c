import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/* Recorded traffic of four hours in which a model goes wrong for 25 minutes: the alarms that it would have given, and a drill on it. */

const cwd = temporaryFolder({ after });

const startMs = Date.UTC(2026, 4, 1);
const hourMs = 3_600_000;
const spike = { fromMs: startMs + 2 * hourMs, toMs: startMs + 2 * hourMs + 1_500_000 };
const watched = { metric: 'decision.accuracy', by: ['model'], false_alarm_every: '90d' };
writeFileSync(join(cwd, 'assay.yaml'), JSON.stringify({ time: { pane: '30s' }, watches: [watched] }));
record();

function record(): void {
  const traffic = createTraffic({ seed: 3, examples: 200, runs: 1, duplicates: 0, malformed: 0 });
  writeFileSync(
    join(cwd, 'truth.ndjson'),
    traffic.examples.map(({ record: row }) => `${JSON.stringify(row)}\n`).join(''),
  );
  const lines: string[] = [];
  for (let ms = startMs; ms < startMs + 4 * hourMs; ms += 1_000)
    for (const { value } of traffic.next(ms, ms >= spike.fromMs && ms < spike.toMs ? 'atlas-mini' : undefined))
      lines.push(`${value}\n`);
  writeFileSync(join(cwd, 'events.ndjson'), lines.join(''));
}

const files = ['--truth', 'truth.ndjson', '--events', 'events.ndjson', '-c', 'assay.yaml'];

async function watch(...args: string[]): Promise<string> {
  const [command, ...flags] = args;
  const { status, stdout, stderr } = await runProgram(['watch', command!, ...files, ...flags], { cwd });
  assert.equal(status, 0, stderr);
  return stdout;
}

test('a backtest finds the one alarm, since when and why, and a report shows it', async () => {
  const { alarms, from, to } = JSON.parse(await watch('backtest', '--json', '--summary', 's.json'));
  assert.deepEqual([from, to], ['2026-05-01T00:00:00.000Z', '2026-05-01T03:59:59.000Z']);
  assert.deepEqual(
    alarms.map(({ watch: of, slice }: { watch: string; slice: unknown }) => [of, slice]),
    [['decision.accuracy', { model: 'atlas-mini' }]],
  );
  const [alarm] = alarms;
  const [since, begin, until, end] = ['since', 'begin', 'until', 'end'].map((key) => Date.parse(alarm[key]));
  assert.ok(Math.abs(since! - spike.fromMs) <= 60_000, alarm.since);
  assert.ok(begin! > spike.fromMs && begin! < spike.toMs, alarm.begin);
  assert.ok(Math.abs(until! - spike.toMs) <= 60_000, alarm.until);
  assert.ok(end! > spike.toMs && end! < spike.toMs + 1.5 * hourMs, alarm.end);
  assert.ok(alarm.before.value < 0.2 && alarm.rate.value > 0.3);
  assert.equal(alarm.causes[0].outcome.predicted, 'tool_call');
  for (const { outcome, attributed } of alarm.causes)
    assert.equal(outcome?.predicted ?? attributed.kind, outcome ? 'tool_call' : 'tool');
  const { incidents } = JSON.parse(readFileSync(join(cwd, 's.json'), 'utf8'));
  assert.deepEqual(
    incidents,
    alarms.map(({ causes: _, ...incident }: Record<string, unknown>) => incident),
  );
  const text = await watch('backtest');
  assert.match(text, /^2026-05-01 0\S+ +decision\.accuracy +[\d.]+ % → [\d.]+ %$/m);
  assert.match(text, /^ {4}model=atlas-mini; alarm 2026-05-01 \S+ to 2026-05-01 \S+; first cause: \S+ → tool_call$/m);
  assert.match(text, /^1 alarms in 0\.2 days of event time; 3 watches\.$/m);
});

test('a drill sees its spikes as soon as it is designed to, and gives no other alarm', async () => {
  const args = ['drill', '--metric', 'decision.accuracy', '--size', '0.4', '--for', '15m', '--every', '15m', '--json'];
  const text = await watch(...args);
  const { spikes, false_alarms } = JSON.parse(text);
  const fit = spikes.filter(({ seen }: { seen: boolean | null }) => seen !== null);
  assert.ok(fit.length >= 4, text);
  const sum = (key: string): number => fit.reduce((total: number, one: Record<string, number>) => total + one[key]!, 0);
  for (const one of fit) {
    assert.equal(one.seen, true, text);
    assert.ok(Math.abs(one.rate - (one.usual + 0.4 * (1 - one.usual))) < 0.08, text);
  }
  // A pane of 10 cases more, and chance.
  const ratio = sum('delay_cases') / sum('designed_cases');
  assert.ok(ratio > 0.6 && ratio < 1.6, text);
  assert.deepEqual([false_alarms.without_spikes, false_alarms.beside_spikes], [1, 0]);
});
