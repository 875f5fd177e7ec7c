import {
  allGroups,
  checkRules,
  type ExpectedAlert,
  type InputSeries,
  type Labels,
  seriesName,
} from '../support/promtool.ts';
import { testWith } from '../support/tools.ts';
import { addresses } from './alert-text.ts';

const own = { job: 'assay', instance: 'a' };
const watched = (name: string, labels: Labels, values: string): InputSeries => ({
  series: seriesName(`assay_watch_${name}`, { ...own, ...labels }),
  values,
});

const incident = (labels: Labels, values: string, number = '1'): InputSeries => {
  const { watch: _, ...of } = labels;
  return { series: seriesName('assay_incident', { ...own, ...of, incident: number }), values };
};

/** A watch that fires from the 10th to the 40th minute, 81 % of 300 cases, 0.4 % before, since 00:08:20. */
function spike(labels: Labels, { cause, rate = 0.81 }: { cause?: string; rate?: number } = {}): InputSeries[] {
  const meanwhile = (value: number): string => `_x20 ${value}x59 stale`;
  return [
    watched('firing', labels, '0x19 1x59 0x120'),
    watched('rate', labels, meanwhile(rate)),
    watched('cases', labels, meanwhile(300)),
    watched('since_timestamp_seconds', labels, meanwhile(500)),
    watched('before', labels, meanwhile(0.004)),
    ...(cause === undefined ? [] : [watched('cause', { ...labels, cause }, meanwhile(0.93))]),
  ];
}

/** An incident meanwhile, or what is worse because of one. */
const meanwhile = (labels: Labels, value: 0 | 1 = 1): InputSeries => incident(labels, `_x20 ${value}x59 stale`);

const since = 'since 1970-01-01 00:08:20 +0000 UTC';
const alert = 'AssayWatchFiring';

function firing(labels: Labels, summary: string, description: string, links: Labels): ExpectedAlert {
  return { labels: { job: 'assay', severity: 'critical', ...labels }, annotations: { summary, description, ...links } };
}

const ofModel = { watch: 'decision.tool_hall', slice: 'model', model: 'atlas "mini"' };
const modelLabels = { slice: 'model', model: ofModel.model, incident: '1' };
const page = '#by=model&model=atlas+%22mini%22&sort=decision.tool_hall';
const modelLinks = addresses(alert, 'assay-model?var-job=assay&var-model=atlas+%22mini%22', page);

testWith(
  ['promtool'],
  'an incident of a model is one page, from its begin on until half an hour after its end',
  async (context, promtool) => {
    const elsewhere = { ...own, instance: 'b' };
    const agent = { slice: 'agent', agent: 'booking' };
    const input = [
      ...spike(ofModel, { cause: 'tool book_flight' }),
      ...spike({ ...ofModel, watch: 'decision.unknown_tool' }, { rate: 0.5 }),
      meanwhile(ofModel),
      // The total and an agent are worse because of it; another instance does not know that of the agent yet, and sees nothing of the model.
      ...[
        { watch: 'decision.tool_hall', slice: '' },
        { watch: 'decision.tool_hall', ...agent },
      ].flatMap((of) => [...spike(of), meanwhile(of, 0)]),
      {
        series: seriesName('assay_incident', { ...elsewhere, ...agent, incident: '1' }),
        values: '_x20 1x59 stale',
      },
      { series: seriesName('assay_watch_firing', { ...elsewhere, ...ofModel }), values: '0x200' },
    ];
    const fired = firing(
      modelLabels,
      'A model has become worse.',
      `atlas "mini" is worse ${since}: decision.tool_hall 0.4% → 81% bad of 300 cases, decision.unknown_tool 0.4% → 50% bad of 300 cases, due to tool book_flight (93% of the change).`,
      modelLinks,
    );
    const alerts = [
      { alert, at: '9m30s', firing: [] },
      { alert, at: '10m', firing: [fired] },
      { alert, at: '39m', firing: [fired] },
      { alert, at: '69m', firing: [fired] },
      { alert, at: '70m30s', firing: [] },
      ...['9m30s', '15m', '39m', '50m', '80m'].map((at) => ({ alert: 'AssayGroupWatchFiring', at, firing: [] })),
    ];
    await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, alerts }]);
  },
);

testWith(
  ['promtool'],
  'an incident that begins while another one of the model goes on is a page of its own',
  async (context, promtool) => {
    const input = [incident(ofModel, '_x10 1x60'), incident(ofModel, '_x30 1x10 stale', '2')];
    const fired = (number: string): ExpectedAlert => ({
      ...firing({ ...modelLabels, incident: number }, 'A model has become worse.', 'atlas "mini" is worse:.', {
        ...modelLinks,
        page_url: modelLinks['page_url']!.replace(/[^=]*$/, ''),
      }),
    });
    const alerts = [
      { alert, at: '10m', firing: [fired('1')] },
      { alert, at: '16m', firing: [fired('1'), fired('2')] },
      { alert, at: '49m', firing: [fired('1'), fired('2')] },
      { alert, at: '51m30s', firing: [fired('1')] },
    ];
    await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, alerts }]);
  },
);

testWith(
  ['promtool'],
  'an incident that fires again within half an hour of its end is the same page, later it is another',
  async (context, promtool) => {
    // Begins at 2 min, ends at 10 min, fires again until 39 min; a scrape fails at 5 min.
    const input = [incident(ofModel, '_x4 1x5 _ 1x9 stale _x51 1x5 stale _x120')];
    const fired: ExpectedAlert = {
      ...firing(modelLabels, 'A model has become worse.', 'atlas "mini" is worse:.', {
        ...modelLinks,
        page_url: modelLinks['page_url']!.replace(/[^=]*$/, ''),
      }),
    };
    const at = (when: string, expected: ExpectedAlert[]) => ({ alert, at: when, firing: expected });
    const paged = ['120s', '5m', '10m', '20m', '38m', '50m', '65m'].map((when) => at(when, [fired]));
    const alerts = [at('110s', []), ...paged, at('72m', []), at('90m', [])];
    await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, alerts }], '5s');
  },
);

testWith(
  ['promtool'],
  'an incident of a group that no model explains is a page too, two minutes later',
  async (context, promtool) => {
    const agent = { watch: 'decision.tool_hall', slice: 'agent', agent: 'booking' };
    const total = { watch: 'decision.param_hall', slice: '' };
    const input = [...spike(agent, { cause: 'tool book_flight' }), meanwhile(agent), ...spike(total), meanwhile(total)];
    const name = 'AssayGroupWatchFiring';
    const links = (to: string) => addresses(name, 'assay-overview?var-job=assay', to);
    const summary = 'A group has become worse, and no model alone accounts for it.';
    const pages = [
      firing(
        { incident: '1' },
        summary,
        `All traffic is worse ${since}: decision.param_hall 0.4% → 81% bad of 300 cases.`,
        links('#by=&sort=decision.param_hall'),
      ),
      firing(
        { slice: 'agent', agent: 'booking', incident: '1' },
        summary,
        `agent booking is worse ${since}: decision.tool_hall 0.4% → 81% bad of 300 cases, due to tool book_flight (93% of the change).`,
        links('#by=agent&agent=booking&sort=decision.tool_hall'),
      ),
    ];
    const alerts = [
      { alert: name, at: '11m30s', firing: [] },
      { alert: name, at: '12m', firing: pages },
      { alert: name, at: '69m', firing: pages },
      { alert: name, at: '71m', firing: [] },
    ];
    await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, alerts }]);
  },
);

testWith(['promtool'], 'addresses are those that the service is configured with', async (context, promtool) => {
  const links = { page: 'https://a.example', dashboard: 'https://g.example', runbooks: 'https://r.example/x' };
  const input = [
    ...spike(ofModel),
    meanwhile(ofModel),
    // It answers no more from 15 min on, as far as this is concerned.
    { series: seriesName('assay_links_info', { ...own, ...links }), values: '1x30 stale' },
  ];
  const configured = { page: links.page, grafana: links.dashboard, runbooks: links.runbooks };
  const fired = firing(
    modelLabels,
    'A model has become worse.',
    `atlas "mini" is worse ${since}: decision.tool_hall 0.4% → 81% bad of 300 cases.`,
    addresses(alert, 'assay-model?var-job=assay&var-model=atlas+%22mini%22', page, configured),
  );
  await checkRules(context, promtool, allGroups(), [
    { interval: '30s', input, alerts: [12, 30].map((minute) => ({ alert, at: `${minute}m`, firing: [fired] })) },
  ]);
});

testWith(['promtool'], 'tools that do not exist page where no watch sees them', async (context, promtool) => {
  const name = 'AssayInventedTools';
  const counted = (counter: string, labels: Labels, values: string): InputSeries => ({
    series: seriesName(counter, { ...own, ...labels }),
    values,
  });
  const invents = (model: string, values: string): InputSeries =>
    counted('assay_unknown_tool_calls_total', { model }, values);
  const scored = (model: string, values: string): InputSeries =>
    counted('assay_outcomes_total', { model, gold: 'direct', predicted: 'direct' }, values);
  const baseline = (model: string, value: number): InputSeries =>
    watched('baseline', { watch: 'decision.unknown_tool', slice: 'model', model }, `${value}x240`);
  const input = [
    // 90 % from the 30th to the 60th minute, without a baseline; the same with a baseline, which the watch is for; one that has learned 90 %.
    ...[invents('new', '0x60 0+9x60 540x120'), scored('new', '0+10x240')],
    ...[invents('known', '0x60 0+9x60 540x120'), scored('known', '0+10x240'), baseline('known', 0.01)],
    ...[invents('always', '0x60 0+9x60 540x120'), scored('always', '0+10x240'), baseline('always', 0.92)],
    // Without truth; a few; a small share.
    ...[invents('no truth', '0x60 0+9x60 540x120'), scored('no truth', '0x240')],
    ...[invents('few', '0x60 0+0.5x60 30x120'), scored('few', '0+1x240')],
    ...[invents('some', '0+0.5x240'), scored('some', '0+10x240')],
    counted('assay_records_consumed_total', { topic: 't', partition: '0' }, '0+40x240'),
  ];
  const linksOf = (model: string) =>
    addresses(
      name,
      `assay-model?var-job=assay&var-model=${model}`,
      `#by=model&model=${model}&sort=decision.unknown_tool`,
    );
  const page = (model: string, share: string): ExpectedAlert =>
    firing(
      { model },
      'A model calls tools that do not exist, and no watch can detect it.',
      `${model}: ${share} calls of tools that do not exist for each prediction of the last 10 minutes. Its watch decision.unknown_tool has no baseline yet, or has learned that this is normal.`,
      linksOf(model.replace(' ', '+')),
    );
  const alerts = [
    { alert: name, at: '30m', firing: [] },
    { alert: name, at: '55m', firing: [page('always', '0.90'), page('new', '0.90'), page('no truth', '0.23')] },
    { alert: name, at: '75m', firing: [] },
  ];
  await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, alerts }]);
});

testWith(
  ['promtool'],
  'a model of which no watch learns though there is traffic is a ticket',
  async (context, promtool) => {
    const name = 'AssayWatchLearning';
    const learning = (model: string, values: string, watch = 'decision.tool_hall'): InputSeries =>
      watched('learning', { watch, slice: 'model', model }, values);
    const scored = (model: string, values: string): InputSeries => ({
      series: seriesName('assay_outcomes_total', { ...own, model, gold: 'direct', predicted: 'direct' }),
      values,
    });
    const input = [
      ...[learning('stuck', '1x160 0x40'), learning('stuck', '1x200', 'match.correct'), scored('stuck', '0+50x200')],
      ...[learning('young', '1x20 0x180'), scored('young', '0+50x200')],
      ...[learning('rare', '1x200'), scored('rare', '0+1x200')],
      ...[learning('sparse', '1x200'), learning('sparse', '0x200', 'match.correct'), scored('sparse', '0+50x200')],
    ];
    const ticket: ExpectedAlert = {
      labels: { job: 'assay', severity: 'warning', model: 'stuck' },
      annotations: {
        summary: 'No watch of a model can learn a baseline: no alarm is possible for it.',
        description: 'stuck: no watch of it has had a baseline for 6 hours, though predictions are scored.',
        ...addresses(name, 'assay-model?var-job=assay&var-model=stuck', '#by=model&model=stuck&sort=match.correct'),
      },
    };
    const alerts = [
      { alert: name, at: '5h', firing: [] },
      { alert: name, at: '10h', firing: [ticket] },
      { alert: name, at: '14h', firing: [] },
    ];
    await checkRules(context, promtool, allGroups(), [{ interval: '5m', input, alerts }]);
  },
);
