import { pathToFileURL } from 'node:url';
import { liveRoute, pageRoute } from '../../src/adapters/http/page-routes.ts';
import { summaryRoute } from '../../src/adapters/http/routes.ts';
import { type HttpServer, serveHttp } from '../../src/adapters/http/server.ts';
import { pageFile } from '../../src/documents/package-folder.ts';
import { totalId } from '../../src/formats/summary/live-document.ts';
import { createWorld, learnedMs, type World, type WorldOptions } from './page-world.ts';

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

/** Worlds to look at while working on the page. */
export const worlds: Readonly<Record<string, WorldOptions>> = {
  calm: { models: ['atlas-large', 'atlas-mini', 'heron-7b'], pastMs: learnedMs, durationMs: 600_000, rate: 60 },
  spike: {
    models: ['atlas-large', 'atlas-mini', 'heron-7b'],
    spike: { model: 'atlas-mini', fromMs: 580_000 },
    pastMs: learnedMs,
    durationMs: 600_000,
    rate: 60,
    problems: true,
  },
  fifty: {
    models: Array.from({ length: 50 }, (_, number) => `vendor-${number % 7}/model-${number}-instruct-2026`),
    pastMs: learnedMs,
    durationMs: 300_000,
    rate: 200,
    spike: { model: 'vendor-3/model-17-instruct-2026', fromMs: 200_000 },
  },
  hostile: {
    models: hostileNames,
    pastMs: learnedMs,
    durationMs: 120_000,
    rate: 80,
    spike: { model: hostileNames[0]!, fromMs: 100_000 },
  },
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const options = worlds[process.argv[2] ?? 'spike'];
  if (options === undefined) throw new Error(`a world is one of ${Object.keys(worlds).join(', ')}`);
  const world = createWorld(options);
  setInterval(() => world.run(5_000), 5_000);
  process.stdout.write(`${(await servePage(world, Number(process.argv[3] ?? 9470))).url}\n`);
}
