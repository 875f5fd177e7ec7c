import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, runProgram, startProgram } from './program.ts';

/** A service under test: the built program, as a process that can be killed. */
export interface TestService {
  readonly process: ChildProcess;
  /** What it logged so far, one line of JSON each. */
  readonly log: () => string;
  /** `http://127.0.0.1:<port>`, once it serves. */
  url(): Promise<string>;
  /** The text at a path. */
  text(path: string): Promise<string>;
  /** `/api/v1/summary`, with a query. */
  /** Records that have been read, by the counter. */
  consumed(): Promise<number>;
  summary(query?: string): Promise<Summary>;
  /** Resolves with its exit status; null where a signal ended it. */
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
  /** SIGTERM, and the exit status. */
  stop(): Promise<number | null>;
}

export interface ServiceSettings {
  readonly brokers: readonly string[];
  readonly topics: readonly string[];
  readonly group: string;
  readonly truth: readonly string[];
  /** Folder of configuration and state. */
  readonly folder: string;
  /** Further sections, over these, and keys that are in none. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Writes a configuration file (JSON is YAML) and returns its path. */
export function serviceConfig({ brokers, topics, group, truth, folder, more = {} }: ServiceSettings): string {
  const base: Record<string, unknown> = {
    kafka: { brokers, topics, group_id: group, session_timeout: '6s' },
    truth: { paths: truth },
    state: { dir: join(folder, 'state'), checkpoint_every: '500ms' },
    http: { port: 0 },
  };
  for (const [key, value] of Object.entries(more))
    base[key] = isSection(value) ? { ...(base[key] as object | undefined), ...value } : value;
  const path = join(folder, `${group}.yaml`);
  writeFileSync(path, JSON.stringify(base));
  return path;
}

function isSection(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Starts `assay run`, or another command that serves, with a configuration file; `path` may be that of another build. */
export function startService(
  config: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  command: 'run' | 'view' = 'run',
  path: string = program,
): TestService {
  const child = startProgram([command, '-c', config, ...flags], { env, path });
  let log = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'close').then(([status]) => status as number | null);
  const url = async (): Promise<string> => {
    for (;;) {
      const found = /"url":"([^"]+)"/.exec(log)?.[1];
      if (found !== undefined) return found;
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the service ended: ${log}`);
      await Promise.race([once(child.stderr!, 'data'), ended]);
    }
  };
  const text = async (path: string): Promise<string> => (await fetch((await url()) + path)).text();
  return {
    process: child,
    log: () => log,
    ended,
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM');
      return await ended;
    },
    url,
    text,
    async consumed() {
      const found = [...(await text('/metrics')).matchAll(/^assay_records_consumed_total\{.*\} (.*)$/gm)];
      return found.reduce((total, [, value]) => total + Number(value), 0);
    },
    summary: async (query = '') => JSON.parse(await text(`/api/v1/summary?${query}`)) as Summary,
  };
}

/** Runs the service to the ends of its topics; its log. */
export async function runToEnd(config: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const service = startService(config, ['--until-end'], env);
  const status = await service.ended;
  if (status !== 0) throw new Error(`assay run --until-end ended with ${status}:\n${service.log()}`);
  return service.log();
}

export interface Summary {
  readonly as_of: string | null;
  readonly records: Readonly<Record<string, unknown>>;
  readonly groups: readonly Readonly<Record<string, unknown>>[];
}

/** `assay state summary` of a folder, or of a bucket that the environment tells of. */
export async function stateSummary(dir: string, env: Readonly<Record<string, string>> = {}): Promise<Summary> {
  return summaryOf(['state', 'summary', dir], env);
}

/** `assay replay` with windows. */
export async function replaySummary(config: string, events: string): Promise<Summary> {
  return summaryOf(['replay', '-c', config, '--events', events, '--windows', '--summary', '-']);
}

async function summaryOf(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Summary> {
  const { status, stdout, stderr } = await runProgram(args, { env });
  if (status !== 0) throw new Error(`assay ${args.join(' ')} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as Summary;
}
