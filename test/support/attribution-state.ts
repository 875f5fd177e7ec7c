import { settingsOf } from '../../src/config/settings.ts';
import { type Attributions, createAttributions, restoreAttributions } from '../../src/state/attributions.ts';
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

/** Attributions of nothing. */
export function attributionsOf(limits: Partial<Settings['limits']> = {}): Attributions {
  const own = limitsOf(limits);
  return createAttributions(own, noLimitHits(), createPanes(own), createTable(1), createDictionary());
}

/** As of a checkpoint. */
export function restarted(attributions: Attributions, limits: Partial<Settings['limits']> = {}): Attributions {
  const { panes, table, sets, floors, limitHits } = attributions;
  const again = createAttributions(limitsOf(limits), limitHits, panes, table, sets);
  restoreAttributions(again, floors);
  return again;
}
