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

/** What goes to the pager. */
export function pages({ received }: Pager, status: Notification['status'] = 'firing'): Notification[] {
  return received.filter((sent) => sent.receiver === 'pager' && sent.status === status);
}
