import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { suite } from './suite.ts';

/** Runs a script of this folder: it reads its request as JSON from stdin and writes its answer as JSON to stdout. */
export type Python = <Answer>(script: string, request: unknown) => Promise<Answer>;

/**
 * A suite of tests with the Python environment of scripts/lib/python-env.mjs (pyarrow, Polars, pandas), or that of ASSAY_TEST_PYTHON; or with other
 * packages.
 */
export function withPython(name: string, body: (python: Python) => void, packages?: readonly string[]): void {
  const given = packages === undefined ? process.env['ASSAY_TEST_PYTHON'] : undefined;
  withInterpreter(
    name,
    (interpreter) => body((script, request) => runScript(interpreter(), script, request)),
    async () => given || (await pythonEnv(packages)),
  );
}

/** A suite of tests with the interpreter of an environment, which is known once a test runs. */
export function withInterpreter(
  name: string,
  body: (interpreter: () => string) => void,
  made: () => Promise<string>,
  limitMs?: number,
): void {
  const tests = (): void => {
    let interpreter = '';
    before(async () => {
      interpreter = await made();
    });
    body(() => interpreter);
  };
  suite(name, whyNoPython(), tests, limitMs);
}

function whyNoPython(): string | undefined {
  if (process.env['ASSAY_TEST_PYTHON'] === 'none') return 'no Python environment could be made';
  if (process.env['ASSAY_TEST_PYTHON']) return undefined;
  if (spawnSync('python3', ['-m', 'venv', '--help']).status === 0) return undefined;
  return 'no Python to test with: install it (for example: apt-get install python3-venv)';
}

/** The environment with these packages, those of `fromSource` built on this machine. */
export async function pythonEnv(packages?: readonly string[], fromSource: readonly string[] = []): Promise<string> {
  const script = pathToFileURL(resolve('scripts', 'lib', 'python-env.mjs')).href;
  const made = (await import(script)) as { pythonEnv(options: object): Promise<string> };
  return await made.pythonEnv({
    say: (line: string) => console.error(line),
    ...(packages && { packages }),
    fromSource,
  });
}

async function runScript<Answer>(interpreter: string, script: string, request: unknown): Promise<Answer> {
  const child = spawn(interpreter, [resolve('test', 'support', script)], { stdio: ['pipe', 'pipe', 'inherit'] });
  let answer = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  child.stdin.end(JSON.stringify(request));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`${script} ended with status ${status}`);
  return JSON.parse(answer) as Answer;
}

/** What a reader made of an Arrow file; times are in ms. */
export interface ArrowRead {
  readonly types: Readonly<Record<string, string>>;
  /** Columns that are never null, and metadata of the schema: pyarrow only. */
  readonly required?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Reads Arrow files, each with one of the readers. */
export async function readArrow(
  python: Python,
  tasks: readonly { readonly path: string; readonly reader: 'pyarrow' | 'polars' | 'pandas' }[],
): Promise<ArrowRead[]> {
  return await python<ArrowRead[]>('read_arrow.py', tasks);
}
