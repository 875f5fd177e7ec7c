import { type MemoryLog, memoryLog } from '../../adapters/memory-log.ts';
import { createLog } from '../../adapters/log.ts';
import { truthFromRecords } from '../../formats/truth/table.ts';
import type { TruthRecord } from '../../formats/truth/record.ts';
import type { Config } from '../../config/config.ts';
import { deepOf } from '../../config/settings.ts';
import { demoSpike, demoTraffic, isTruthLate, lateTruthAfterMs, modelsOf, type Spike, spikingAt } from './scenario.ts';
import { createTraffic, type Traffic } from './traffic.ts';
import type { Log } from '../../ports.ts';
import { version } from '../../documents/context.ts';
import { localScorer } from '../../service/local-scorer.ts';
import { documentOf, type ReadModel } from '../../service/read-model.ts';
import type { Scorer } from '../../service/scorer.ts';
import { serveModel } from '../../service/serve.ts';
import { summaryTable } from '../../terminal/summary-table.ts';
import { widthOf } from '../../terminal/terminal-text.ts';

export interface DemoOptions {
  readonly config: Config;
  /** Predictions a second. */
  readonly rate: number;
  readonly models: number;
  /** Traffic from before the start: watches learn from it. */
  readonly pastMs: number;
  /** How fast the past passes; undefined: as fast as it can be scored. */
  readonly speed?: number | undefined;
  /** How long a model goes wrong, and when it first does, from the beginning of the traffic; undefined: when `demoSpike` says, from now. */
  readonly spikeMs: number;
  readonly spikeAtMs?: number | undefined;
  /** Stop by itself after this time; undefined runs until a signal. */
  readonly seconds?: number | undefined;
  /** Undefined: that of the configuration, or the next one that is free. */
  readonly port?: number | undefined;
  readonly signal: AbortSignal;
}

const topic = 'predictions';
const partitions = 4;
const tickMs = 100;
/** A second behind at the most. */
const showEveryMs = 1_000;

/** Everything in one process on generated traffic, through the real pipeline: no Kafka, nothing written to disk. */
export async function demo(options: DemoOptions): Promise<number> {
  const config: Config = { ...options.config, kafka: { ...options.config.kafka, topics: [topic] } };
  const log = createLog({ ...config.log, level: 'warn', version });
  const source = memoryLog(topic, partitions);
  const local = localScorer({ config, source, log, deep: await deepOf(config), signal: options.signal });
  const { scorer, model } = local;
  const traffic = createTraffic({ ...demoTraffic, models: modelsOf(options.models) });
  const records = traffic.examples.map(({ record }) => record);
  const early = records.filter((_, index) => !isTruthLate(index));
  scorer.useTruth(truthFromRecords(early));
  const http = await serveSomewhere(model, options.port, log);
  process.stdout.write(`Assay demo: open ${http.url}/ (metrics: ${http.url}/metrics). Ctrl-C stops it.\n`);
  const running = source.run(scorer.pipeline.consumer);
  const timer = setInterval(() => void local.show(), showEveryMs);
  await play(options, traffic, records, scorer, source);
  clearInterval(timer);
  await source.stop();
  await running;
  await local.show();
  process.stdout.write(`\n${summaryTable(documentOf(model), { all: false, width: widthOf(process.stdout) })}\n`);
  await http.close();
  return 0;
}

/** Ports that are tried where none was given. */
const portsMax = 20;

async function serveSomewhere(model: ReadModel, port: number | undefined, log: Log) {
  const { http } = model.config;
  if (port !== undefined) return serveModel(model, log, { port });
  for (let at = http.port; ; at++) {
    try {
      return await serveModel(model, log, { port: at });
    } catch (error) {
      const taken = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
      if (!taken || at + 1 >= http.port + portsMax) throw error;
    }
  }
}

/** Plays the past, then the present until it is time to stop; the late truth comes on the way. */
async function play(
  options: DemoOptions,
  traffic: Traffic,
  records: readonly TruthRecord[],
  scorer: Scorer,
  source: MemoryLog,
): Promise<void> {
  const startMs = Date.now();
  const send = senderOf(options, traffic, source, startMs);
  await playPast(options, source, startMs, send);
  const presentMs = Date.now();
  let late = false;
  while (!options.signal.aborted) {
    const elapsedMs = Date.now() - presentMs;
    if (options.seconds !== undefined && elapsedMs >= 1000 * options.seconds) return;
    send(Date.now());
    if (!late && elapsedMs >= lateTruthAfterMs) {
      late = true;
      scorer.useTruth(truthFromRecords(records));
    }
    await sleep(tickMs);
  }
}

/** Sends the predictions that are due up to a time. */
type Send = (untilMs: number) => void;

function senderOf(options: DemoOptions, traffic: Traffic, source: MemoryLog, startMs: number): Send {
  const { rate, pastMs, spikeMs, spikeAtMs } = options;
  const beginMs = startMs - pastMs;
  const spike: Spike = {
    model: demoSpike.model,
    afterMs: spikeAtMs ?? pastMs + demoSpike.afterMs,
    forMs: spikeMs,
    everyMs: Math.max(demoSpike.everyMs, 2 * spikeMs),
  };
  const lateIds = new Set(traffic.examples.flatMap(({ record }, at) => (isTruthLate(at) ? [record.example_id] : [])));
  let tsMs = beginMs;
  let failing: string | undefined;
  return (untilMs) => {
    for (; tsMs <= untilMs; tsMs += 1000 / (tsMs < startMs ? Math.min(rate, pastRateMax) : rate)) {
      const wrong = spikingAt(spike, tsMs - beginMs);
      if (wrong !== failing)
        process.stdout.write(`${wrong ?? failing} ${wrong ? 'goes wrong now' : 'is well again'}\n`);
      failing = wrong;
      // A truth that comes after all that time is of no use.
      for (const { key, value } of traffic.next(tsMs, wrong))
        if (tsMs >= startMs || !lateIds.has(key)) source.append(key, value, tsMs);
    }
  };
}

/** Predictions a second of the past, so that it is scored in seconds. */
const pastRateMax = 20;
/** Records of it that may wait to be read. */
const waitingMax = 5_000;

async function playPast(
  { pastMs, rate, speed = Number.POSITIVE_INFINITY, signal }: DemoOptions,
  source: MemoryLog,
  startMs: number,
  send: Send,
): Promise<void> {
  const stepMs = (1000 * waitingMax) / Math.min(rate, pastRateMax);
  for (let at = startMs - pastMs; at < startMs && !signal.aborted; ) {
    const reached = startMs - pastMs + speed * Math.max(1, Date.now() - startMs);
    at = Math.min(at + stepMs, reached, startMs);
    send(at);
    do await sleep(speed === Number.POSITIVE_INFINITY ? 1 : tickMs);
    while (source.waiting() > waitingMax && !signal.aborted);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The demonstration forgets everything when it stops. */
