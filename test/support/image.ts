import { copyFileSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { installed, runCommand } from './tools.ts';

/** Images of one test: in a folder of its own, so that nothing of them stays on the machine. */
export interface Images {
  /** Makes the stand-in for the base image and runs it once. Why that is not possible on this machine; undefined where it is. */
  prepare(): Promise<string | undefined>;
  /** Builds the Dockerfile of this folder on the stand-in, with arguments. */
  build(name: string, args: Readonly<Record<string, string>>): Promise<void>;
  /** What an image says of itself. */
  inspect(name: string): Promise<ImageConfig>;
  /** Folder with an image's root file system: a plain copy, nothing is mounted. */
  mount(name: string): Promise<string>;
}

/** The configuration of an image, as Docker keeps it. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly ExposedPorts: Readonly<Record<string, unknown>>;
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** Why no image can be built and run here; undefined where one can. Neither needs a daemon, nor a registry. */
export async function whyNoImages(): Promise<string | undefined> {
  const missing = ['buildah', 'unshare', 'nsenter', 'ldd', 'npm'].filter((name) => installed(name) === undefined);
  if (missing.length > 0) return `${missing.join(', ')}: not installed (Debian: buildah, util-linux)`;
  if (userInfo().uid !== 0) return 'images are built by root here';
  const mounting = 'mount -t tmpfs tmpfs /mnt && mount -o remount,bind,ro /mnt';
  const namespaces = ['--mount', '--pid', '--fork', '--mount-proc'];
  const { status, stderr } = await runCommand('unshare', [...namespaces, 'sh', '-c', mounting]);
  return status === 0 ? undefined : `nothing may be mounted on this machine: ${stderr.trim()}`;
}

const standIn = 'localhost/node-of-this-machine';

/** An empty store of images below a folder. */
export function createImages(folder: string): Images {
  const store = ['--storage-driver', 'vfs', '--root', join(folder, 'images'), '--runroot', join(folder, 'running')];
  const buildah = async (command: string, ...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await runCommand('buildah', [...store, command, ...args]);
    if (status !== 0) throw new Error(`buildah ${command} ended with ${status}:\n${stdout}\n${stderr}`);
    return stdout.trim();
  };
  const from = (name: string): Promise<string> => buildah('from', '--pull-never', name);
  return {
    async prepare() {
      const root = join(folder, 'node');
      await nodeFileSystem(root);
      try {
        const container = await buildah('from', 'scratch');
        await buildah('add', container, root, '/');
        const lent = volumes(lentByMachine());
        const env = [`PATH=${searched.join(':')}`, `NODE_EXTRA_CA_CERTS=${authorities}`];
        await buildah('config', ...env.flatMap((line) => ['--env', line]), container);
        await buildah('run', '--isolation', 'chroot', ...lent, container, '--', 'node', '--version');
        await buildah('commit', '--rm', '--quiet', container, standIn);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
    async build(name, args) {
      const { cache } = await npmConfig();
      mkdirSync(cache, { recursive: true });
      const how = ['--isolation', 'chroot', '--pull-never', '--format', 'docker'];
      how.push(...volumes({ ...lentByMachine(), [cache]: '/root/.npm' }));
      for (const [key, value] of Object.entries({ NODE_IMAGE: standIn, ...args }))
        how.push('--build-arg', `${key}=${value}`);
      await buildah('build', ...how, '--tag', name, '.');
    },
    async inspect(name) {
      const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', name)) as {
        readonly Docker: { readonly config: ImageConfig };
      };
      return Docker.config;
    },
    mount: async (name) => buildah('mount', await from(name)),
  };
}

const npmFolder = '/usr/local/lib/node_modules/npm';

/** Node and npm of this machine, and where a base image has them: mounted rather than copied into every layer. */
export function lentByMachine(): Record<string, string> {
  const npm = dirname(dirname(realpathSync(installed('npm')!)));
  return { [realpathSync(process.execPath)]: '/usr/local/bin/node', [npm]: npmFolder };
}

function volumes(mounts: Readonly<Record<string, string>>): string[] {
  return Object.entries(mounts).flatMap(([from, to]) => ['--volume', `${from}:${to}`]);
}

const searched = ['/usr/local/bin', '/usr/bin'];
const authorities = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Stands for the base image where no registry can be reached: a place for the node and npm of this machine, what they are linked with, a
 * shell, and the user `node`. Every line of the Dockerfile runs on it, but the one that names the base.
 */
async function nodeFileSystem(root: string): Promise<void> {
  for (const path of [
    'etc/ssl/certs',
    'tmp',
    'root',
    'home/node',
    'usr/local/bin',
    'usr/local/etc',
    'usr/bin',
    npmFolder,
  ])
    mkdirSync(join(root, path), { recursive: true });
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  writeFileSync(join(root, 'usr/local/bin/node'), '', { mode: 0o755 });
  await copyLibraries(process.execPath, root);
  for (const name of ['sh', 'mkdir', 'chown', 'env']) {
    copyFileSync(realpathSync(installed(name)!), join(root, 'usr/bin', name));
    await copyLibraries(installed(name)!, root);
  }
  symlinkSync('usr/bin', join(root, 'bin'));
  const npm = `#!/bin/sh\nexec node ${npmFolder}/bin/npm-cli.js "$@"\n`;
  writeFileSync(join(root, 'usr/local/bin/npm'), npm, { mode: 0o755 });
  const { registry, cafile } = await npmConfig();
  writeFileSync(join(root, authorities), '');
  if (cafile !== null && existsSync(cafile)) copyFileSync(cafile, join(root, authorities));
  const settings = [
    `registry=${registry}`,
    'prefer-offline=true',
    ...(cafile === null ? [] : [`cafile=${authorities}`]),
  ];
  writeFileSync(join(root, 'usr/local/etc/npmrc'), `${settings.join('\n')}\n`);
}

/** Parts of the C library that native modules are linked with, beside those that node is. */
const libcParts = ['librt.so.1', 'libresolv.so.2', 'libutil.so.1'];

/** The libraries that a program is linked with, at the paths where it looks for them. */
async function copyLibraries(program: string, root: string): Promise<void> {
  const { stdout } = await runCommand('ldd', [program]);
  const linked = [...stdout.matchAll(/(?:=> )?(\/\S+) \(/g)].map(([, library]) => library!);
  const libc = dirname(linked.find((library) => library.endsWith('/libc.so.6'))!);
  const parts = libcParts.map((name) => join(libc, name)).filter((library) => existsSync(library));
  for (const library of [...linked, ...parts]) {
    mkdirSync(dirname(join(root, library)), { recursive: true });
    copyFileSync(library, join(root, library));
  }
}

interface NpmConfig {
  readonly registry: string;
  readonly cafile: string | null;
  readonly cache: string;
}

async function npmConfig(): Promise<NpmConfig> {
  const { stdout } = await runCommand('npm', ['config', 'list', '--long', '--json']);
  return JSON.parse(stdout) as NpmConfig;
}
