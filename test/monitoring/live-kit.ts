import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { RuleGroup } from '../../packages/monitoring/rule.ts';
import {
  type Notification,
  type Pager,
  query,
  startAlertmanager,
  startPager,
  startPrometheus,
} from '../support/monitoring.ts';
import { type SpikingOptions, type SpikingService, startSpikingService } from '../support/spiking-service.ts';
import { installed } from '../support/tools.ts';
import { until } from '../support/until.ts';

/** The service with a Prometheus that scrapes it, an Alertmanager, and who is paged by it. */
export interface LiveKit {
  readonly service: SpikingService;
  /** Address of Prometheus. */
  readonly prometheus: string;
  readonly pager: Pager;
}

export interface LiveKitOptions extends SpikingOptions {
  readonly scrapeMs: number;
  readonly groups: readonly RuleGroup[];
}

/** Starts all of them; they end with the test. */
export async function startLiveKit(
  context: TestContext,
  command: string,
  { scrapeMs, groups, ...spiking }: LiveKitOptions,
): Promise<LiveKit> {
  const alertmanagerCommand = installed('prometheus-alertmanager', 'alertmanager');
  assert.ok(alertmanagerCommand !== undefined, 'Alertmanager is not installed (Debian: prometheus-alertmanager)');
  const pager = await startPager(context);
  const alertmanager = await startAlertmanager(context, alertmanagerCommand, pager.url);
  const service = await startSpikingService(context, spiking);
  const prometheus = await startPrometheus(context, command, {
    targets: [new URL(service.url).host],
    groups,
    alertmanager,
    scrapeMs,
  });
  return { service, prometheus, pager };
}

/** Models of which Prometheus says that a watch fires. */
export async function modelsFiring(prometheus: string): Promise<string[]> {
  const firing = await query(prometheus, 'count by (model) (assay_watch_firing{slice="model"} == 1)');
  return firing.map(({ metric }) => metric['model']!);
}

/**
 * Waits until the page of a group is taken back. `lastedMs`: when its watch was read firing for the last time; `takenBackMs`: how long after that.
 */
export async function takenBack({ service, pager }: LiveKit, group: string, mostMs: number) {
  let lastedMs = Date.now();
  await until(
    'the page is taken back',
    async () => {
      if ((await service.firing()).includes(group)) lastedMs = Date.now();
      return pages(pager, 'resolved').length > 0;
    },
    mostMs,
  );
  return { lastedMs, takenBackMs: pages(pager, 'resolved')[0]!.atMs - lastedMs };
}

/** What goes to the pager. */
export function pages({ received }: Pager, status: Notification['status'] = 'firing'): Notification[] {
  return received.filter((sent) => sent.receiver === 'pager' && sent.status === status);
}
