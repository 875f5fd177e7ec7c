import { memoryLog } from '../adapters/memory-log.ts';
import { createLog } from '../adapters/log.ts';
import { summaryDocument } from '../formats/summary/summary-document.ts';
import { truthFromRecords } from '../formats/truth/table.ts';
import type { TruthRecord } from '../formats/truth/record.ts';
import type { Config } from '../config/config.ts';
import { modelsOf } from '../demo/catalogue.ts';
import { demoPast, demoTraffic, isTruthLate, lateTruthAfterMs, spikeOf, spikingAt } from '../demo/scenario.ts';
import { createTraffic, type Traffic } from '../demo/traffic.ts';
import type { CheckpointStore, DeadLetters, Log } from '../ports.ts';
import { deepOf } from './deep.ts';
import { contextOf, version } from './context.ts';
import type { ScoringService } from './running-service.ts';
import { createScoringService } from './scoring-service.ts';
import { serveService } from './serve.ts';
import { summaryTable } from './summary-table.ts';

export interface DemoOptions {
  readonly config: Config;
  /** Predictions a second. */
  readonly rate: number;
  readonly models: number;
  /** How long a model goes wrong. */
  readonly spikeMs: number;
  /** Stop by itself after this time; undefined runs until it is told to stop. */
  readonly seconds: number | undefined;
  /** Undefined: that of the configuration, or the next one that is free. */
  readonly port: number | undefined;
  readonly signal: AbortSignal;
}

const topic = 'predictions';
const partitions = 4;
const tickMs = 100;

/** Everything in one process on generated traffic, through the real pipeline: no Kafka, nothing written to disk. */
export async function demo(options: DemoOptions): Promise<number> {
  const config: Config = { ...options.config, kafka: { ...options.config.kafka, topics: [topic] } };
  const log = createLog({ ...config.log, level: 'warn', version });
  const source = memoryLog(topic, partitions);
  const service = createScoringService({
    config,
    source,
    checkpoints: noCheckpoints,
    deadLetters: noDeadLetters,
    log,
    newId: () => crypto.randomUUID(),
    deep: await deepOf(config),
    rebuild: false,
    snapshots: false,
    onScored: undefined,
    signal: options.signal,
  });
  const traffic = createTraffic({ ...demoTraffic, models: modelsOf(options.models) });
  const records = traffic.examples.map(({ record }) => record);
  const early = records.filter((_, index) => !isTruthLate(index));
  service.useTruth(truthFromRecords(early));
  const http = await serveSomewhere(service, config, options.port, log);
  process.stdout.write(`Assay demo: open ${http.url}/ (metrics: ${http.url}/metrics). Ctrl-C stops it.\n`);
  const running = source.run(service.pipeline.consumer);
  await play(options, traffic, records, service, source);
  await source.stop();
  await running;
  const { view } = await service.live.all();
  process.stdout.write(`\n${summaryTable(summaryDocument(view, contextOf(config, null, [])), { all: false })}\n`);
  await http.close();
  return 0;
}

/** Ports that are tried where nobody asked for one. */
const portsMax = 20;

async function serveSomewhere(service: ScoringService, config: Config, port: number | undefined, log: Log) {
  const serve = (at: number) => serveService(service, { ...config, http: { ...config.http, port: at } }, log);
  if (port !== undefined) return serve(port);
  for (let at = config.http.port; ; at++) {
    try {
      return await serve(at);
    } catch (error) {
      const taken = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
      if (!taken || at + 1 >= config.http.port + portsMax) throw error;
    }
  }
}

/** Sends predictions at the configured rate until it is time to stop; the late truth comes on the way. */
async function play(
  options: DemoOptions,
  traffic: Traffic,
  records: readonly TruthRecord[],
  service: ScoringService,
  source: ReturnType<typeof memoryLog>,
): Promise<void> {
  appendPast(options, traffic, source);
  const startMs = Date.now();
  let sent = 0;
  let late = false;
  let saveAtMs = startMs;
  let failing: string | undefined;
  while (!options.signal.aborted) {
    const elapsedMs = Date.now() - startMs;
    if (options.seconds !== undefined && elapsedMs >= 1000 * options.seconds) return;
    const spike = spikingAt(spikeOf(options.spikeMs), elapsedMs);
    if (spike !== failing) process.stdout.write(`${spike ?? failing} ${spike ? 'goes wrong now' : 'is well again'}\n`);
    failing = spike;
    for (; sent < (options.rate * elapsedMs) / 1000; sent++)
      for (const { key, value } of traffic.next(Date.now(), spike)) source.append(key, value, Date.now());
    if (!late && elapsedMs >= lateTruthAfterMs) {
      late = true;
      service.useTruth(truthFromRecords(records));
    }
    if (Date.now() - saveAtMs >= options.config.state.checkpoint_every.ms) {
      saveAtMs = Date.now();
      await service.pipeline.checkpointAll();
    }
    await new Promise((resolve) => setTimeout(resolve, tickMs));
  }
}

/** What came before the start. */
function appendPast({ rate }: DemoOptions, traffic: Traffic, source: ReturnType<typeof memoryLog>): void {
  const nowMs = Date.now();
  const everyMs = 1000 / Math.min(rate, demoPast.perSecondMost);
  for (let ms = nowMs - demoPast.ms; ms < nowMs; ms += everyMs)
    for (const { key, value } of traffic.next(Math.round(ms), undefined)) source.append(key, value, Math.round(ms));
}

/** The demonstration forgets everything when it stops. */
const noCheckpoints: CheckpointStore = {
  load: async () => [],
  save: async () => undefined,
  wantsSnapshot: () => false,
};

const noDeadLetters: DeadLetters = { write: async () => undefined, close: async () => undefined };
