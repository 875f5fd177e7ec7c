import { programName } from '../../name.ts';
import { seeded } from '../../statistics/random.ts';
import { UsageError } from '../../errors.ts';
import type { PartitionState } from '../../state/partition.ts';
import { sliceValues } from '../../state/slices.ts';
import type { Scored } from '../../stream/score.ts';
import type { WatchReading } from '../../view/summary.ts';
import { addReadings, noAlarms, watchKey } from '../../view/watch-alarms.ts';
import type { Watcher } from '../../view/watcher.ts';
import { watchReadings } from '../../view/watches.ts';
import { drillOf, drillText, type Pass } from './drill-result.ts';
import { foldHistory } from './fold-history.ts';
import type { ScoredEventsOptions } from '../../service/scored-events.ts';
import { createPlanter, isIn, type Planter, planSpikes, type Spike } from './planted-spikes.ts';
import { settingsOf } from '../../config/settings.ts';
import { watchedOnly, watcherOf } from '../../service/watches.ts';

export interface DrillOptions extends ScoredEventsOptions {
  /** The rate whose watches are tried; undefined: every one that is watched. */
  readonly metric?: string;
  /** Share of the good cases that a spike makes bad. */
  readonly size: number;
  readonly forMs: number;
  /** Spikes begin at least so long after one another. */
  readonly everyMs: number;
  readonly seed: number;
  readonly json?: boolean;
}

/** Recorded traffic twice: as it was, and with planted spikes. Resolves with the exit status. */
export async function watchDrill(options: DrillOptions): Promise<number> {
  const calm = await passOver(options, []);
  const targets = [...calm.ready.values()].filter(({ dimensions }) => dimensions.length > 0);
  if (targets.length === 0)
    throw new UsageError('watch drill: no watch of a group learned a baseline from this traffic');
  const spikes = planSpikes(seeded(options.seed), targets, { ...options, toMs: calm.toMs });
  if (spikes.length === 0) throw new UsageError('watch drill: this traffic is too short; see --for and --every');
  const drill = drillOf(calm, await passOver(options, spikes), spikes);
  process.stdout.write(
    options.json ? `${JSON.stringify({ format: `${programName}.drill/1`, ...drill })}\n` : drillText(drill),
  );
  return 0;
}

async function passOver(options: DrillOptions, spikes: readonly Spike[]): Promise<Pass> {
  const config = watchedOnly(options.config, options.metric);
  const settings = settingsOf(config, undefined);
  const watcher = watcherOf(config, settings, options.metric);
  if (watcher === undefined)
    throw new UsageError(`watch drill: ${options.metric ?? 'nothing'} is not watched; see watches and time.windows`);
  const pass: Pass = {
    ...{ alarms: noAlarms(), fromMs: Number.NaN, toMs: Number.NaN, last: [] },
    ...{ cases: new Map(), ready: new Map(), before: new Map(), seen: new Map() },
  };
  const planting = {
    spikes,
    planter: createPlanter(settings.layout),
    random: seeded(options.seed + 1),
    size: options.size,
  };
  await foldHistory(
    { ...options, config },
    {
      onScored: (scored, state) => plant(planting, watcher, pass, scored, state),
      onPane: (state, asOfMs) => look(pass, spikes, watchReadings(watcher, [state], asOfMs, false), asOfMs),
    },
  );
  return pass;
}

interface Planting {
  readonly spikes: readonly Spike[];
  readonly planter: Planter;
  readonly random: () => number;
  readonly size: number;
}

/** Counts the cases of an event, and makes those bad that a spike asks for. */
function plant(
  { spikes, planter, random, size }: Planting,
  { panes }: Watcher,
  pass: Pass,
  scored: Scored,
  state: PartitionState,
) {
  const { dimensions } = state.settings;
  const own = sliceValues(state.slices, scored.slice);
  const { ts } = scored;
  for (const rate of panes.rates) {
    const { n, bad } = planter.casesOf(scored, rate);
    if (n === 0) continue;
    for (const set of panes.sets) {
      const values = set.map((dimension) => own[dimensions.indexOf(dimension)]!);
      const key = watchKey({ watch: rate.path, dimensions: set, values });
      const known = pass.cases.get(key) ?? { n: 0, bad: 0 };
      pass.cases.set(key, { n: known.n + n, bad: known.bad + bad });
    }
    for (const spike of spikes) {
      if (spike.watch !== rate.path || ts < spike.fromMs || ts >= spike.toMs || !isIn(state, scored, spike)) continue;
      let spoiled = 0;
      for (let good = n - bad; good > 0; good--) if (random() < size) spoiled++;
      if (spoiled > 0) planter.spoil(state, scored, rate, spoiled);
      spike.n += n;
      spike.bad += bad + spoiled;
    }
  }
}

/** Takes the readings at T. */
function look(pass: Pass, spikes: readonly Spike[], readings: readonly WatchReading[], asOfMs: number): void {
  if (Number.isNaN(pass.fromMs)) pass.fromMs = asOfMs;
  pass.toMs = asOfMs;
  pass.last = readings;
  addReadings(pass.alarms, readings, asOfMs);
  for (const reading of readings) {
    const key = watchKey(reading);
    if (reading.design !== undefined && !pass.ready.has(key)) pass.ready.set(key, { ...reading, readyMs: asOfMs });
  }
  for (const spike of spikes) {
    if (asOfMs < spike.fromMs || asOfMs > spike.toMs + lateMs || pass.seen.has(spike)) continue;
    const reading = readings.find((one) => watchKey(one) === watchKey(spike));
    if (reading === undefined) continue;
    if (!pass.before.has(spike)) pass.before.set(spike, reading);
    else if (reading.firing) pass.seen.set(spike, { atMs: asOfMs, n: spike.n });
  }
}

/** An alarm may come with the pane in which its spike ends. */
const lateMs = 60_000;
