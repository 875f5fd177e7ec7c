import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Readers and writers of Arrow that are not ours. */
const arrowPackages = ['pyarrow==26.0.1', 'polars==2.1.0', 'pandas==3.1.1'];

/**
 * A Python with packages (pyarrow, Polars and pandas), in an environment that is made once and kept in the user's cache folder.
 *
 * @param {{ say: (line: string) => void, packages?: readonly string[], fromSource?: readonly string[] }} options `fromSource`: names of packages that are built here
 * @returns {Promise<string>} path of its interpreter
 */
export async function pythonEnv({ say, packages = arrowPackages, fromSource = [] }) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  // Brackets of an extra would be a pattern to who looks for a file there.
  const home = join(cache, 'assay-python', packages.join('-').replace(/[^\w.-]+/g, '-'));
  const python = join(home, 'bin', 'python');
  if (existsSync(python)) return python;
  await need('python3', ['--version'], 'Python 3.11 or newer (for example: apt-get install python3-venv)');
  say(`Making a Python environment (${packages.join(', ')}; those of Arrow take 540 MB) in ${home} ...`);
  await mkdir(dirname(home), { recursive: true });
  // Scripts in an environment hold its path, but nothing here runs them: it may be moved.
  const work = await mkdtemp(join(dirname(home), 'make-'));
  try {
    await need('python3', ['-m', 'venv', work], 'the module venv (for example: apt-get install python3-venv)');
    const pip = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--only-binary',
      ':all:',
      ...fromSource.flatMap((name) => ['--no-binary', name]),
      ...packages,
    ];
    await need(join(work, 'bin', 'python'), pip, 'the packages by hand, or Python 3.11 or newer');
    // A process that made one at the same time may have put it there already.
    await rename(work, home).catch((error) => {
      if (!existsSync(python)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return python;
}

async function need(command, args, what) {
  const { status, output } = await run(command, args).catch((error) => ({ status: -1, output: error.message }));
  if (status !== 0) throw new Error(`${command} ${args.slice(0, 3).join(' ')} fails: install ${what}\n${output}`);
}

function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (bytes) => {
      output = (output + bytes).slice(-8000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output }));
  });
}
