import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, configSchema } from '../../config/config.ts';
import { durationOf } from '../../config/duration.ts';
import { isLoopback } from '../../service/shows-content.ts';
import { play, type Story } from './play.ts';
import { senderTo } from './sender.ts';

/** The parts of `assay run` that the demonstration sets. */
export interface ServiceRun {
  readonly config: Config;
  readonly untilEnd: false;
  readonly rebuild: false;
  readonly signal: AbortSignal;
  readonly portsMore: number;
  readonly onServing: (url: string) => void;
  readonly endsWithSummary: true;
}

export interface DemoOptions extends Story {
  readonly config: Config;
  /** `assay run`. */
  readonly run: (options: ServiceRun) => Promise<number>;
  /** Undefined: that of the configuration, or the next one that is free. */
  readonly port?: number | undefined;
  readonly signal: AbortSignal;
}

/** Ports that are tried where none was given. */
const portsMax = 20;

/**
 * The service on generated traffic, which a client sends over HTTP: no Kafka, and its log in a temporary folder, which is gone at the end. Resolves with
 * the exit status.
 */
export async function demo({ config, run, port, signal, ...story }: DemoOptions): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-demo-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // A second Ctrl-C ends the process at once.
  process.once('exit', remove);
  const end = new AbortController();
  const over = AbortSignal.any([signal, end.signal]);
  const token = await tokenOf(config, folder);
  let playing: Promise<void> | undefined;
  const onServing = (url: string): void => {
    const served = Number(new URL(url).port);
    if (port === undefined && config.http.port !== 0 && served !== config.http.port)
      say(`Port ${config.http.port} is taken by another program: the demonstration has port ${served}.`);
    say(`Assay demo: open ${url}/ (metrics: ${url}/metrics). Ctrl-C stops it.`);
    const send = senderTo({ url, host: config.http.allowed_hosts?.[0], token: token?.text, signal: over });
    playing = play(story, { send, say, signal: over }).finally(() => end.abort());
    playing.catch(() => undefined);
  };
  try {
    const status = await run({
      ...{ config: demoConfig(config, folder, { port, tokenFile: token?.file }), signal: over, onServing },
      ...{ untilEnd: false, rebuild: false, endsWithSummary: true },
      portsMore: port === undefined ? portsMax - 1 : 0,
    });
    await playing;
    return status;
  } finally {
    end.abort();
    remove();
    process.off('exit', remove);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The service is shown, not what is shown of it: of its folders, its source and its truth nothing is as configured. */
function demoConfig(
  config: Config,
  folder: string,
  { port = config.http.port, tokenFile }: { readonly port: number | undefined; readonly tokenFile: string | undefined },
): Config {
  const { kafka, input, truth } = configSchema.parse({});
  const tokens = tokenFile === undefined ? [] : [{ file: tokenFile, rights: ['write' as const] }];
  return {
    ...{ ...config, kafka, input, truth },
    ingest: { ...config.ingest, to: undefined, tokens: [...config.ingest.tokens, ...tokens] },
    http: { ...config.http, port },
    log: { ...config.log, level: 'error' },
    // Numbers are a second behind at the most.
    state: { ...config.state, dir: folder, checkpoint_every: durationOf('500ms') },
    snapshots: { ...config.snapshots, dir: undefined },
  };
}

/** A token of the client's own, where not everybody on this machine may send. */
async function tokenOf(
  { http, ingest }: Config,
  folder: string,
): Promise<{ readonly text: string; readonly file: string } | undefined> {
  if (isLoopback(http.host) && http.web_config === undefined && ingest.tokens.length === 0) return undefined;
  const token = { text: randomBytes(32).toString('hex'), file: join(folder, 'token') };
  await writeFile(token.file, `${token.text}\n`, { mode: 0o600 });
  return token;
}
