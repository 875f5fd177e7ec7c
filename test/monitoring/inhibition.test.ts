import assert from 'node:assert/strict';
import { startAlertmanager, startPager } from '../support/monitoring.ts';
import { testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';

type Labels = Readonly<Record<string, string>>;

interface AlertState {
  readonly labels: Labels;
  readonly status: { readonly state: 'active' | 'suppressed' | 'unprocessed' };
}

const alert = (alertname: string, severity: string, more: Labels = {}): Labels => ({
  alertname,
  severity,
  job: 'assay',
  ...more,
});
const burn = 'AssayHallucinationBudgetBurn';
const m1 = { model: 'm1', kind: 'param' };
const m2 = { model: 'm2', kind: 'param' };

/** What is there at once, and what of it goes out. */
const cases: readonly (readonly [why: string, out: readonly Labels[], silenced: readonly Labels[]])[] = [
  [
    'a page about a model silences what follows from it, and nothing about others',
    [
      alert('AssayWatchFiring', 'critical', { model: 'm1' }),
      alert(burn, 'warning', m2),
      alert('AssayInventedTools', 'critical', { model: 'm2' }),
      // Of one job, but no part of the incident of the model: then the program would not have it as an incident.
      alert('AssayGroupWatchFiring', 'critical', { slice: 'agent', agent: 'booking' }),
    ],
    [
      alert(burn, 'warning', m1),
      alert('AssayHallucinationProven', 'warning', m1),
      alert('AssayHallucinationProven', 'warning', m2),
      alert('AssayInventedTools', 'critical', { model: 'm1' }),
    ],
  ],
  [
    'an agent of another job is a page of its own, and two models are two',
    [
      alert('AssayGroupWatchFiring', 'critical', { slice: 'agent', agent: 'booking', job: 'other' }),
      alert('AssayWatchFiring', 'critical', { model: 'm1' }),
      alert('AssayWatchFiring', 'critical', { model: 'm2' }),
    ],
    [],
  ],
  [
    'when nothing is scored, all else follows from it',
    [alert('AssayAbsent', 'critical'), alert('AssayStalled', 'critical', { job: 'other' })],
    [
      alert('AssayNoPartitions', 'critical'),
      alert('AssayStalled', 'critical'),
      alert('AssayWatchFiring', 'critical', { model: 'm1' }),
    ],
  ],
  [
    'a stall explains lag and coverage, not the other way round',
    [alert('AssayStalled', 'critical', { topic: 't', partition: '1' }), alert('AssayDeadLetters', 'warning')],
    [alert('AssayLagHigh', 'warning', { topic: 't' }), alert('AssayCoverageLow', 'warning', { window: '1h' })],
  ],
  [
    'truth that does not come explains coverage',
    [alert('AssayTruthMissing', 'warning', { topic: 't' }), alert('AssayLagHigh', 'warning', { topic: 't' })],
    [alert('AssayCoverageLow', 'warning', { window: '1h' })],
  ],
];

for (const [why, out, silenced] of cases) {
  testWith(['prometheus-alertmanager', 'alertmanager'], `Alertmanager: ${why}`, async (context, command) => {
    const pager = await startPager(context);
    const url = await startAlertmanager(context, command, pager.url);
    const now = new Date().toISOString();
    const posted = await fetch(`${url}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([...out, ...silenced].map((labels) => ({ labels, startsAt: now }))),
    });
    assert.equal(posted.status, 200, await posted.text());
    const isOut = (labels: (typeof out)[number]): boolean => pager.received.some((sent) => isSame(sent.labels, labels));
    await until('what should go out has gone out', () => out.every(isOut), 60_000);
    for (const { labels, receiver } of pager.received) {
      assert.ok(
        out.some((expected) => isSame(labels, expected)),
        `${JSON.stringify(labels)} went out`,
      );
      assert.equal(receiver, labels['severity'] === 'critical' ? 'pager' : 'tickets');
    }
    const states = (await (await fetch(`${url}/api/v2/alerts`)).json()) as readonly AlertState[];
    const suppressed = states.filter(({ status }) => status.state === 'suppressed').map(({ labels }) => labels);
    assert.equal(states.length, out.length + silenced.length);
    assert.deepEqual(sorted(suppressed), sorted(silenced));
  });
}

function isSame(a: Labels, b: Labels): boolean {
  return text(a) === text(b);
}

function sorted(list: readonly Labels[]): string[] {
  return list.map(text).sort();
}

function text(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort());
}
