import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { liveRoute, pageRoute } from '../../src/adapters/http/page-routes.ts';
import { summaryRoute } from '../../src/adapters/http/routes.ts';
import { type HttpServer, serveHttp } from '../../src/adapters/http/server.ts';
import { pageFile } from '../../src/documents/package-folder.ts';
import { totalId } from '../../src/formats/summary/live-document.ts';
import type { World } from './page-world.ts';
import { noBrowser, launch } from './browser.ts';

/** Serves the page over a made-up world. */
export function servePage(world: World, port = 0): Promise<HttpServer> {
  const { slices, windows } = world;
  return serveHttp({
    host: '127.0.0.1',
    port,
    routes: [
      pageRoute(pageFile, '0.1.0'),
      liveRoute({
        slices: [...slices, ''],
        windows: [...windows, 'all'],
        focus: totalId,
        document: (request) => JSON.stringify(world.document(request)),
      }),
      summaryRoute({
        slices: ['', ...slices],
        windows: ['all', ...windows],
        summary: (slice, window) => JSON.stringify(world.summary(slice, window)),
      }),
    ],
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
}

/** Names that would do harm if anything in them were taken for more than text. */
export const hostileNames: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(2)>',
  'm'.repeat(256),
  '\u202eEVIL gnp.exe\u202c',
  'نموذج-كبير الإصدار ٣ للاختبار',
  'line\nbreak\ttab\u0000nul\u2028',
  '$' + '{alert(3)} {{7*7}} %3Cscript%3E',
  '__proto__',
  'constructor',
  'a\u0301\u0327'.repeat(40),
  '  ',
  '👩‍🚀 emoji 模型 модель',
];

/** A browser, and the page over some worlds, while the tests of a file run; nothing where there is no browser. */
export function servedPages<Name extends string>(worlds: Readonly<Record<Name, World>>) {
  const shared: { browser?: Browser } = {};
  const servers = new Map<string, HttpServer>();
  before(async () => {
    if (noBrowser !== false) return;
    shared.browser = await launch();
    for (const [name, world] of Object.entries<World>(worlds)) servers.set(name, await servePage(world));
  });
  after(async () => {
    await shared.browser?.close();
    for (const server of servers.values()) await server.close();
  });
  return { browser: () => shared.browser!, url: (name: Name) => servers.get(name)!.url };
}
