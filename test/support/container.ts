import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { ImageConfig } from './image.ts';
import { type Outcome, runCommand } from './tools.ts';

/** A running container: hardened as compose.yaml and the pod do it, but on the network of this machine. */
export interface Container {
  readonly log: () => string;
  /** The program's user, as this machine sees it. */
  user(): number;
  /** Runs a command within, as the same user (`docker exec`). */
  exec(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>;
  /** Sends the image's stop signal to the program, and resolves with its exit status. */
  stop(): Promise<number | null>;
  kill(): void;
}

export interface ContainerOptions {
  /** Folder with the image's root file system. */
  readonly root: string;
  readonly image: ImageConfig;
  readonly env: Readonly<Record<string, string>>;
  /** Files and folders of this machine, to be read at paths within that the image has. */
  readonly mounts: Readonly<Record<string, string>>;
}

/**
 * Makes the root read-only, a fresh volume where the image declares one, and becomes the program: process 1 of its namespace, so that a signal
 * has no default. Parameters: root, user, group, working folder, volume, pairs of paths, `--`, the command.
 */
const setUp = `set -e
root=$1 user=$2 group=$3 work=$4 volume=$5; shift 5
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
mount -t tmpfs -o "uid=$user,gid=$group,mode=755" tmpfs "$root$volume"
while [ "$1" != -- ]; do
  mount --bind "$1" "$root$2"
  mount -o remount,bind,ro "$root$2"
  shift 2
done
shift
mount -o remount,bind,ro "$root"
exec unshare --root="$root" --wd="$work" --setgid="$group" --setuid="$user" -- "$@"`;

/** Starts what the image says, with its environment and as its user. */
export function startContainer({ root, image, env, mounts }: ContainerOptions): Container {
  const [, user, group] = new RegExp(`^${image.User}:[^:]*:(\\d+):(\\d+):`, 'm').exec(
    readFileSync(join(root, 'etc/passwd'), 'utf8'),
  )!;
  const [volume] = Object.keys(image.Volumes);
  assertOwned(join(root, volume!), Number(user));
  for (const path of ['/proc', '/dev', '/tmp']) mkdirSync(join(root, path), { recursive: true });
  const pairs = Object.entries(mounts).flat();
  const child = spawn(
    'unshare',
    [
      ...['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', setUp, 'sh'],
      ...[root, user!, group!, image.WorkingDir, volume!, ...pairs, '--', ...image.Entrypoint, ...image.Cmd],
    ],
    { env: { ...environmentOf(image), ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = once(child, 'close').then(([status]) => status as number | null);
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  const inner = (): number => processIn(child);
  return {
    log: () => log,
    user: () => Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${inner()}/status`, 'utf8'))![1]),
    exec: (command, more = {}) =>
      runCommand('nsenter', [
        ...['--target', String(inner()), '--mount', '--pid', '--root', '--wd', '--setgid', group!, '--setuid', user!],
        ...[
          'env',
          ...Object.entries({ ...environmentOf(image), ...env, ...more }).map(([name, value]) => `${name}=${value}`),
        ],
        ...command,
      ]),
    stop() {
      process.kill(inner(), image.StopSignal as NodeJS.Signals);
      return ended;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function environmentOf({ Env }: ImageConfig): Record<string, string> {
  return Object.fromEntries(Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** A new volume belongs to whom the image gives its folder. */
function assertOwned(folder: string, user: number): void {
  const { uid } = statSync(folder);
  if (uid !== user) throw new Error(`${folder} belongs to user ${uid}, the program runs as ${user}`);
}

/** The program: the only child of `unshare`. */
function processIn(child: ChildProcess): number {
  const [id] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
  return Number(id);
}
