#!/usr/bin/env node
import { main } from './cli/main.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort(new Error(`stopped by ${signal}`));
  });
}
const status = await main(process.argv.slice(2), stop.signal);
// A pipe takes its time: what was written before this empty text is out when its callback comes.
for (const stream of [process.stdout, process.stderr])
  await new Promise((done) => stream.write('', () => done(undefined)));
process.exit(status);
