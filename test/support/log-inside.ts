import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { IntakeKind } from '../../src/ports.ts';

const program = fileURLToPath(new URL('./log-inside-program.js', import.meta.url));

/** The service with the log inside, in a process that can be killed. */
export interface Inside {
  readonly process: ChildProcess;
  /** Resolves with true once the records are durable; with false where the process ended before it said so. */
  append(kind: IntakeKind, records: readonly (readonly [key: string, value: string | null])[]): Promise<boolean>;
  kill(): Promise<void>;
  /** Ends it as a signal would. */
  stop(): Promise<void>;
}

/** Writes the configuration of a service that has a log inside. */
export function insideConfig(folder: string, more: Readonly<Record<string, unknown>> = {}): string {
  const path = join(folder, 'assay.yaml');
  const base = { state: { dir: join(folder, 'state'), checkpoint_every: '200ms' }, http: { port: 0 } };
  writeFileSync(path, JSON.stringify({ ...base, ...more }));
  return path;
}

export function startInside(config: string): Inside {
  const child = spawn(process.execPath, [program, config], { stdio: ['pipe', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  const waiting = new Map<string, (isDurable: boolean) => void>();
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [id, ...reason] = line.split(' ');
    waiting.get(id!)?.(reason.length === 0);
    waiting.delete(id!);
  });
  void closed.then(() => {
    for (const done of waiting.values()) done(false);
    waiting.clear();
  });
  let next = 0;
  return {
    process: child,
    append(kind, records) {
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(false);
      const id = String(next++);
      child.stdin.write(`${id} ${kind} ${JSON.stringify(records)}\n`);
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
    async stop() {
      child.stdin.end();
      await closed;
    },
  };
}
