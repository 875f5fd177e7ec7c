import { declarations } from '../scoring/families.ts';
import type { AnyDeclaration } from '../scoring/family.ts';
import { ratesProblem, worstOf } from '../statistics/watch-rates.ts';
import { nearest } from '../view/near.ts';
import { ratesOf } from '../view/watched-rates.ts';
import { feedbackDeclaration } from '../scoring/feedback/index.ts';
import { outcomeDeclaration, outcomeDeclarationOf } from '../scoring/feedback/outcome.ts';
import type { Config } from './config.ts';
import type { Finding } from './problems.ts';

type Watch = NonNullable<Config['watches']>[number];

const hourMs = 3_600_000;

/** Problems of `watches` in the light of the other keys. */
export function watchFindings(config: Config): readonly Finding[] {
  return (config.watches ?? []).flatMap((watch, index) =>
    [...metricFindings(watch, config), ...groupFindings(watch, config), ...rateFindings(watch, config)].map(
      ({ path, phrase }) => ({ path: ['watches', index, ...path], phrase }),
    ),
  );
}

/** Paths of what can be watched, by family. */
const rates = declarations.flatMap(pathsOf);

function pathsOf(family: AnyDeclaration): readonly { readonly family: AnyDeclaration; readonly path: string }[] {
  return ratesOf(family).map(({ keys }) => ({ family, path: keys.join('.') }));
}

function metricFindings({ metric }: Watch, { kafka, metrics, time, feedback }: Config): Finding[] {
  const path = ['metric'];
  const watchable = [...rates, ...pathsOf(outcomeDeclarationOf(feedback.outcomes))];
  const rate = watchable.find((known) => known.path === metric);
  if (rate === undefined) {
    if (metric.startsWith(`${outcomeDeclaration.name}.`))
      return [{ path, phrase: 'is no rate of an outcome; name the outcome in feedback.outcomes' }];
    const known = watchable.map((one) => one.path);
    const near = known.find((one) => one.endsWith(`.${metric}`)) ?? nearest(metric, known);
    const remedy = near === undefined ? `there are ${known.join(', ')}` : `did you mean ${near}?`;
    return [{ path, phrase: `is no rate that can be watched; ${remedy}` }];
  }
  const { name, unit } = rate.family;
  // Without brokers feedback comes over HTTP, or from the files of a replay.
  const isFeedback = name === feedbackDeclaration.name || name === outcomeDeclaration.name;
  const needed = isFeedback ? (kafka.brokers.length === 0 ? undefined : 'feedback') : 'judgements';
  if (unit === 'judgement' && needed !== undefined && kafka[`${needed}_topic`] === undefined)
    return [{ path, phrase: `needs ${needed}; name its topic in kafka.${needed}_topic` }];
  const { enabled = true } = ((metrics as Readonly<Record<string, unknown>>)[name] ?? {}) as {
    readonly enabled?: boolean;
  };
  if (!enabled) return [{ path, phrase: `needs metrics.${name}.enabled` }];
  return time.windows.length === 0 ? [{ path, phrase: 'needs a window; add one to time.windows' }] : [];
}

function groupFindings({ by, where }: Watch, { slices }: Config): Finding[] {
  const findings: Finding[] = [];
  const sets = ['', ...slices.map((set) => set.join())];
  if (by !== undefined && !sets.includes(by.join()))
    findings.push({ path: ['by'], phrase: 'is none of slices; add it there, or leave it out' });
  for (const dimension of Object.keys(where))
    if (!(by === undefined ? slices.flat() : by).includes(dimension)) {
      const phrase = `names ${dimension}, by which nothing is watched; add it to ${by === undefined ? 'slices' : 'by'}`;
      findings.push({ path: ['where'], phrase });
    }
  return findings;
}

function rateFindings({ baseline, worst }: Watch, { time }: Config): Finding[] {
  const longest = time.windows.at(-1);
  if (typeof baseline === 'number') {
    const problem = ratesProblem(baseline, worst ?? worstOf(baseline));
    return problem === undefined
      ? []
      : [{ path: [worst === undefined ? 'baseline' : 'worst'], phrase: `does not do: ${problem}` }];
  }
  if (baseline === undefined || longest === undefined) return [];
  const path = ['baseline', 'learn'];
  if (baseline.learn.ms > longest.ms)
    return [{ path, phrase: `is longer than the longest window, ${longest.text}; add a longer one to time.windows` }];
  if (baseline.learn.ms > hourMs) return [];
  return [{ path, phrase: 'is too short: what is learned from is at least an hour old; give some hours' }];
}
