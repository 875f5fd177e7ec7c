import { contentTypes, labelSet, metricsText } from '../../adapters/prometheus/text.ts';
import { metricsRoute } from '../../adapters/http/routes.ts';
import type { Route } from '../../adapters/http/answering.ts';
import type { JudgeProgress } from './progress.ts';
import { programName } from '../../name.ts';

/** `/metrics` of `assay judge`: of the judging alone, since the service counts the predictions. */
export function judgeMetrics(
  progress: Pick<JudgeProgress, 'judged' | 'failed' | 'usd' | 'hindered'>,
  waiting: () => number,
): Route {
  const shown = new Map<string, number>();
  return metricsRoute(contentTypes, async (format) => {
    const metric = (name: string, type: 'counter' | 'gauge', help: string) => ({
      name: `${programName}_judge_${name}`,
      type,
      help,
    });
    const hinders = (what: string): number =>
      Number([...progress.hindered.keys()].some((name) => name.startsWith(what)));
    const sections = [
      {
        metric: metric('judgements_total', 'counter', 'Judgements made, also those that failed.'),
        series: [['', progress.judged] as const],
      },
      {
        metric: metric('failures_total', 'counter', 'Judgements without a score.'),
        series: [['', progress.failed] as const],
      },
      { metric: metric('usd_total', 'counter', 'US dollars spent.'), series: [['', progress.usd] as const] },
      {
        metric: metric('waiting', 'gauge', 'Chosen predictions that are not judged yet.'),
        series: [['', waiting()] as const],
      },
      {
        metric: metric('hindered', 'gauge', '1 where the budget is spent, or an endpoint does not answer.'),
        series: ['budget', 'endpoint'].map((what) => [labelSet([['by', what]]), hinders(what)] as const),
      },
    ];
    return metricsText(sections, { format, shown, nowMs: Date.now() });
  });
}
