import type { Config } from '../config/config.ts';
import { configHash } from '../config/config-hash.ts';
import { topicsOf } from '../config/settings.ts';
import { limitNames } from '../config/limits.ts';
import { version } from '../documents/context.ts';
import { programName } from '../name.ts';
import { createTelemetry, type Links, type Telemetry } from '../telemetry.ts';

/** The telemetry of a service with all counters at 0, of one that writes snapshots where `writesSnapshots`. */
export function telemetryOf(config: Config, writesSnapshots = false): Telemetry {
  return createTelemetry({
    build: {
      version,
      revision: process.env[`${programName.toUpperCase()}_REVISION`] ?? 'unknown',
      node: process.version,
    },
    configHash: configHash(config),
    links: linksOf(config),
    topics: topicsOf(config),
    limits: limitNames,
    checkpointIntervalMs: config.state.checkpoint_every.ms,
    snapshotIntervalMs: writesSnapshots ? config.snapshots.every.ms : undefined,
  });
}

function linksOf({ links: { page, dashboard, runbooks } }: Config): Links {
  const bare = (url: string | undefined): string | undefined => url?.replace(/\/+$/, '');
  return { page: bare(page), dashboard: bare(dashboard), runbooks: bare(runbooks) };
}
