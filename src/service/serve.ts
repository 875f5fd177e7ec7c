import { limitHeapGrowth } from '../adapters/heap-growth.ts';
import { type SecuritySource, watchSecurity } from '../adapters/http/security.ts';
import { watchLiveness } from '../adapters/http/liveness.ts';
import { checksRoute, jsonRoute, metricsRoute, summaryRoute } from '../adapters/http/routes.ts';
import { type HttpServer, type Route, serveHttp } from '../adapters/http/server.ts';
import { pagePlan } from '../adapters/prometheus/page-plan.ts';
import { createMetricsPage, type MetricsPage } from '../adapters/prometheus/page.ts';
import { contentTypes } from '../adapters/prometheus/text.ts';
import type { Config } from '../config/config.ts';
import { hasLogin, readWebConfig } from '../config/web-config.ts';
import type { Log } from '../ports.ts';
import { livePageRoutes } from './live-page.ts';
import { type ReadModel, summaryText, watchesText } from './read-model.ts';
import { isLoopback } from './shows-content.ts';

/** The addresses of a service. */
export interface Served {
  /** Address of the web page. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a read model's pages, and what `http.expose` asks for, by default where the configuration says. Resolves when the addresses are bound. */
export async function serveModel(
  model: ReadModel,
  log: Log,
  { port }: { readonly port: number } = model.config.http,
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
  const security = securityOf(config.http, log);
  const onError = (error: unknown): void => log.error({ err: error }, 'a page failed');
  const servers: HttpServer[] = [];
  const { host, expose } = config.http;
  if (expose !== undefined) {
    const address = addressOf(expose);
    servers.push(await serveHttp({ ...address, allowedHosts: loopbackNames(address.host), routes: health, onError }));
  }
  servers.unshift(
    await serveHttp({
      ...{ host, port, security, onError },
      allowedHosts: config.http.allowed_hosts?.map((name) => name.toLowerCase()) ?? loopbackNames(host),
      routes: [...livePageRoutes(model), ...health, summary, watches],
      onWrongLogin: () => telemetry.live.wrongLogins++,
    }),
  );
  return {
    url: servers[0]!.url,
    async close() {
      security?.stop();
      liveness.stop();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function metricsPage({ config, telemetry, views }: ReadModel): MetricsPage {
  const { series, groups_exported: groups } = config.limits;
  return createMetricsPage(telemetry, views.chosen, { series, groups, plan: pagePlan(config.http.metrics) });
}

const securityEveryMs = 5_000;

function securityOf(http: Config['http'], log: Log): SecuritySource | undefined {
  const { web_config } = http;
  if (web_config === undefined) return undefined;
  const neededLogin = hasLogin(readWebConfig(web_config));
  const read = (): ReturnType<typeof readWebConfig> => {
    const security = readWebConfig(web_config);
    // What is shown behind a login stays behind it.
    if (neededLogin && !hasLogin(security))
      throw new Error(`${web_config}: its logins are gone; restart to go on without`);
    return security;
  };
  return watchSecurity(read, securityEveryMs, (error) =>
    log.error({ err: error }, 'the changed http.web_config cannot be used; the last good one stays'),
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
