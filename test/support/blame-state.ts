import { settingsOf } from '../../src/config/settings.ts';
import { type Blames, createBlames, restoreBlames } from '../../src/state/blames.ts';
import { createDictionary } from '../../src/state/containers/dictionary.ts';
import { createTable } from '../../src/state/containers/table.ts';
import { noLimitHits } from '../../src/state/limit-hits.ts';
import { createPanes } from '../../src/state/panes.ts';
import type { Settings } from '../../src/state/settings.ts';
import { planWindows } from '../../src/state/windows.ts';
import { viewConfig } from './viewed-traffic.ts';

export const lengths = { '1m': 60_000, '1h': 3_600_000 };
const windows = planWindows(
  Object.entries(lengths).map(([name, lengthMs]) => ({ name, lengthMs })),
  5_000,
);
/** Windows in two tiers. */
const settings: Settings = { ...settingsOf(viewConfig(), undefined), windows };
export const { tiers } = windows;

/** These settings under other limits. */
export const limitsOf = (limits: Partial<Settings['limits']>): Settings => {
  return { ...settings, limits: { ...settings.limits, ...limits } };
};

/** Blames of nothing. */
export function blamesOf(limits: Partial<Settings['limits']> = {}): Blames {
  const own = limitsOf(limits);
  return createBlames(own, noLimitHits(), createPanes(own), createTable(1), createDictionary());
}

/** As of a checkpoint. */
export function restarted(blames: Blames, limits: Partial<Settings['limits']> = {}): Blames {
  const { panes, table, sets, floors, limitHits } = blames;
  const again = createBlames(limitsOf(limits), limitHits, panes, table, sets);
  restoreBlames(again, floors);
  return again;
}
