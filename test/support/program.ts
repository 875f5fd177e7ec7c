import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { soak } from './soak.ts';

/** The built program, as `npm run build` leaves it beside the built tests. */
export const program: string = fileURLToPath(new URL('../../bin/assay.js', import.meta.url));

export interface ProgramOptions {
  /** Besides PATH; the rest of the environment is not passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** The built program in a process of its own, and not its commands in a process that several runs share. */
  readonly built?: boolean;
  /** Of another build. */
  readonly path?: string;
}

export interface Ended {
  /** null where a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command for the process of `program-host.ts`. */
export interface HostedRun {
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Commands that log by file descriptor. */
const logging: readonly (string | undefined)[] = ['run', 'view', 'demo', 'judge', 'state'];

/**
 * Runs the program to its end. Commands share a process, unless they log, need an input or an environment, or the test asks for the
 * built program; in the soak each runs on the built program.
 */
export async function runProgram(args: readonly string[], options: ProgramOptions = {}): Promise<Ended> {
  const { env, cwd = process.cwd(), input, path, built = soak || path !== undefined } = options;
  const needsOwn = Object.keys(env ?? {}).length > 0 || (input?.length ?? 0) > 0 || logging.includes(args[0]);
  if (!built && !needsOwn) return hosted({ args, cwd });
  const child = startProgram(args, options);
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin!.on('error', () => undefined).end(input ?? '');
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr };
}

const running = new Set<ChildProcess>();

// What a failed test leaves behind would keep its file from ending.
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the program; the caller ends it. */
export function startProgram(
  args: readonly string[],
  { env = {}, cwd, path = program }: ProgramOptions = {},
): ChildProcess {
  const child = spawn(process.execPath, [path, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

const host: { process?: ChildProcess; last: Promise<unknown> } = { last: Promise.resolve() };

/** One after the other: the working folder and the outputs are those of the whole process. */
function hosted(run: HostedRun): Promise<Ended> {
  const ended = host.last.then(() => runHosted(run));
  host.last = ended.catch(() => undefined);
  return ended;
}

async function runHosted(run: HostedRun): Promise<Ended> {
  host.process ??= startHost();
  const child = host.process;
  const over = new AbortController();
  const exit = once(child, 'exit', over).then(([status]) =>
    Promise.reject(new Error(`${run.args[0]}: status ${status}`)),
  );
  child.ref();
  child.channel!.ref();
  try {
    child.send(run);
    return await Promise.race([once(child, 'message', over).then(([ended]) => ended as Ended), exit]);
  } finally {
    over.abort();
    exit.catch(() => undefined);
    child.unref();
    child.channel?.unref();
  }
}

function startHost(): ChildProcess {
  const path = fileURLToPath(new URL('./program-host.js', import.meta.url));
  return fork(path, [], {
    env: { PATH: process.env['PATH'] },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
