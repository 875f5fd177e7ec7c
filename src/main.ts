#!/usr/bin/env node
import { main } from './cli/main.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort(new Error(`stopped by ${signal}`));
  });
}
process.exit(await main(process.argv.slice(2), stop.signal));
