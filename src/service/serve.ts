import { limitHeapGrowth } from '../adapters/heap-growth.ts';
import { type Security, type SecuritySource, watchSecurity } from '../adapters/http/security.ts';
import { watchLiveness } from '../adapters/http/liveness.ts';
import { openApiRoute } from '../adapters/http/page-routes.ts';
import { checksRoute, jsonRoute, metricsRoute, namingUser, summaryRoute } from '../adapters/http/routes.ts';
import { neededFor, openSecurity } from '../adapters/http/access.ts';
import type { Route } from '../adapters/http/answering.ts';
import { type HttpOptions, type HttpServer, serveHttp } from '../adapters/http/server.ts';
import { pagePlan } from '../adapters/prometheus/page-plan.ts';
import { createMetricsPage, type MetricsPage } from '../adapters/prometheus/page.ts';
import { contentTypes } from '../adapters/prometheus/text.ts';
import type { Config } from '../config/config.ts';
import { readTokens } from '../config/ingest.ts';
import { hasLogin, readWebConfig } from '../config/web-config.ts';
import { openApiFile } from '../documents/package-folder.ts';
import { jsonText } from '../formats/json/json-text.ts';
import type { Log } from '../ports.ts';
import type { Json } from '../scoring/json.ts';
import { type Door, doorOf, takesFeedback, takesRecords } from './door.ts';
import { livePageRoutes } from './live-page.ts';
import { type ReadModel, summaryText, watchesText } from './read-model.ts';
import { createReviewed, reviewDocument } from './review.ts';
import { isLoopback } from './shows-content.ts';

/** The addresses of a service. */
export interface Served {
  /** Address of the web page. */
  readonly url: string;
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly door?: Door;
  /** Ports after `http.port` that are tried where that one is taken. Default: none. */
  readonly portsMore?: number;
}

/** Serves a read model's pages, what `http.expose` asks for, and the door for records where there is one. Resolves when the addresses are bound. */
export async function serveModel(
  model: ReadModel,
  log: Log,
  { door, portsMore = 0 }: ServeOptions = {},
): Promise<Served> {
  limitHeapGrowth();
  const { config, telemetry } = model;
  const liveness = watchLiveness(telemetry.work);
  const health: readonly Route[] = [
    metricsRoute(contentTypes, metricsPage(model)),
    checksRoute('/livez', () => liveness.checks()),
    checksRoute('/readyz', () => model.readiness()),
  ];
  const summary = summaryRoute({
    slices: ['', ...config.slices.map((set) => set.join())],
    windows: ['all', ...config.time.windows.map(({ text }) => text)],
    summary: (slice, window) => summaryText(model, slice, window),
  });
  const watches = jsonRoute('/api/v1/watches', new Map(), () => watchesText(model));
  const security = securityOf(config, log);
  const onError = (error: unknown): void => log.error({ err: error }, 'a page failed');
  const servers: HttpServer[] = [];
  const { host, port, expose } = config.http;
  if (expose !== undefined) {
    const address = addressOf(expose);
    servers.push(await serveHttp({ ...address, allowedHosts: loopbackNames(address.host), routes: health, onError }));
  }
  const routes = [...health, summary, watches, openApiRoute(openApiFile), ...pageAndDoor(model, door)];
  servers.unshift(
    await serveSomewhere(port, portsMore, {
      ...{ host, security, routes, onError },
      allowedHosts: config.http.allowed_hosts?.map((name) => name.toLowerCase()) ?? loopbackNames(host),
      openToWrite: isLoopback(host),
      onWrongLogin: () => telemetry.live.wrongLogins++,
    }),
  );
  if (door !== undefined && !('shut' in door)) warnIfShut(security?.current ?? openSecurity, host, log);
  return {
    url: servers[0]!.url,
    async close() {
      security?.stop();
      liveness.stop();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

/** The page with its data, the door for records where there is one, and the events to be reviewed where it takes feedback. */
function pageAndDoor(model: ReadModel, door: Door | undefined): readonly Route[] {
  const { config, telemetry } = model;
  const reviewed = createReviewed();
  const hasReview = config.http.samples > 0 && takesFeedback(door);
  const document = (): string => jsonText(reviewDocument(model, reviewed) as unknown as Json);
  return [
    ...livePageRoutes(model, { has_review: hasReview, takes_records: takesRecords(door) }),
    ...(hasReview ? [namingUser(jsonRoute('/api/v1/review', new Map(), document))] : []),
    ...(door === undefined ? [] : doorOf(config, door, telemetry.ingest, reviewed)),
  ];
}

/** Serves at a port, or at the first of some more that is free. */
async function serveSomewhere(port: number, more: number, options: Omit<HttpOptions, 'port'>): Promise<HttpServer> {
  try {
    return await serveHttp({ ...options, port });
  } catch (error) {
    const isTaken = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
    if (!isTaken || more === 0) throw error;
    return await serveSomewhere(port + 1, more - 1, options);
  }
}

/** A service whose door is shut by its address goes on: it may only be looked at. */
function warnIfShut(security: Security, host: string, log: Log): void {
  if (neededFor('write', security, isLoopback(host)) !== 'shut') return;
  const message = 'nothing is taken over HTTP: http.host is no loopback address, and nobody has to log in there';
  log.warn({ host }, `${message}; set ingest.tokens, or http.web_config with users`);
}

function metricsPage({ config, telemetry, views }: ReadModel): MetricsPage {
  const { series, groups_exported: groups } = config.limits;
  return createMetricsPage(telemetry, views.chosen, { series, groups, plan: pagePlan(config.http.metrics) });
}

const securityEveryMs = 5_000;

function securityOf({ http: { web_config: file }, ingest }: Config, log: Log): SecuritySource | undefined {
  if (file === undefined && ingest.tokens.length === 0) return undefined;
  const read = (): Security => ({
    ...(file === undefined ? openSecurity : readWebConfig(file)),
    tokens: readTokens(ingest.tokens),
  });
  const neededLogin = hasLogin(read());
  const readAgain = (): Security => {
    const security = read();
    // What is shown behind a login stays behind it.
    if (neededLogin && !hasLogin(security)) throw new Error(`${file}: its logins are gone; restart to go on without`);
    return security;
  };
  return watchSecurity(readAgain, securityEveryMs, (error) =>
    log.error({ err: error }, 'the changed http.web_config or ingest.tokens cannot be used; the last good ones stay'),
  );
}

/** `[::1]:9465` */
function addressOf(text: string): { readonly host: string; readonly port: number } {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) };
}

/** A page of another site must not read what is meant for this machine, whatever name it gives to the loopback address. */
function loopbackNames(host: string): readonly string[] | undefined {
  return isLoopback(host) ? ['localhost', '127.0.0.1', '[::1]', host] : undefined;
}
