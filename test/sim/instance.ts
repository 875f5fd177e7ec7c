import { readerOf, settingsOf } from '../../src/app/settings.ts';
import { shapingSettings } from '../../src/config/config-hash.ts';
import type { Reader } from '../../src/core/events.ts';
import { type ActiveTruth, activeTruth } from '../../src/core/truth-cache.ts';
import { limitNames } from '../../src/limits.ts';
import { createPipeline, type Pipeline } from '../../src/pipeline/pipeline.ts';
import type { Clock, Log } from '../../src/ports.ts';
import { createTelemetry, type Telemetry } from '../../src/telemetry.ts';
import { createMember, type Member } from './group.ts';
import { topic } from './log.ts';
import { simDeadLetters } from './letters.ts';
import { simSource } from './source.ts';
import { simCheckpoints } from './store.ts';
import { simClock } from './timeline.ts';
import type { World } from './world.ts';

/** A process of the program. */
export interface Instance {
  readonly number: number;
  readonly pipeline: Pipeline;
  readonly telemetry: Telemetry;
  readonly member: Member;
  alive: boolean;
  /** Version of the truth in use. */
  truth: number;
  useTruth(version: number): void;
  /** Its memory is gone, and whatever it was doing. */
  crash(): void;
}

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Starts a process, outside the group still. */
export function startInstance(world: World): Instance {
  const { config, random, timeline } = world;
  const number = world.everyone.length;
  const settings = settingsOf(config, undefined);
  const { families } = settings.layout;
  const truth = { active: undefined as ActiveTruth | undefined };
  const telemetry = createTelemetry({
    build: { version: '0', revision: '0', node: '0' },
    configHash: '0',
    exported: () => {
      throw new Error('nobody looks');
    },
    topics: [topic],
    limits: limitNames,
    checkpointIntervalMs: 1,
    snapshotIntervalMs: undefined,
  });
  const instance: { -readonly [Key in keyof Instance]: Instance[Key] } = {
    number,
    telemetry,
    alive: true,
    truth: 0,
    pipeline: undefined as unknown as Pipeline,
    member: undefined as unknown as Member,
    useTruth(version) {
      instance.truth = version;
      const table = world.truths[version]!;
      const name = world.plant.truth === undefined ? table.version : world.truths[0]!.version;
      truth.active = activeTruth({ ...table, version: name }, families);
      instance.pipeline.truthChanged();
    },
    crash() {
      if (!instance.alive) return;
      instance.alive = false;
      world.instances.delete(instance);
      timeline.drop(instance);
    },
  };
  const clock = simClock(timeline, instance, random);
  const cuts = { count: 0 };
  instance.pipeline = createPipeline({
    group: 'assay',
    settings,
    reader: planted(world, readerOf(config, true), clock),
    source: simSource(world, instance),
    checkpoints: simCheckpoints(world, instance),
    deadLetters: simDeadLetters(world, instance),
    telemetry,
    clock,
    log: silent,
    newId: () =>
      `${String(Math.floor(timeline.nowMs)).padStart(9, '0')}-${String(cuts.count++).padStart(6, '0')}-${number}`,
    configuration: {
      settings: Object.fromEntries(shapingSettings(config).map(({ key, value }) => [key, value])),
      config: {},
    },
    truth: () => truth.active!,
    from: 'earliest',
    onGap: 'refuse',
    rebuild: false,
    onScored: undefined,
    signal: new AbortController().signal,
  });
  instance.member = createMember(instance);
  instance.useTruth(random.int(world.truths.length));
  world.instances.add(instance);
  world.everyone.push(instance);
  return instance;
}

/** Planted: events are as old as the process is told that it is now. */
function planted(world: World, reader: Reader, clock: Clock): Reader {
  if (world.plant.eventTime === undefined) return reader;
  return {
    read(records, from, to) {
      const batch = reader.read(records, from, to);
      batch.ts.fill(clock.nowMs(), 0, batch.count);
      return batch;
    },
    readText: (text) => reader.readText(text),
  };
}
