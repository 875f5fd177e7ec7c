#!/usr/bin/env node
import { setTimeout as sleep } from 'node:timers/promises';
import { main } from './cli/main.ts';

const stop = new AbortController();
const signals = ['SIGINT', 'SIGTERM'] as const;
for (const signal of signals) {
  process.on(signal, () => {
    if (stop.signal.aborted) void end(1);
    stop.abort(new Error(`stopped by ${signal}`));
  });
}
const status = await main(process.argv.slice(2), stop.signal);
// A pipe takes its time: what was written before this empty text is out when its callback comes.
for (const stream of [process.stdout, process.stderr])
  await new Promise((done) => stream.write('', () => done(undefined)));
await end(status);

/**
 * The exit waits for file operations that are under way, without an end for one that hangs, as on a dead network file system: the process
 * is killed then.
 */
async function end(status: number): Promise<never> {
  for (const signal of signals) process.removeAllListeners(signal);
  const isAtFiles = () => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
  for (const start = performance.now(); isAtFiles(); await sleep(10))
    if (performance.now() > start + 1_000) process.kill(process.pid, 'SIGKILL');
  process.exit(status);
}
