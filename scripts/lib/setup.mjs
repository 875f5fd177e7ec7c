import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the packages of the lock file where they are missing or others. Not by npm ci: it refuses a lock file that does not name the
 * optional packages of every platform there is.
 */
export async function installPackages() {
  if (packagesAreCurrent()) return;
  say('Installing packages (npm install) ...');
  await succeed('npm', ['install', '--no-save', '--no-fund', '--no-audit'], 'npm install failed');
}

/** Builds where the sources changed; TypeScript says what is wrong with them. */
export async function build() {
  if (buildIsCurrent()) return;
  say('Building ...');
  await succeed(process.execPath, [join('scripts', 'build.mjs')], 'The build failed');
}

/** Path of a package's command, to be run with node itself: quicker than through npm. */
export function bin(packageName, command) {
  const folder = join('node_modules', packageName);
  const { bin: commands } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof commands === 'string' ? commands : commands[command]);
}

/**
 * Runs a command on this terminal to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit status; 1 where a signal ended it
 */
export function run(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env });
    const end = () => child.kill('SIGTERM');
    process.once('exit', end);
    child.on('error', reject);
    child.on('close', (status) => {
      process.off('exit', end);
      resolve(status ?? 1);
    });
  });
}

/** Runs a command that must succeed. */
export async function succeed(command, args, failure) {
  if ((await run(command, args)) !== 0) throw new Error(failure);
}

/** What the script is doing, on stderr. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Compares what npm says it installed with what the lock file asks for. Packages for other machines may be missing. */
function packagesAreCurrent() {
  const installedFile = join('node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf(installedFile);
  const same = Object.entries(wanted).every(([path, { version, optional, devOptional }]) =>
    path in installed ? installed[path].version === version : optional || devOptional,
  );
  return same && Object.keys(installed).every((path) => path in wanted);
}

function packagesOf(file) {
  const { '': _project, ...packages } = JSON.parse(readFileSync(file, 'utf8')).packages;
  return packages;
}

/** Whether the last build is younger than every source. The program is what a build writes last. */
function buildIsCurrent() {
  const program = join('dist', 'bin', 'assay.js');
  if (!existsSync(program)) return false;
  const built = statSync(program).mtimeMs;
  const sources = ['src', 'packages', 'test', 'bench'].filter((folder) => existsSync(folder)).flatMap(filesBelow);
  return ['tsconfig.json', 'package-lock.json', ...sources].every((file) => statSync(file).mtimeMs < built);
}

/** Every file and folder below a folder: a deleted file leaves its mark on the folder. */
function filesBelow(folder) {
  return [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, name))];
}
