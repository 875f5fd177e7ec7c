import assert from 'node:assert/strict';
import { once } from 'node:events';
import process from 'node:process';
import { type TestContext, test } from 'node:test';
import { burns } from '../../packages/monitoring/settings.ts';
import { budgets } from '../support/budgets.ts';
import { freePort } from '../support/free-port.ts';
import {
  type Notification,
  type Pager,
  passesWithin,
  startAlertmanager,
  startPager,
  startPrometheus,
} from '../support/monitoring.ts';
import { startProgram } from '../support/program.ts';
import { allGroups } from '../support/promtool.ts';
import { installed, testWith } from '../support/tools.ts';
import { patience, until } from '../support/until.ts';
import { accuracyAgrees } from './agreement.ts';
import { dashboardsHaveData } from './check-dashboards.ts';
import { scaledGroups } from './scaled-rules.ts';

/*
 * With ASSAY_TEST_PROMETHEUS (and ASSAY_TEST_SERVICE) the dashboards are checked against a Prometheus that runs already. Without, against the
 * demonstration: the real program, scraped by a real Prometheus, whose rules run 20 times as fast.
 */
const given = process.env['ASSAY_TEST_PROMETHEUS'];
const givenService = process.env['ASSAY_TEST_SERVICE'];

test('every panel has data in the Prometheus that was given', { skip: given === undefined }, async () => {
  await dashboardsHaveData(given!, []);
  if (givenService !== undefined) await accuracyAgrees(given!, givenService, trafficTolerance);
});

/** While traffic goes on, some seconds of it lie between Prometheus and a summary. */
const trafficTolerance = 0.02;

const factor = 20;
/** The demonstration writes no snapshots. */
const withoutSnapshots = ['Age of snapshots'];
/** What the demonstration does (src/app/demo.ts, src/demo/traffic.ts): who goes wrong, from when on, and how much. */
const spike = { model: 'atlas-mini', afterMs: 60_000, rate: 0.7 };

testWith(
  ['prometheus'],
  'the demonstration: panels have data, a spike pages for its model, recovery resolves it',
  async (context, command) => {
    const { url, prometheus, pager, startedMs } = await startKit(context, command);
    await passesWithin(50_000, () => dashboardsHaveData(prometheus, withoutSnapshots));
    await passesWithin(50_000, () => accuracyAgrees(prometheus, url, trafficTolerance));
    assert.deepEqual(pages(pager, 'firing'), [], 'nobody is paged before the spike');

    await until('the page goes out', () => pages(pager, 'firing').length > 0, 180_000);
    const [page] = pages(pager, 'firing');
    assert.deepEqual([page!.labels['model'], page!.labels['kind']], [spike.model, 'tool']);
    assert.match(
      page!.annotations['description']!,
      /^atlas-mini: [\d.]+% of the tool opportunities of the last 30m were hallucinated, [\d.]+ times the budget of 5%, .* Since \d{4}-/,
    );
    const afterMs = page!.atMs - startedMs - spike.afterMs;
    context.diagnostic(`${(afterMs / 1000).toFixed(0)} s after the spike began: ${page!.annotations['description']}`);
    assert.ok(afterMs > 0 && afterMs < designedMs(), `paged after ${afterMs} ms; designed are ${designedMs()}`);

    await until('it is resolved', () => pages(pager, 'resolved').length > 0, 180_000);
    assert.deepEqual([...new Set(pages(pager, 'firing').map(({ labels }) => labels['model']))], [spike.model]);
  },
);

/** Time from the begin of the spike to the page: long window * factor * budget / rate, `for`, and what the steps on the way take. */
function designedMs(): number {
  const [first] = burns;
  const windowMs = (30 * 60_000) / factor;
  const stepsMs = patience * 15_000;
  return (windowMs * first!.factor * budgets.tool) / spike.rate + 60_000 / factor + stepsMs;
}

/** Notifications of the quickest page. */
function pages({ received }: Pager, status: Notification['status']): Notification[] {
  return received.filter(({ labels, status: state }) => labels['long'] === '30m' && state === status);
}

interface Kit {
  /** The service. */
  readonly url: string;
  readonly prometheus: string;
  readonly pager: Pager;
  readonly startedMs: number;
}

async function startKit(context: TestContext, prometheusCommand: string): Promise<Kit> {
  const alertmanagerCommand = installed('prometheus-alertmanager', 'alertmanager');
  assert.ok(alertmanagerCommand !== undefined, 'Alertmanager is not installed (Debian: prometheus-alertmanager)');
  const pager = await startPager(context);
  const alertmanager = await startAlertmanager(context, alertmanagerCommand, pager.url);
  const port = await freePort();
  const target = `127.0.0.1:${port}`;
  const child = startProgram(['demo'], {
    env: { ASSAY_HTTP__PORT: String(port), ASSAY_STATE__CHECKPOINT_EVERY: '1s' },
  });
  context.after(() => child.kill('SIGKILL'));
  child.stderr!.pipe(process.stderr);
  await once(child.stdout!, 'data');
  const startedMs = Date.now();
  const groups = scaledGroups(allGroups(), factor);
  const prometheus = await startPrometheus(context, prometheusCommand, { targets: [target], groups, alertmanager });
  return { url: `http://${target}`, prometheus, pager, startedMs };
}
