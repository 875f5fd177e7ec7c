import process from 'node:process';
import { Writable } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import type { HostedRun } from './program.ts';

/* Runs commands of the program one after the other in this process, for `runProgram`: starting the program costs ten times as much as most commands. */

process.on('disconnect', () => process.exit());
process.on('message', async ({ args, cwd }: HostedRun) => {
  process.chdir(cwd);
  const stdout = captured('stdout');
  const stderr = captured('stderr');
  const status = await main(args, new AbortController().signal);
  process.send!({ status, stdout: stdout.text(), stderr: stderr.text() });
});

/** Puts a new stream in the place of an output of the process. */
function captured(name: 'stdout' | 'stderr'): { readonly text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  Object.defineProperty(process, name, { value: stream, configurable: true });
  return { text: () => Buffer.concat(chunks).toString() };
}
