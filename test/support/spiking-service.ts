import type { TestContext } from 'node:test';
import { serveModel } from '../../src/service/serve.ts';
import { demoModels } from '../../src/commands/demo/catalogue.ts';
import { demoTraffic } from '../../src/commands/demo/scenario.ts';
import { createTraffic, type TrafficRecord } from '../../src/commands/demo/traffic.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { withoutTruth } from '../../src/stream/truth-overlay.ts';
import { memoryService } from './memory-service.ts';

export interface SpikingOptions {
  /** A multiple of three. */
  readonly models: number;
  /** Predictions a second. */
  readonly rate: number;
  /** Event time that lies behind when the service is there, and predictions of each model in it, and as many of the busy one: what baselines are learned from. */
  readonly history: { readonly ms: number; readonly each: number };
  /** Gets half of what is sent: a watch sees a spike, and its end, by cases. */
  readonly busy: string;
  readonly flags: Readonly<Record<string, unknown>>;
  /** Nothing is known of the examples. */
  readonly isTruthless?: boolean;
}

export interface SpikingService {
  readonly url: string;
  /** The model that goes wrong while this is its name. */
  spiking: string | undefined;
  /** Groups of which a watch fires, as `slice values`. */
  firing(): Promise<string[]>;
}

const tickMs = 100;

/** The whole service in this process, on the demonstration's traffic with as many models as are asked for. It ends with the test. */
export async function startSpikingService(context: TestContext, options: SpikingOptions): Promise<SpikingService> {
  const world = memoryService({ 'http.port': 0, ...options.flags });
  const { model, source, scorer, log } = world;
  const next = modelTraffic(options.models);
  scorer.useTruth(options.isTruthless ? withoutTruth : truthFromRecords(next.truth));
  const http = await serveModel(model, log);
  const end = world.run();
  const handle: SpikingService = {
    url: http.url,
    spiking: undefined,
    async firing() {
      const { watches } = model.views.watches();
      const firing = watches.filter((watch) => watch.firing);
      return [...new Set(firing.map((one) => [one.dimensions, ...one.values].join(' ')))];
    },
  };
  const send = (tsMs: number, model?: string): void => {
    for (const { key, value } of next.event(tsMs, handle.spiking, model)) source.append(key, value, tsMs);
  };
  const past = options.models * options.history.each;
  const startMs = Date.now();
  for (let event = 0; event < 2 * past; event++)
    send(startMs - options.history.ms * (1 - event / (2 * past)), event % 2 === 0 ? options.busy : undefined);
  let sent = 0;
  const timer = setInterval(() => {
    for (; sent < (options.rate * (Date.now() - startMs)) / 1000; sent++)
      send(Date.now(), sent % 2 === 0 ? options.busy : undefined);
  }, tickMs);
  const saver = setInterval(() => void world.show(), 1_000);
  context.after(async () => {
    clearInterval(timer);
    clearInterval(saver);
    await end();
    await http.close();
  });
  return handle;
}

/** The demonstration's traffic, its models divided into as many as are asked for: `atlas-mini`, `atlas-mini-1`, … */
function modelTraffic(models: number) {
  const options = { ...demoTraffic, duplicates: 0, malformed: 0 };
  const traffic = createTraffic(options);
  const ofBusy = createTraffic(options);
  const parts = models / demoModels.length;
  let count = 0;
  let event = 0;
  return {
    truth: traffic.examples.map(({ record }) => record),
    /** An event of the model, or of the next one. */
    event(tsMs: number, spiking: string | undefined, model?: string) {
      if (model !== undefined) {
        const base = demoModels.find(({ name }) => model === name || model.startsWith(`${name}-`))!.name;
        for (;;) {
          const records = ofBusy.next(tsMs, model === spiking ? base : undefined);
          if (records[0]!.value.includes(`"model":"${base}"`)) return renamed(records, base, model);
        }
      }
      const base = demoModels[count % demoModels.length]!.name;
      // All runs of an example are of one model.
      const part = Math.floor(count / demoModels.length / demoTraffic.runs) % parts;
      count++;
      const own = part === 0 ? base : `${base}-${part}`;
      return renamed(traffic.next(tsMs, own === spiking ? base : undefined), base, own);
    },
  };

  function renamed(records: readonly TrafficRecord[], base: string, model: string) {
    return records.map(({ key, value }) => ({
      key,
      value: value
        .replace(`"model":"${base}"`, `"model":"${model}"`)
        .replace(/"event_id":"[^"]*"/, `"event_id":"e-${event++}"`),
    }));
  }
}
