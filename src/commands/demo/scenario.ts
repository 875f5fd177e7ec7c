import { type DemoModel, demoModels } from './catalogue.ts';
import type { TrafficOptions } from './traffic.ts';

/** The traffic of the demonstrations, in this process and over Kafka. Truth and predictions are made apart, and fit since both come from one seed. */
export const demoTraffic: TrafficOptions = { seed: 7, examples: 400, runs: 5, duplicates: 0.01, malformed: 0.005 };

/** The models of the demonstration; beyond them more that behave alike, as `heron-7b-2`. */
export function modelsOf(count: number): DemoModel[] {
  return Array.from({ length: count }, (_, index) => {
    const model = demoModels[index % demoModels.length]!;
    const lap = Math.floor(index / demoModels.length);
    return lap === 0 ? model : { ...model, name: `${model.name}-${lap + 1}` };
  });
}

/** A model goes wrong for a while, and again after each period. Times are since the start. */
export interface Spike {
  readonly model: string;
  readonly afterMs: number;
  readonly forMs: number;
  readonly everyMs: number;
}

/** The story of the demonstration: the first minute is calm, two are not. */
export const demoSpike: Spike = { model: 'atlas-mini', afterMs: 60_000, forMs: 120_000, everyMs: 3_600_000 };

/** The model that is going wrong at this time. */
export function spikingAt(spike: Spike, elapsedMs: number): string | undefined {
  const since = (elapsedMs - spike.afterMs) % spike.everyMs;
  return elapsedMs >= spike.afterMs && since < spike.forMs ? spike.model : undefined;
}

/** The model that goes wrong in the demonstration: that of `demoSpike`, or the last of fewer models. */
export function spikingModel(models: number): string {
  const names = modelsOf(models).map(({ name }) => name);
  return names.includes(demoSpike.model) ? demoSpike.model : names.at(-1)!;
}

/** When the truth of most examples is sent to the demonstration in this process: until then people see what needs none. */
export const truthAfterMs = 4_000;

/** When the truth of the late examples comes. */
export const lateTruthAfterMs = 20_000;

/** Returns whether the truth of an example, by its index, is late: of every tenth. */
export function isTruthLate(index: number): boolean {
  return index % 10 === 0;
}
