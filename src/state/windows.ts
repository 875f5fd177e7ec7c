/**
 * Windows over panes. A pane is floor(ts / pane); a window covers the panes that end with the pane of T. Panes are kept in tiers, so
 * that no window merges more than some 360 of them (docs/reference/semantics.md).
 */
export interface Window {
  /** As configured: `5m`. */
  readonly name: string;
  readonly lengthMs: number;
  readonly tier: number;
  /** Panes that it covers. */
  readonly panes: number;
}

/** Panes of one width, kept as long as the longest window that uses them. */
export interface Tier {
  readonly paneMs: number;
  readonly panes: number;
}

export interface WindowPlan {
  /** Ascending by length. */
  readonly windows: readonly Window[];
  readonly tiers: readonly Tier[];
  /** 0 where there is no window: nothing is late then. */
  readonly longestMs: number;
}

const panesPerWindow = 360;

/** Plans tiers for the configured windows; `paneMs` is the finest pane. */
export function planWindows(configured: readonly { name: string; lengthMs: number }[], paneMs: number): WindowPlan {
  const windows: Window[] = [];
  const tiers: { paneMs: number; panes: number }[] = [];
  for (const { name, lengthMs } of [...configured].sort((a, b) => a.lengthMs - b.lengthMs)) {
    const width = paneMs * Math.max(1, Math.ceil(lengthMs / panesPerWindow / paneMs));
    const panes = Math.ceil(lengthMs / width);
    let tier = tiers.findIndex((candidate) => candidate.paneMs === width);
    if (tier < 0) tier = tiers.push({ paneMs: width, panes }) - 1;
    tiers[tier]!.panes = Math.max(tiers[tier]!.panes, panes);
    windows.push({ name, lengthMs, tier, panes });
  }
  return { windows, tiers, longestMs: windows.at(-1)?.lengthMs ?? 0 };
}

/** Pane of a time in a tier. */
export function paneOf(tier: Tier, tsMs: number): number {
  return Math.floor(tsMs / tier.paneMs);
}

/** Place of a pane in a ring of as many as the tier keeps. */
export function paneSlot({ panes }: Tier, pane: number): number {
  return ((pane % panes) + panes) % panes;
}
