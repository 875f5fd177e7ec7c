import { allGroups, checkRules, type ExpectedAlert, type InputSeries } from '../support/promtool.ts';
import { testWith } from '../support/tools.ts';
import { addresses, operatingAlert } from './alert-text.ts';
import { series } from './operating-case.ts';
import { cases } from './operating-cases.ts';

const a = { instance: 'a' };
const b = { instance: 'b' };

for (const { alert, input, silentAt, firingAt, severity, labels = {}, summary, fires } of cases) {
  testWith(['promtool'], `${alert} fires when it should, and only then`, async (context, promtool) => {
    const firing = fires.map(([own, description]) =>
      operatingAlert(alert, { job: 'assay', severity, ...labels, ...own }, summary, description),
    );
    const alerts = [...silentAt.map((at) => ({ alert, at, firing: [] })), { alert, at: firingAt, firing }];
    await checkRules(context, promtool, allGroups(), [{ interval: '1m', input, alerts }]);
  });
}

testWith(['promtool'], 'AssayAbsent fires when no instance is up, and only then', async (context, promtool) => {
  const alert = 'AssayAbsent';
  const firing: ExpectedAlert = {
    labels: { severity: 'critical', job: 'assay' },
    annotations: {
      summary: 'No instance is up: nothing is scored.',
      description: 'Prometheus has seen no instance of job assay up for 10 minutes.',
      ...addresses(alert, 'assay-pipeline'),
    },
  };
  const test = (input: readonly InputSeries[], firings: readonly ExpectedAlert[]) => ({
    interval: '1m',
    input,
    alerts: [
      { alert, at: '9m', firing: [] },
      { alert, at: '40m', firing: firings },
    ],
  });
  await checkRules(context, promtool, allGroups(), [
    test([series('up', a, '1x60'), series('up', b, '0x60')], []),
    test([series('up', a, '1x10 0x50'), series('up', b, '0x60')], [firing]),
    test([series('up', { instance: 'x', job: 'other' }, '1x60')], [firing]),
  ]);
});
