import { settingsOf } from '../../src/config/settings.ts';
import type { Pipeline } from '../../src/pipeline/pipeline.ts';
import type { Clock } from '../../src/ports.ts';
import type { Settings } from '../../src/state/settings.ts';
import { isRejected, type Reader } from '../../src/stream/event.ts';
import { type ActiveTruth, activeTruth } from '../../src/stream/truth-cache.ts';
import type { Telemetry } from '../../src/telemetry.ts';
import { barePipeline } from '../support/bare-pipeline.ts';
import { simDeadLetters } from './dead-letters.ts';
import { createMember, type Member } from './group.ts';
import { topic } from './log.ts';
import { simReader } from './reference.ts';
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

/** Starts a process, outside the group still. */
export function startInstance(world: World): Instance {
  const { config, timeline } = world;
  const settings = settingsOf(config, undefined);
  const truth = { active: undefined as ActiveTruth | undefined };
  const instance: Draft = {
    number: world.everyone.length,
    alive: true,
    truth: 0,
    telemetry: undefined as unknown as Telemetry,
    pipeline: undefined as unknown as Pipeline,
    member: undefined as unknown as Member,
    useTruth(version) {
      instance.truth = version;
      const table = world.truths[version]!;
      const name = world.plant.truth === undefined ? table.version : world.truths[0]!.version;
      truth.active = activeTruth({ ...table, version: name }, settings.layout.families);
      instance.pipeline.truthChanged();
    },
    crash() {
      if (!instance.alive) return;
      instance.alive = false;
      world.instances.delete(instance);
      timeline.drop(instance);
    },
  };
  Object.assign(
    instance,
    pipelineOf(world, instance, settings, () => truth.active!),
  );
  instance.member = createMember(instance);
  instance.useTruth(world.random.int(world.truths.length));
  world.instances.add(instance);
  world.everyone.push(instance);
  return instance;
}

/** Its parts know it, and it knows them. */
type Draft = { -readonly [Key in keyof Instance]: Instance[Key] };

/** The pipeline over the simulated log, group and disk. */
function pipelineOf(
  world: World,
  instance: Instance,
  settings: Settings,
  truth: () => ActiveTruth,
): Pick<Instance, 'pipeline' | 'telemetry'> {
  const { config, random, timeline } = world;
  const clock = simClock(timeline, instance, random);
  const ids = { count: 0 };
  return barePipeline({
    config,
    topic,
    settings,
    reader: () => planted(world, simReader(config), clock),
    source: simSource(world, instance),
    checkpoints: simCheckpoints(world, instance),
    deadLetters: simDeadLetters(world, instance),
    clock,
    newId() {
      const now = String(Math.floor(timeline.nowMs)).padStart(9, '0');
      return `${now}-${String(ids.count++).padStart(6, '0')}-${instance.number}`;
    },
    truth,
  });
}

/** Planted: events are as old as the process is told that it is now, or steps as old as their records. */
function planted(world: World, reader: Reader, clock: Clock): Reader {
  if (world.plant.runs === 'order of arrival')
    return {
      ...reader,
      read(record) {
        const { timestamp: ts } = record;
        const { steps, ...others } = reader.read(record);
        return { ...others, steps: steps?.map((step) => ({ ...step, ts, start: ts })) };
      },
    };
  if (world.plant.eventTime === undefined) return reader;
  return {
    ...reader,
    read(record) {
      const ts = clock.nowMs();
      const { events, skipped } = reader.read(record);
      return { events: events.map((event) => (isRejected(event) ? event : { ...event, ts })), skipped };
    },
  };
}
