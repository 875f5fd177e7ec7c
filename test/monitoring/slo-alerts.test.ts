import { burns, type Window } from '../../packages/monitoring/settings.ts';
import { budgets } from '../support/budgets.ts';
import { allGroups, checkRules, type ExpectedAlert, type InputSeries, seriesName } from '../support/promtool.ts';
import { testWith } from '../support/tools.ts';
import { modelAlert } from './alert-text.ts';

/** Opportunities and hallucinations of one kind, every 30 s. */
function traffic(model: string, kind: string, opportunities: string, hallucinations: string): InputSeries[] {
  const own = { job: 'assay', instance: 'a', model, kind };
  return [
    { series: seriesName('assay_hallucination_opportunities_total', own), values: opportunities },
    { series: seriesName('assay_hallucinations_total', own), values: hallucinations },
  ];
}

const clock = (time: string): string => `1970-01-01 ${time} +0000 UTC`;
const percent = (share: number): string => `${Number((share * 100).toPrecision(4))}%`;

/** What goes out for a burn alert: `rate` and `times` as the page words them. */
function burning(model: string, long: Window, rate: string, times: string, since: string): ExpectedAlert {
  const { factor, short } = burns.find((burn) => burn.long === long)!;
  return modelAlert(
    'AssayHallucinationBudgetBurn',
    { severity: 'warning', long, short, burn: String(factor), model, kind: 'answer' },
    'A model hallucinates more than its budget allows.',
    `${model}: ${rate} of the answer opportunities of the last ${long} were hallucinated, ${times} times the budget of ${percent(budgets.answer)}, and still ${factor === 1 ? 'above it' : `more than ${factor} times it`} in the last ${short}. Since ${clock(since)}.`,
    'decision.answer_hall',
  );
}

testWith(
  ['promtool'],
  'a budget that is spent three times too fast is a ticket, and is taken back',
  async (context, promtool) => {
    const alert = 'AssayHallucinationBudgetBurn';
    const input = [
      // An hour at 1 %, then half an hour in which every answer is made up, then repaired.
      ...traffic('spiking', 'answer', '0+10x360', '0+0.1x119 12+10x60 612x200'),
      ...traffic('spiking', 'tool', '0+10x360', '0x360'),
      ...traffic('good', 'answer', '0+50x360', '0+1x360'),
      // All hallucinated, but one in ten minutes.
      ...traffic('rare', 'answer', '0x19 1x19 2x19 3x19 4x19 5x19 6x300', '0x19 1x19 2x19 3x19 4x19 5x19 6x300'),
    ];
    const alerts = [
      { alert, at: '60m', firing: [] },
      { alert, at: '80m', firing: [] },
      { alert, at: '96m', firing: [burning('spiking', '6h', '32.64%', '6.5', '01:12:30')] },
      // Repaired at 90: the short window takes it back long before the long one would.
      { alert, at: '120m', firing: [] },
    ];
    await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, alerts }]);
  },
);

testWith(['promtool'], 'a small excess is a ticket once it is proven', async (context, promtool) => {
  const alert = 'AssayHallucinationBudgetBurn';
  const input = [
    // 6 % against 5 %: of 4,800 opportunities that is no chance.
    ...traffic('drifting', 'answer', '0+50x300', '0+3x300'),
    // 6 % of 480: the interval reaches down to 4.5 %.
    ...traffic('unlucky', 'answer', '0+2x300', '0+0.12x300'),
  ];
  const ticket = burning('drifting', '3d', '6%', '1.2', '00:15:30');
  const alerts = [
    { alert, at: '75m', firing: [] },
    { alert, at: '120m', firing: [ticket] },
  ];
  await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, alerts }]);
});

testWith(['promtool'], 'a model with little traffic is caught by its interval', async (context, promtool) => {
  const alert = 'AssayHallucinationProven';
  const input = [
    // Half of an opportunity in three minutes.
    ...traffic('quiet', 'answer', '0+0.17x300', '0+0.08x300'),
    // As bad, and too few to tell.
    ...traffic('silent', 'answer', '0+0.05x300', '0+0.05x300'),
    ...traffic('good', 'answer', '0+50x300', '0+1x300'),
  ];
  const proven = modelAlert(
    alert,
    { severity: 'warning', model: 'quiet', kind: 'answer' },
    'A model is over its hallucination budget with 95 % confidence.',
    `quiet: the answer hallucination rate of the last 1d is at least 34.69% (lower end of the interval); the budget is ${percent(budgets.answer)}. Since ${clock('01:01:30')}.`,
    'decision.answer_hall',
  );
  const alerts = [
    { alert, at: '60m', firing: [] },
    { alert, at: '120m', firing: [proven] },
  ];
  await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, alerts }]);
});
