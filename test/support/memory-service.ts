import { createLog } from '../../src/adapters/log.ts';
import { memoryLog } from './memory-log.ts';
import { localScorer } from './local-scorer.ts';
import { configWith } from './folding.ts';

const topic = 'predictions';
const partitions = 4;

/** The whole service in this process, on a log in memory; nothing that it saves is kept. */
export function memoryService(flags: Readonly<Record<string, unknown>>) {
  const config = configWith({ 'kafka.topics': [topic], 'log.level': 'error', ...flags });
  const source = memoryLog(topic, partitions);
  const log = createLog({ ...config.log, version: 'test' });
  const stop = new AbortController();
  const local = localScorer({ config, source, log, deep: undefined, signal: stop.signal });
  /** Begins to read; what it returns ends that. */
  const run = (): (() => Promise<void>) => {
    const running = source.run(local.scorer.pipeline.consumer);
    return async () => {
      stop.abort();
      await source.stop();
      await running;
    };
  };
  return { config, source, log, run, ...local };
}
