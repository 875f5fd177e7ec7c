import { jsonReply, type Reply, textReply } from './reply.ts';
import { isScrape, prefersOpenMetrics } from './accept.ts';
import type { ReadRoute } from './answering.ts';
import { inTurn, sharedReplies } from './shared-replies.ts';
import { programName } from '../../name.ts';

/** One condition of health; `detail` says what is wrong, or how it stands. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

type Format = 'text' | 'openmetrics';

/**
 * `/metrics`, as OpenMetrics where the client gives it at least the weight of text; `textOf` gets whether a collector of metrics asks. HEAD renders
 * nothing.
 */
export function metricsRoute(
  contentTypes: Readonly<Record<Format, string>>,
  textOf: (format: Format, scraped: boolean) => Promise<string>,
): ReadRoute {
  const headers = { vary: 'accept, accept-encoding' };
  const reply = (format: Format, body: string | undefined): Reply => ({
    ...{ status: 200, contentType: contentTypes[format], body, compress: true, headers },
  });
  const shared = sharedReplies(async (key) => {
    const [format, scraped] = key.split(' ') as [Format, string];
    return reply(format, await textOf(format, scraped === 'true'));
  });
  return {
    path: '/metrics',
    handler: ({ method, accept = '' }) => {
      const format = prefersOpenMetrics(accept) ? 'openmetrics' : 'text';
      return method === 'HEAD' ? reply(format, undefined) : shared(`${format} ${isScrape(accept)}`);
    },
  };
}

/** `/livez`, `/readyz`: 200 if all checks hold, else 503 with those that do not; `?verbose` has one line a check. */
export function checksRoute(path: string, checks: () => readonly Check[]): ReadRoute {
  return {
    path,
    handler: ({ query }) => {
      const all = checks();
      const failed = all.filter(({ ok }) => !ok);
      const lines = (query.has('verbose') ? all : failed).map(checkLine);
      return textReply(failed.length === 0 ? 200 : 503, [...lines, failed.length === 0 ? 'ok' : 'not ok'].join('\n'));
    },
  };
}

export interface SummaryOptions {
  /** Sets of dimensions, joined by comma; `''` is the total. */
  readonly slices: readonly string[];
  /** `all` and the windows as configured. */
  readonly windows: readonly string[];
  /** The summary as JSON, with the groups of one set and window. */
  readonly summary: (slice: string, window: string) => string | Promise<string>;
}

/** `/api/v1/summary?slice=model&window=5m`; without parameters the total in window `all`. */
export function summaryRoute({ slices, windows, summary }: SummaryOptions): ReadRoute {
  const parameters: ReadonlyMap<string, Parameter> = new Map([
    ['slice', { known: slices, standard: '' }],
    ['window', { known: windows, standard: 'all' }],
  ]);
  return jsonRoute('/api/v1/summary', parameters, (chosen) => summary(chosen.get('slice')!, chosen.get('window')!));
}

/** `/`: where to look. */
export function indexRoute(version: string): ReadRoute {
  const links = [
    ['/metrics', 'metrics for Prometheus'],
    ['/api/v1/summary', 'summary as JSON'],
    ['/readyz?verbose', 'readiness'],
    ['/livez?verbose', 'liveness'],
  ] as const;
  const items = links.map(([path, text]) => `<li><a href="${path}">${path}</a> ${text}</li>`).join('\n');
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Assay</title></head>
<body>
<h1>Assay ${escapeHtml(version)}</h1>
<ul>
${items}
</ul>
</body>
</html>
`;
  const reply: Reply = { status: 200, contentType: 'text/html; charset=utf-8', body };
  return { path: '/', handler: () => reply };
}

/** Text as HTML text or the content of a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A parameter of a query. */
export interface Parameter {
  /** The values that it may have, or their form. */
  readonly known: readonly string[] | RegExp;
  readonly standard: string;
}

/** A path that answers in JSON; `document` is given each parameter, or its standard. */
export function jsonRoute(
  path: string,
  parameters: ReadonlyMap<string, Parameter>,
  document: (chosen: URLSearchParams) => string | Promise<string>,
): ReadRoute {
  const shared = sharedReplies(inTurn(async (chosen) => jsonReply(200, await document(new URLSearchParams(chosen)))));
  return {
    path,
    handler: ({ query }) => {
      const problem = queryProblem(query, parameters);
      if (problem !== undefined) return textReply(400, problem);
      const chosen = new URLSearchParams();
      for (const [name, { standard }] of parameters) chosen.set(name, query.get(name) ?? standard);
      return shared(chosen.toString());
    },
  };
}

/** A path whose reply says in `x-assay-user` which user has logged in, percent-encoded: the reply itself is shared by all. */
export function namingUser({ path, handler }: ReadRoute): ReadRoute {
  return {
    path,
    handler: async (request) => {
      const reply = await handler(request);
      const { user } = request;
      return user === undefined
        ? reply
        : { ...reply, headers: { ...reply.headers, [`x-${programName}-user`]: encodeURIComponent(user) } };
    },
  };
}

/** The problem of a query: an unknown parameter, one given twice, or an unknown value. */
function queryProblem(query: URLSearchParams, parameters: ReadonlyMap<string, Parameter>): string | undefined {
  for (const name of new Set(query.keys())) {
    const parameter = parameters.get(name);
    if (parameter === undefined)
      return `unknown parameter ${quoted(name)}; known: ${quotedList([...parameters.keys()])}`;
    const values = query.getAll(name);
    if (values.length > 1) return `${name} is given ${values.length} times; give it once`;
    const { known } = parameter;
    if (known instanceof RegExp) {
      if (!known.test(values[0]!)) return `${name}: ${quoted(values[0]!)} has another form; it is ${known.source}`;
    } else if (!known.includes(values[0]!)) {
      return `${name}: unknown value ${quoted(values[0]!)}; known: ${quotedList(known)}`;
    }
  }
  return undefined;
}

function quotedList(texts: readonly string[]): string {
  return texts.map(quoted).join(', ');
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

/** One line, whatever the detail holds. */
function checkLine({ name, ok, detail }: Check): string {
  const line = `[${ok ? '+' : '-'}] ${name}${detail === '' ? '' : `: ${detail}`}`;
  return line.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
