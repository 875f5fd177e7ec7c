import { type IngestCounts, ingestPath } from '../../../telemetry.ts';
import type { WriteRoute } from '../answering.ts';

/** A route whose requests are counted by their status, and the bytes of their bodies. */
export function countedRoute(route: WriteRoute, counts: IngestCounts): WriteRoute {
  // A row of truth is sent, and deleted, at one path.
  const path = ingestPath(counts, route.path.replace(/\/$/, ''));
  return {
    ...route,
    async handler(request) {
      const reply = await route.handler({
        ...request,
        async body() {
          const body = await request.body();
          if ('bytes' in body) path.bytes += body.bytes.length;
          return body;
        },
      });
      path.requests.set(reply.status, (path.requests.get(reply.status) ?? 0) + 1);
      return reply;
    },
  };
}

/** Counts what became of the records, spans or log records of a request: how many are durable, and the codes of the others. */
export function countTaken(counts: IngestCounts, path: string, accepted: number, rejected: Iterable<string>): void {
  ingestPath(counts, path).records += accepted;
  for (const code of rejected) counts.rejects.set(code, (counts.rejects.get(code) ?? 0) + 1);
}
