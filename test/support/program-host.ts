import process from 'node:process';
import { Writable } from 'node:stream';
import type { HostedRun } from './program.ts';

/*
 * Runs commands of the built program one after the other in this process, for `runProgram`: starting the program costs three times as much as
 * most commands. Its threads start twice as quickly from the bundle as from the hundreds of files that it is made of.
 */

const { main } = (await import(
  new URL('../../bin/commands.js', import.meta.url).href
)) as typeof import('../../src/cli/main.ts');

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
