import { readFileSync } from 'node:fs';
import { facetNames, type FailureFilter } from '../../formats/summary/failure-facts.ts';
import type { Failed } from '../../formats/summary/live-document.ts';
import { indexRoute, jsonRoute, type Parameter } from './routes.ts';
import { jsonReply, type Reply, textReply } from './reply.ts';
import type { ReadRoute } from './answering.ts';

/**
 * `/`: the page, one file with everything in it, read once. It names what it may run and load in its own policy; the header says the same,
 * and that no other page may frame it. Where the page was not built there is a list of addresses.
 */
export function pageRoute(file: URL, version: string): ReadRoute {
  const html = readIfThere(file);
  if (html === undefined) return indexRoute(version);
  const policy = policyOf(html);
  const reply: Reply = {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body: html,
    compress: true,
    headers: { 'content-security-policy': `${policy}; frame-ancestors 'none'` },
  };
  return { path: '/', handler: () => reply };
}

/** `/api/openapi.json`: the description of the HTTP API, as the build made it. */
export function openApiRoute(file: URL): ReadRoute {
  const text = readIfThere(file);
  const reply = text === undefined ? textReply(404, 'the build has no schemas; build it again') : jsonReply(200, text);
  return { path: '/api/openapi.json', handler: () => reply };
}

export interface LiveRequest {
  readonly slice: string;
  readonly window: string;
  readonly focus: string;
  /** The bad cases to which the failures belong; undefined: the latest of any kind. */
  readonly failed?: Failed | undefined;
  readonly filter?: FailureFilter | undefined;
  /** The last point of the history that the page has; undefined where it has none. */
  readonly since: string | undefined;
}

export interface LiveRouteOptions {
  /** Sets of dimensions, joined by comma; the first is the default. */
  readonly slices: readonly string[];
  /** Windows; the first is the default. */
  readonly windows: readonly string[];
  /** Id of the group that is shown where none is asked for. */
  readonly focus: string;
  /** The document as JSON text. */
  readonly document: (request: LiveRequest) => string | Promise<string>;
}

/** A value of a failure, or a text to look for: names come from events. */
const anyText = /^[^\0]{0,300}$/u;

/** `/api/v1/live?slice=model&window=5m&focus=<id>&failed=<path>,<since>,<until>&since=<epoch>.<number>`: what the page shows. */
export function liveRoute({ slices, windows, focus, document }: LiveRouteOptions): ReadRoute {
  const parameters: ReadonlyMap<string, Parameter> = new Map([
    ['slice', { known: slices, standard: slices[0]! }],
    ['window', { known: windows, standard: windows[0]! }],
    ['focus', { known: /^[0-9a-f]{32}$/, standard: focus }],
    ['failed', { known: /^[a-z0-9_.]{0,200},[0-9T:.Z-]{20,30},(?:[0-9T:.Z-]{20,30})?$/, standard: '' }],
    ...[...facetNames, 'text'].map((name) => [name, { known: anyText, standard: '' }] as const),
    ['since', { known: /^[0-9a-z-]{1,64}\.\d{1,15}$/, standard: '' }],
  ]);
  return jsonRoute('/api/v1/live', parameters, (chosen) => {
    const [slice, window, focus] = [chosen.get('slice')!, chosen.get('window')!, chosen.get('focus')!];
    const failed = failedOf(chosen.get('failed')!);
    const given = [...facetNames, 'text'].flatMap((name) => (chosen.get(name) ? [[name, chosen.get(name)!]] : []));
    const filter = Object.fromEntries(given) as FailureFilter;
    return document({ slice, window, focus, failed, filter, since: chosen.get('since') || undefined });
  });
}

/** `<path of a rate>,<since>,<until>`, event times as ISO 8601; path empty for any rate, until empty for now. */
function failedOf(text: string): Failed | undefined {
  const [watch, since, until] = text.split(',');
  return since === undefined ? undefined : { watch: watch || null, since, until: until || null };
}

/** The policy that the build wrote into the page. */
function policyOf(html: string): string {
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html)?.[1];
  if (policy === undefined) throw new Error('the page has no content security policy: npm run build');
  return policy;
}

function readIfThere(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
