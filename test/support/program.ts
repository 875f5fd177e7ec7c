import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built program, as `npm run build` leaves it beside the built tests. */
export const program: string = fileURLToPath(new URL('../../bin/assay.js', import.meta.url));

export interface ProgramOptions {
  /** Besides PATH; the rest of the environment is not passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** Of another build. */
  readonly path?: string;
}

export interface Ended {
  /** null where a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program to its end. */
export async function runProgram(args: readonly string[], options: ProgramOptions = {}): Promise<Ended> {
  const child = startProgram(args, options);
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin!.on('error', () => undefined).end(options.input ?? '');
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr };
}

/** Starts the program; the caller ends it. */
export function startProgram(
  args: readonly string[],
  { env = {}, cwd, path = program }: ProgramOptions = {},
): ChildProcess {
  return spawn(process.execPath, [path, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
}
