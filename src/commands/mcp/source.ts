import { access, readFile, stat } from 'node:fs/promises';
import { isBucket } from '../../adapters/object-store/object-store.ts';
import { UsageError } from '../../errors.ts';
import { jsonText } from '../../formats/json/json-text.ts';
import type { SummaryDocument } from '../../formats/summary/summary-document.ts';
import { programName } from '../../name.ts';
import type { Json } from '../../scoring/json.ts';
import { stateSummary } from '../../service/state-summary.ts';

/** Numbers that an agent asks for, read anew for each question. */
export interface Source {
  /** A summary that holds at least the groups by these dimensions (joined by comma; none: the total) in a window. */
  summary(by: string, window: string): Promise<SummaryDocument>;
  /** Incidents of the last 24 hours, the oldest first. */
  incidents(): Promise<Pick<SummaryDocument, 'incidents'> & { readonly as_of?: unknown }>;
  /** Single events that failed, the newest first, and examples whose truth may be wrong. */
  events(): Promise<KnownEvents>;
}

export interface KnownEvents {
  readonly failures: readonly KnownEvent[];
  readonly suspects: readonly KnownEvent[];
}

/** An event as a summary, or the service, shows it. */
export interface KnownEvent {
  readonly example_id: string;
  readonly event_id?: string | null;
  readonly slice?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** The source of a running service at an HTTP address, which may hold a name and a password. */
export function serviceSource(address: string, signal: AbortSignal): Source {
  const base = baseOf(address);
  const get = (path: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> =>
    fetchJson(base, `${path}?${new URLSearchParams(query)}`.replace(/\?$/, ''), signal);
  return {
    summary: (slice, window) => get('api/v1/summary', { slice, window }) as Promise<SummaryDocument>,
    incidents: () => get('api/v1/watches') as ReturnType<Source['incidents']>,
    events: () => get('api/v1/live') as Promise<KnownEvents>,
  };
}

/** The source of a summary file, or of a folder of checkpoints, which hold no single events. Rejects where there is none. */
export async function pathSource(path: string): Promise<Source> {
  if (!isBucket(path))
    await access(path).catch((error: Error) => {
      throw new UsageError(
        `mcp: ${path}: cannot be read: ${error.message}; name a summary, or a folder of checkpoints`,
      );
    });
  const read = (): Promise<SummaryDocument> => summaryAt(path);
  return {
    summary: read,
    incidents: read,
    async events() {
      const { wrong_arguments: failures, suspects } = await read();
      return { failures, suspects } as unknown as KnownEvents;
    },
  };
}

async function summaryAt(path: string): Promise<SummaryDocument> {
  if (isBucket(path) || (await stat(path)).isDirectory()) {
    const { document } = await stateSummary(path);
    return JSON.parse(jsonText(document as Json)) as SummaryDocument;
  }
  const document = JSON.parse(await readFile(path, 'utf8')) as SummaryDocument;
  if (document['format'] === `${programName}.summary/1`) return document;
  throw new Error(`${path}: is no summary (format assay.summary/1); make one with assay replay --summary FILE`);
}

interface Base {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

function baseOf(address: string): Base {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`mcp: --url ${address} is no HTTP address, such as http://127.0.0.1:9464`);
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers = login === ':' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  Object.assign(url, { username: '', password: '', search: '', hash: '' });
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return { url, headers };
}

const timeoutMs = 30_000;
const replyBytesMax = 64 * 2 ** 20;

async function fetchJson({ url, headers }: Base, path: string, signal: AbortSignal): Promise<unknown> {
  const options = {
    headers,
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  } as const;
  const reply = await fetch(new URL(path, url), options).catch((error: Error) => {
    throw new Error(`${url.origin} does not answer: ${(error.cause as Error | undefined)?.message ?? error.message}`);
  });
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of reply.body ?? []) {
    size += piece.length;
    if (size > replyBytesMax) throw new Error(`${url.origin}: its answer is longer than ${replyBytesMax} bytes`);
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString('utf8');
  if (!reply.ok) throw new Error(`${url.origin} answers ${reply.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
}
