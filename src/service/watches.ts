import type { Config } from '../config/config.ts';
import { settingsOf } from '../config/settings.ts';
import type { Settings } from '../state/settings.ts';
import { createWatchPanes } from '../view/watch-panes.ts';
import { type WatchableRate, watchableRates } from '../view/watched-rates.ts';
import type { WatchRule } from '../view/watch-baseline.ts';
import { createWatcher, type Watcher } from '../view/watcher.ts';

/** A watcher of what the configuration says, or of the rates that are watched by default, or of one of those alone; undefined where nothing is watched. */
export function watcherOf(config: Config, settings: Settings, only?: string): Watcher | undefined {
  const rates = watchableRates(settings.layout);
  const rules = rulesOf(config, rates, only);
  if (rules.length === 0 || config.time.windows.length === 0) return undefined;
  const watched = rates.filter(({ path }) => rules.some(({ metric }) => metric === path));
  const sets = [[], ...config.slices].filter((set) =>
    rules.some((rule) => rule.sets.some((own) => own.join() === set.join())),
  );
  return createWatcher(createWatchPanes(settings, watched, sets), rules);
}

/** The configuration with the families alone that its watcher reads, and `stability`, which design effects come from: the others take most of the time of a fold. */
export function watchedOnly(config: Config, only?: string): Config {
  const rules = rulesOf(config, watchableRates(settingsOf(config, undefined).layout), only);
  const read = new Set(['stability', ...rules.map(({ metric }) => metric.split('.')[0])]);
  const metrics = Object.entries(config.metrics).map(([name, own]) => {
    if (typeof own !== 'object' || !('enabled' in own)) return [name, own];
    return [name, { ...own, enabled: own.enabled && read.has(name) }];
  });
  return { ...config, metrics: Object.fromEntries(metrics) as Config['metrics'] };
}

function rulesOf(config: Config, rates: readonly WatchableRate[], only: string | undefined): WatchRule[] {
  const usual = rates.filter(({ path, watched }) => (only === undefined ? watched : path === only));
  const rules =
    config.watches?.map((watch) => ruleOf(watch, config)) ??
    usual.map(({ path }) => usualRule(path, usual.length, config));
  return rules.filter(({ metric }) => only === undefined || metric === only);
}

const monthMs = 30 * 86_400_000;

/** One false alarm in 30 days for all of them. */
function usualRule(metric: string, rules: number, config: Config): WatchRule {
  const { learnMs, sets } = everything(config);
  const falseAlarm = { everyMs: monthMs * rules };
  return { metric, sets, where: {}, baseline: undefined, learnMs, worst: undefined, falseAlarm };
}

function ruleOf(watch: NonNullable<Config['watches']>[number], config: Config): WatchRule {
  const { metric, by, where, baseline, worst, false_alarm_every: every } = watch;
  const { learnMs, sets } = everything(config);
  return {
    metric,
    sets: sets
      .filter((set) => by === undefined || set.join() === by.join())
      .filter((set) => Object.keys(where).every((dimension) => set.includes(dimension))),
    where,
    baseline: typeof baseline === 'number' ? baseline : undefined,
    learnMs: typeof baseline === 'object' ? baseline.learn.ms : learnMs,
    worst,
    falseAlarm: 'ms' in every ? { everyMs: every.ms } : every,
  };
}

/** The total and each of `slices`, and the longest window. */
function everything({ slices, time }: Config): { readonly sets: WatchRule['sets']; readonly learnMs: number } {
  return { sets: [[], ...slices], learnMs: time.windows.at(-1)?.ms ?? 0 };
}
