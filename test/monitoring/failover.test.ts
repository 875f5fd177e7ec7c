import { allGroups, checkRules, type Expectation, type InputSeries } from '../support/promtool.ts';
import { testWith } from '../support/tools.ts';

/*
 * What Prometheus makes of counters that start at 0 with each process, grow by what is committed, and are never restored. One prediction a
 * second is scored; samples come every 15 s. Twelve idle minutes lie around the traffic, so that the windows hold all of it.
 */
interface Case {
  readonly title: string;
  readonly instances: Readonly<Record<string, string>>;
  /** Predictions that were scored. */
  readonly truth: number;
}

const cases: readonly Case[] = [
  {
    title: 'two instances, nothing happens',
    instances: { 'assay-0': '0x8 0+10x40 400x31', 'assay-1': '0x8 0+5x40 200x31' },
    truth: 600,
  },
  {
    title: 'a crash: the process starts again at 0 and commits again only what was not committed',
    instances: { 'assay-0': '0x8 0+15x20 _x2 0 45+15x17 300x31' },
    truth: 600,
  },
  {
    title: 'a crash under a new name, as of a Deployment: the first page shows 0 whatever was done before it',
    instances: { 'assay-6f9c': '0x8 0+15x20 stale', 'assay-b7d2': '_x32 0 45+15x17 300x29' },
    truth: 600,
  },
  {
    title: 'a hand-over and back: the partition is counted where it is owned',
    instances: { 'assay-0': '0x8 0+15x10 150x19 165+15x10 315x32', 'assay-1': '0x18 0+15x20 300x42' },
    truth: 615,
  },
  {
    title: 'a restore: the state comes back with a million predictions, the counter with none',
    instances: { 'assay-0': '1000000x8 1000000+15x20 _x2 0 45+15x17 300x31' },
    truth: 600,
  },
];

for (const { title, instances, truth } of cases) {
  testWith(['promtool'], `predictions counted through ${title}`, async (context, promtool) => {
    const labels = 'job="assay",model="m1",gold="tool_call",predicted="tool_call"';
    const input = Object.entries(instances).map(
      ([instance, values]): InputSeries => ({
        series: `assay_outcomes_total{instance="${instance}",${labels}}`,
        values,
      }),
    );
    // rate() extrapolates to the ends of its window, which bends a count by some percents where a series begins.
    const near = (expr: string): Expectation => ({
      expr: `abs(${expr} / ${truth} - 1) < bool 0.04`,
      at: '20m',
      samples: [[{ job: 'assay', model: 'm1' }, 1]],
    });
    const expect = [
      near('sum by (job, model) (increase(assay_outcomes_total[20m]))'),
      near('job_model:assay_outcomes:increase30m'),
      near('job_model:assay_outcomes:increase3d'),
    ];
    await checkRules(context, promtool, allGroups(), [{ interval: '15s', input, expect }]);
  });
}
