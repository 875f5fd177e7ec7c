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

/** A watch that fires from the 10th to the 40th minute, 81 % of 300 cases, 0.4 % before, since 00:08:20. */
function spike(labels: Labels, cause?: string): InputSeries[] {
  const meanwhile = (value: number): string => `_x20 ${value}x59 stale`;
  return [
    watched('firing', labels, '0x19 1x59 0x120'),
    watched('rate', labels, meanwhile(0.81)),
    watched('cases', labels, meanwhile(300)),
    watched('since_timestamp_seconds', labels, meanwhile(500)),
    watched('before', labels, meanwhile(0.004)),
    watched('false_alarm_cases', labels, '65000x200'),
    ...(cause === undefined ? [] : [watched('cause', { ...labels, cause }, meanwhile(0.93))]),
  ];
}

const since = 'since 1970-01-01 00:08:20 +0000 UTC, 0.4% before; by design a false alarm once in 65k cases';
const alert = 'AssayWatchFiring';

function firing(labels: Labels, summary: string, description: string, links: Labels): ExpectedAlert {
  return { labels: { job: 'assay', severity: 'critical', ...labels }, annotations: { summary, description, ...links } };
}

const ofModel = { watch: 'decision.tool_hall', slice: 'model', model: 'atlas "mini"' };
const page = '#by=model&model=atlas+%22mini%22&sort=decision.tool_hall';
const modelLinks = addresses(alert, 'assay-model?var-job=assay&var-model=atlas+%22mini%22', page);

testWith(
  ['promtool'],
  'a model that gets worse is one page, from its watch on until half an hour after its watch ends',
  async (context, promtool) => {
    const input = [
      ...spike(ofModel, 'cannot_answer → tool_call'),
      // Another rate of it, the total and an agent are the same incident; another instance sees nothing.
      ...spike({ ...ofModel, watch: 'decision.unknown_tool' }).map(({ series, values }) => ({
        series,
        values: values.replace('0.81', '0.5'),
      })),
      ...spike({ watch: 'decision.tool_hall', slice: '' }),
      ...spike({ watch: 'decision.tool_hall', slice: 'agent', agent: 'booking' }),
      { ...watched('firing', ofModel, '0x200'), series: watched('firing', ofModel, '').series.replace('"a"', '"b"') },
      watched('firing', { watch: 'decision.tool_hall', slice: 'model', model: 'well' }, '0x200'),
    ];
    const page = firing(
      { model: ofModel.model },
      'A model has become worse.',
      `atlas "mini": tool_hall 81% bad of 300 cases ${since}; first cause: cannot_answer → tool_call (93% of the change). Also unknown_tool 50% bad of 300 cases ${since}.`,
      modelLinks,
    );
    const alerts = [
      { alert, at: '9m30s', firing: [] },
      { alert, at: '10m', firing: [page] },
      { alert, at: '39m', firing: [page] },
      { alert, at: '69m', firing: [page] },
      { alert, at: '70m30s', firing: [] },
      ...['9m30s', '15m', '39m', '50m', '80m'].map((at) => ({ alert: 'AssayGroupWatchFiring', at, firing: [] })),
    ];
    await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, alerts }]);
  },
);

testWith(
  ['promtool'],
  'a watch that fires again within half an hour of its end is the same page, later it is another',
  async (context, promtool) => {
    // Ends at 10 and 39 min; a scrape fails at 5 min.
    const firing = '0x3 1x5 _ 1x9 0x51 1x5 0x120';
    const input = [watched('firing', ofModel, firing)];
    const page: ExpectedAlert = {
      labels: { job: 'assay', severity: 'critical', model: ofModel.model },
      annotations: {
        summary: 'A model has become worse.',
        description: `${ofModel.model}: `,
        ...modelLinks,
        page_url: modelLinks['page_url']!.replace(/[^=]*$/, ''),
      },
    };
    const at = (when: string, expected: ExpectedAlert[]) => ({ alert, at: when, firing: expected });
    const paged = ['120s', '5m', '10m', '20m', '38m', '50m', '65m'].map((when) => at(when, [page]));
    const alerts = [at('110s', []), ...paged, at('71m', []), at('90m', [])];
    await checkRules(context, promtool, allGroups(), [{ interval: '30s', input, alerts }], '5s');
  },
);

testWith(
  ['promtool'],
  'a group that gets worse without a model is a page too, two minutes later',
  async (context, promtool) => {
    const input = [
      ...spike({ watch: 'decision.tool_hall', slice: 'agent', agent: 'booking' }, 'tool book_flight'),
      ...spike({ watch: 'decision.param_hall', slice: '' }),
      watched('firing', { watch: 'decision.tool_hall', slice: 'model', model: 'well' }, '0x200'),
    ];
    const name = 'AssayGroupWatchFiring';
    const links = (page: string) => addresses(name, 'assay-overview?var-job=assay', page);
    const summary = 'A group has become worse, and no model alone accounts for it.';
    const pages = [
      firing(
        {},
        summary,
        `All together: param_hall 81% bad of 300 cases ${since}.`,
        links('#by=&sort=decision.param_hall'),
      ),
      firing(
        { slice: 'agent', agent: 'booking' },
        summary,
        `agent booking: tool_hall 81% bad of 300 cases ${since}; first cause: tool book_flight (93% of the change).`,
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
    // It answers no more from 15 min on, as far as this is concerned.
    { series: seriesName('assay_links_info', { ...own, ...links }), values: '1x30 stale' },
  ];
  const configured = { page: links.page, grafana: links.dashboard, runbooks: links.runbooks };
  const fired = firing(
    { model: ofModel.model },
    'A model has become worse.',
    `atlas "mini": tool_hall 81% bad of 300 cases ${since}.`,
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
      'A model calls tools that do not exist, and no watch can tell.',
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

testWith(['promtool'], 'a watch that does not learn though there is traffic is a ticket', async (context, promtool) => {
  const name = 'AssayWatchLearning';
  const learning = (model: string, values: string): InputSeries =>
    watched('learning', { watch: 'decision.tool_hall', slice: 'model', model }, values);
  const scored = (model: string, values: string): InputSeries => ({
    series: seriesName('assay_outcomes_total', { ...own, model, gold: 'direct', predicted: 'direct' }),
    values,
  });
  const input = [
    ...[learning('stuck', '1x160 0x40'), scored('stuck', '0+50x200')],
    ...[learning('young', '1x20 0x180'), scored('young', '0+50x200')],
    ...[learning('rare', '1x200'), scored('rare', '0+1x200')],
  ];
  const ticket: ExpectedAlert = {
    labels: { job: 'assay', severity: 'warning', model: 'stuck', watch: 'decision.tool_hall' },
    annotations: {
      summary: 'A watch cannot learn a baseline: it will never raise an alarm.',
      description: 'stuck: watch decision.tool_hall has had no baseline for 6 hours, though predictions are scored.',
      ...addresses(name, 'assay-model?var-job=assay&var-model=stuck', '#by=model&model=stuck&sort=decision.tool_hall'),
    },
  };
  const alerts = [
    { alert: name, at: '5h', firing: [] },
    { alert: name, at: '10h', firing: [ticket] },
    { alert: name, at: '14h', firing: [] },
  ];
  await checkRules(context, promtool, allGroups(), [{ interval: '5m', input, alerts }]);
});
