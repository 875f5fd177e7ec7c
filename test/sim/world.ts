import type { Config } from '../../src/config/config.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';
import type { Checks } from './checks.ts';
import type { DeadLetterBox } from './dead-letters.ts';
import type { Folder } from './disk.ts';
import { calm, type Faults, type Scenario } from './faults.ts';
import type { Group } from './group.ts';
import type { Instance } from './instance.ts';
import { createLog, type SimPartition, topic } from './log.ts';
import type { Plant } from './plants.ts';
import { prng, type Random } from './prng.ts';
import { createTimeline, type Timeline } from './timeline.ts';
import { createTraffic, recordLimits, type Traffic } from './traffic.ts';
import { onlyVersion, truthVersion } from './truth.ts';
import { configWith } from '../support/folding.ts';

/** All there is in one simulation. */
export interface World {
  readonly random: Random;
  readonly scenario: Scenario;
  readonly config: Config;
  readonly plant: Plant;
  readonly timeline: Timeline;
  readonly log: readonly SimPartition[];
  readonly traffic: Traffic;
  readonly truths: readonly TruthTable[];
  readonly folders: readonly Folder[];
  readonly deadLetters: DeadLetterBox;
  readonly group: Group;
  readonly checks: Checks;
  /** Processes that are up. */
  readonly instances: Set<Instance>;
  /** All that ever were: their counters count. */
  readonly everyone: Instance[];
  /** Processes that are about to start. */
  starting: number;
  faults: Faults;
  /** Nothing goes wrong any more. */
  healed: boolean;
  /** Until when disk and dead letters are out. */
  diskOutUntilMs: number;
  deadLettersOutUntilMs: number;
  /** The first thing that went against a law. */
  failure: Error | undefined;
}

export type WorldParts = Pick<World, 'deadLetters' | 'group' | 'checks'>;

export function createWorld(
  seed: number,
  scenario: Scenario,
  plant: Plant,
  parts: (log: World['log']) => WorldParts,
): World {
  const random = prng(seed);
  const log = createLog(scenario.partitions);
  return {
    random,
    scenario,
    config: simConfig(scenario),
    plant,
    timeline: createTimeline(),
    log,
    traffic: createTraffic(
      random.fork(),
      { ...scenario.traffic, ...(scenario.runs && { continued: 0.7 }) },
      scenario.partitions,
      scenario.judgements,
    ),
    truths: Array.from({ length: scenario.truths }, (_, at) =>
      truthVersion(scenario.truths === 1 ? onlyVersion : at, scenario.truthRevised),
    ),
    folders: log.map(() => []),
    ...parts(log),
    instances: new Set(),
    everyone: [],
    starting: 0,
    faults: scenario.faults,
    healed: false,
    diskOutUntilMs: 0,
    deadLettersOutUntilMs: 0,
    failure: undefined,
  };
}

/** From now on nothing goes wrong. */
export function heal(world: World): void {
  world.faults = calm;
  world.healed = true;
  world.diskOutUntilMs = 0;
  world.deadLettersOutUntilMs = 0;
}

export function fail(world: World, error: unknown): void {
  world.failure ??= error instanceof Error ? error : new Error(String(error));
}

/** Looks at something by a law: what is against it ends the simulation, and is no failure of the operation looked at. */
export function witness(world: World, look: () => void): void {
  try {
    look();
  } catch (error) {
    fail(world, error);
  }
}

/** Small windows and limits, so that a short log reaches all of them. */
export function simConfig(
  scenario: Pick<Scenario, 'tightLimits' | 'stabilityForm' | 'mode' | 'judgements' | 'runs'>,
): Config {
  const { tightLimits, stabilityForm, mode, judgements, runs } = scenario;
  const others =
    tightLimits === 'all'
      ? { dedupe_ids: 25, slices: 6, names: 2, breakdowns: 20, blames: 12, stability_groups: 12, open_runs: 5 }
      : {};
  const limits = { ...recordLimits, ...others, ...(tightLimits === 'none' ? {} : { pending: 8 }) };
  const values: Record<string, unknown> = {
    'time.pane': '1s',
    'time.out_of_orderness': '5s',
    'time.windows': ['20s', '3m'],
    'join.truth_wait': '60s',
    'dedupe.window': '30s',
    slices: [['model'], ['agent'], ['model', 'tags.env']],
    'metrics.mode': mode,
    // Truth comes by versions, of no file: an event that names no example is refused.
    'truth.paths': ['truth'],
    ...(judgements && { 'kafka.judgements_topic': topic }),
    // A run of so many steps has no more calls than it may have.
    ...(runs && {
      'runs.by': 'example',
      'runs.end': runs,
      'runs.idle': '10s',
      'runs.steps': tightLimits === 'all' ? 3 : 12,
    }),
    'metrics.stability.k': 3,
    'metrics.stability.form': stabilityForm,
    'metrics.stability.keep': '2m',
    watches: [
      { metric: 'decision.accuracy', baseline: 0.4, worst: 0.8, false_alarm_every: { cases: 200 } },
      { metric: 'decision.tool_hall', baseline: 0.1, false_alarm_every: '1h' },
    ],
    ...Object.fromEntries(Object.entries(limits).map(([name, limit]) => [`limits.${name}`, limit])),
  };
  return configWith(values);
}

/** What happens to an operation on the world, and when. */
export interface Operation<T> {
  /** Takes effect; throws where the world refuses. */
  readonly effect: () => T;
  /** The process dies while the operation is under way; without this it took effect or not. */
  readonly torn?: () => void;
  /** The world is out for this operation. */
  readonly out?: () => boolean;
}

/** An operation of a process on the world: it takes time, fails, takes effect unheard, or is the last thing that the process does. */
export function operate<T>(world: World, instance: Instance, operation: Operation<T>): Promise<T> {
  const { random, timeline } = world;
  const { effect, torn, out } = operation;
  return new Promise((resolve, reject) => {
    const happen = (): void => {
      const { failure, crashAtOperation } = world.faults;
      const fails = random.chance(failure);
      const dies = random.chance(crashAtOperation);
      if (out?.() === true) reject(new Error('simulated outage'));
      else if (fails || dies) {
        if (random.chance(0.5)) attempt(effect);
        if (dies) instance.crash();
        else reject(new Error('simulated failure'));
      } else attempt(effect, resolve, reject);
    };
    const lost = (): void => {
      if (torn !== undefined && random.chance(world.faults.torn)) torn();
      else if (random.chance(0.5)) attempt(effect);
    };
    const delayMs = random.chance(world.faults.slow) ? random.int(5_000) : random.int(20);
    timeline.after(delayMs, instance, happen, lost);
  });
}

/** Without ears, whether it worked is never heard of. */
function attempt<T>(effect: () => T, heard?: (value: T) => void, refused?: (error: unknown) => void): void {
  try {
    const value = effect();
    heard?.(value);
  } catch (error) {
    refused?.(error);
  }
}
