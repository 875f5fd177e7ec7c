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

test('a backtest finds the one incident, since when and why, and a report shows it', async () => {
  const { incidents, from, to } = JSON.parse(await watch('backtest', '--json', '--summary', 's.json'));
  assert.deepEqual([from, to], ['2026-05-01T00:00:00.000Z', '2026-05-01T03:59:59.000Z']);
  const [incident, ...others] = incidents;
  assert.equal(others.length, 0);
  assert.deepEqual([incident.watch, incident.slice, incident.also], ['decision.accuracy', { model: 'atlas-mini' }, []]);
  const [since, begin, until, end] = ['since', 'begin', 'until', 'end'].map((key) => Date.parse(incident[key]));
  assert.ok(Math.abs(since! - spike.fromMs) <= 60_000, incident.since);
  assert.ok(begin! > spike.fromMs && begin! < spike.toMs, incident.begin);
  assert.ok(Math.abs(until! - spike.toMs) <= 60_000, incident.until);
  assert.ok(end! > spike.toMs && end! < spike.toMs + 1.5 * hourMs, incident.end);
  const [rate] = incident.rates;
  assert.ok(rate.before.value < 0.2 && rate.rate.value > 0.3);
  assert.ok(incident.due_to.length > 0);
  for (const { outcome, attributed } of incident.due_to)
    assert.equal(outcome?.predicted ?? attributed.kind, outcome ? 'tool_call' : 'tool');
  assert.deepEqual(JSON.parse(readFileSync(join(cwd, 's.json'), 'utf8')).incidents, incidents);
  assert.deepEqual(JSON.parse(await watch('backtest', '--json')).incidents, incidents);
  const text = await watch('backtest');
  assert.match(text, /^atlas-mini is worse since 2026-05-01 0\S+, alarm 2026-05-01 \S+ to 2026-05-01 \S+$/m);
  assert.match(text, /^ {2}decision\.accuracy +[\d.]+ % → [\d.]+ % +since 2026-05-01 \S+$/m);
  assert.match(text, /^ {2}due to .+ \(\d+ % of the change\)/m);
  assert.match(text, /^1 incident in 0\.2 days of event time; 3 watches\.$/m);
});

test('with the default watches too, a spike of one model is one incident, of that model', async () => {
  writeFileSync(join(cwd, 'default.yaml'), JSON.stringify({ time: { pane: '30s' } }));
  const { incidents } = JSON.parse(await watch('backtest', '--json', '-c', 'default.yaml'));
  assert.deepEqual(
    incidents.map(({ slice }: { slice: unknown }) => slice),
    [{ model: 'atlas-mini' }],
  );
  const [{ rates, also }] = incidents;
  assert.ok(rates.length >= 3 && also.length >= 2, JSON.stringify(incidents));
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
