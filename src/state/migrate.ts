import type { AnyFamily } from '../scoring/family.ts';
import { type AvailableSince, availableSinceOf } from './available-since.ts';
import { codeOf, createDictionary, type Dictionary } from './containers/dictionary.ts';
import { createPendingLog } from './containers/pending-log.ts';
import type { Store } from './containers/store.ts';
import { chunkOf, createTable, liveRows, type Table, valuesAt } from './containers/table.ts';
import { evictionTimeOf } from './event-time.ts';
import { createVerdictTable } from './judge-pairs.ts';
import { carriedCells, migratedAttributions, migratedBreakdowns, migratedPanes } from './migrate-rows.ts';
import { createGroupTable } from './run-groups/index.ts';
import { runLayout } from './run-groups/layout.ts';
import type { PartitionState } from './partition.ts';
import { attributionFloorName, checkFit, restoredPartition, type SavedHeader } from './saved.ts';
import type { Settings } from './settings.ts';
import type { Steps } from './steps.ts';
import { paneOf, type Tier, type Window } from './windows.ts';

/** How a state goes on under other settings. */
export interface Migration {
  readonly before: Settings;
  readonly after: Settings;
  /** Families that are in both and begin anew, since they score otherwise. */
  readonly anew: ReadonlySet<string>;
}

/** The partition of a store, which is laid out anew first where it was made under other settings. */
export function* restoredUnder(
  settings: Settings,
  store: Store,
  migration: Migration | undefined,
  before?: PartitionState,
): Steps<PartitionState> {
  if (migration === undefined) return yield* restoredPartition(settings, store, before);
  return yield* restoredPartition(settings, yield* migrated(store, migration));
}

/**
 * The store of a state that was made under other settings, as those of now have it. What both know goes on, what only the first knew is
 * dropped; what begins is written down, with the time from which on it holds all. The containers of the store given are used up.
 */
function* migrated(store: Store, migration: Migration): Steps<Store> {
  const { before, after } = migration;
  checkFit(before, store);
  const now = { ms: store.numbers.get('greatestTs')!, offset: store.numbers.get('nextOffset')! };
  const header = JSON.parse(store.header) as SavedHeader;
  const goesOn = familyGoesOn(migration);
  const runsGoOn = after.stability !== undefined && before.stability !== undefined && !migration.anew.has('stability');
  const cells = carriedCells(before.layout, after.layout, goesOn, runsGoOn);
  const panes = panesOf(migration, header.begun ?? [], now);
  const slices = migratedSlices(store.dictionaries.get('slices')!, before.dimensions, after.dimensions);
  // What expired lies in no slice.
  const sliceOf = (slice: number): number => (slice < 0 ? slice : slices.codes[slice]!);
  const old = (name: string): Table => store.tables.get(name)!;
  const sets = store.dictionaries.get('blamed')!;
  const floors = panes.floorsOf((tier) => store.numbers.get(attributionFloorName(tier)));
  const attributed = yield* migratedAttributions(old('blames'), sets, cells, sliceOf, panes.placesOf, floors);
  const layouts = { before: before.layout, after: after.layout };
  const tables = new Map([
    ['tallies', yield* migratedPanes(old('tallies'), after.layout.width, cells, sliceOf, panes.placesOf)],
    ['entries', yield* migratedBreakdowns(old('entries'), layouts, cells, sliceOf, runsGoOn)],
    ['blames', attributed.table],
    ['groups', runsGoOn ? yield* movedGroups(old('groups'), after, slices.codes) : emptyGroups(after)],
  ]);
  if (after.layout.judged !== undefined) {
    const judgesGoOn = before.layout.families.some((family) => family.judged !== undefined && goesOn(family));
    tables.set('verdicts', judgesGoOn ? old('verdicts') : createVerdictTable());
  }
  // Whether runs are numbered does not change in a state that goes on.
  if (after.numbersRuns) tables.set('run_numbers', old('run_numbers'));
  const availableSince = [
    ...addedParts(migration, header.begun ?? [], now, { goesOn, runsGoOn }),
    ...panes.availableSince,
  ];
  const dictionaries = new Map([...store.dictionaries, ['slices', slices.dictionary], ['blamed', attributed.sets]]);
  const numbers = new Map(store.numbers);
  floors.forEach((floor, tier) => void numbers.set(attributionFloorName(tier), floor));
  // What kept events added lies in the places of before: they can be revised no longer.
  const pendingLogs = new Map([...store.pendingLogs, ['revisable', createPendingLog()]]);
  const moved = { dictionaries, tables, numbers, pendingLogs };
  return { ...store, header: JSON.stringify({ ...header, begun: availableSince }), ...moved };
}

/** Returns whether the numbers of a family go on. Judgements are compared with the verdicts of the families of events: they go on if all those do. */
function familyGoesOn({ before, after, anew }: Migration): (family: AnyFamily) => boolean {
  const known = (family: AnyFamily): boolean =>
    !anew.has(family.name) && after.layout.families.some(({ name }) => name === family.name);
  const deciding = ({ layout }: Settings): AnyFamily[] =>
    layout.families.filter(({ judged, verdict }) => judged !== undefined || verdict !== undefined);
  const judgesGoOn = deciding(before).every(known) && deciding(after).length === deciding(before).length;
  return (family) => (family.judged === undefined ? known(family) : judgesGoOn);
}

/** Tuples of other dimensions; a value that was not read then is null. Tuples that differ in what is dropped become one. */
function migratedSlices(
  { list }: Dictionary,
  before: readonly string[],
  after: readonly string[],
): { readonly dictionary: Dictionary; readonly codes: readonly number[] } {
  const dictionary = createDictionary();
  const places = after.map((dimension) => before.indexOf(dimension));
  const codes = list.map((text) => {
    const values = JSON.parse(text) as (string | null)[];
    return codeOf(dictionary, JSON.stringify(places.map((place) => (place < 0 ? null : values[place]))));
  });
  return { dictionary, codes };
}

/** Groups of runs hold the slices that they are counted in. */
function* movedGroups(table: Table, { stability }: Settings, codes: readonly number[]): Steps<Table> {
  if (codes.every((code, slice) => code === slice)) return table;
  const layout = runLayout(stability!.form, stability!.k);
  for (const [index, row] of liveRows(table).entries()) {
    layout.move(chunkOf(table, row), valuesAt(table, row), (slice) => codes[slice]!);
    if (index % 1024 === 1023) yield;
  }
  return table;
}

function emptyGroups({ stability }: Settings): Table {
  return stability === undefined ? createTable(0) : createGroupTable(stability);
}

/** Greatest event time, and next offset. */
interface Now {
  readonly ms: number;
  readonly offset: number;
}

interface MigratedPanes {
  readonly placesOf: (tier: number, pane: number) => readonly (readonly [tier: number, pane: number])[];
  /** First panes of the tiers that are made of a tier from such a first pane on; -Infinity where it says none. */
  readonly floorsOf: (floorOf: (tier: number) => number | undefined) => readonly number[];
  /** Windows that reach further back than what is kept. */
  readonly availableSince: readonly AvailableSince[];
}

/** A pane is added to a coarser one, or stays itself; each tier is made of that one which holds most of it. */
function panesOf({ before, after }: Migration, availableSince: readonly AvailableSince[], now: Now): MigratedPanes {
  const evictionMs = evictionTimeOf(now.ms);
  const { tiers, windows } = after.windows;
  const heldFrom = before.windows.tiers.map((_, tier) => completeFrom(before, tier, availableSince, evictionMs));
  const sources = tiers.map((tier) => sourceOf(tier, before.windows.tiers, heldFrom, evictionMs));
  return {
    placesOf(tier, pane) {
      if (tier === 0) return [[0, 0]];
      const { paneMs } = before.windows.tiers[tier - 1]!;
      return tiers.flatMap((into, index) => {
        const moved = Math.floor((pane * paneMs) / into.paneMs);
        const isKept = sources[index] === tier - 1 && moved >= firstPane(into, into.panes, evictionMs);
        return isKept ? [[index + 1, moved] as const] : [];
      });
    },
    floorsOf: (floorOf) =>
      tiers.map((into, index) => {
        const floor = floorOf(sources[index]!) ?? Number.NEGATIVE_INFINITY;
        return Math.ceil((floor * (before.windows.tiers[sources[index]!]?.paneMs ?? 1)) / into.paneMs);
      }),
    availableSince: windows.flatMap(({ lengthMs, tier, panes }): AvailableSince[] => {
      const source = sources[tier]!;
      const sinceMs = source < 0 ? now.ms : heldFrom[source]!;
      const from = firstPane(tiers[tier]!, panes, evictionMs) * tiers[tier]!.paneMs;
      if (!Number.isFinite(sinceMs) || sinceMs <= from) return [];
      return [{ kind: 'window', name: `${lengthMs}`, sinceMs, offset: now.offset }];
    }),
  };
}

/** First pane of so many up to a time. */
function firstPane(tier: Tier, panes: number, ms: number): number {
  return paneOf(tier, ms) - panes + 1;
}

/** Time from which on the panes of a tier hold all: the reach of its longest window, or the later time since which that window is available. */
function completeFrom(
  { windows }: Settings,
  tier: number,
  availableSince: readonly AvailableSince[],
  evictionMs: number,
): number {
  const fromOf = ({ lengthMs, panes }: Window): number => {
    const { paneMs } = windows.tiers[tier]!;
    const sinceMs = availableSinceOf(availableSince, 'window', `${lengthMs}`) ?? Number.NEGATIVE_INFINITY;
    return Math.max(sinceMs, firstPane(windows.tiers[tier]!, panes, evictionMs) * paneMs);
  };
  return Math.min(...windows.windows.filter((window) => window.tier === tier).map(fromOf));
}

/** The tier of before that a tier is made of; -1 where its panes are no sums of any. */
function sourceOf(tier: Tier, before: readonly Tier[], heldFrom: readonly number[], evictionMs: number): number {
  const wanted = firstPane(tier, tier.panes, evictionMs) * tier.paneMs;
  let best = -1;
  before.forEach(({ paneMs }, index) => {
    if (tier.paneMs % paneMs !== 0) return;
    const [lacks, least] = [index, best].map((at) => (at < 0 ? Infinity : Math.max(0, heldFrom[at]! - wanted)));
    // Of those that hold as much the coarsest: it is the last.
    if (lacks! <= least!) best = index;
  });
  return best;
}

/** Families and dimensions that begin now, and those that began later than the rest and go on. */
function addedParts(
  { before, after }: Migration,
  earlier: readonly AvailableSince[],
  now: Now,
  goes: { readonly goesOn: (family: AnyFamily) => boolean; readonly runsGoOn: boolean },
): AvailableSince[] {
  const parts: [kind: AvailableSince['kind'], name: string, goesOn: boolean][] = [
    ...after.layout.families.map(({ name }): [AvailableSince['kind'], string, boolean] => {
      const was = before.layout.families.find((family) => family.name === name);
      return ['family', name, was !== undefined && goes.goesOn(was)];
    }),
    ...after.dimensions.map((name): [AvailableSince['kind'], string, boolean] => {
      return ['dimension', name, before.dimensions.includes(name)];
    }),
  ];
  if (after.stability !== undefined) parts.push(['family', after.stability.name, goes.runsGoOn]);
  return parts.flatMap(([kind, name, goesOn]) => {
    if (goesOn) return earlier.filter((part) => part.kind === kind && part.name === name);
    return Number.isFinite(now.ms) ? [{ kind, name, sinceMs: now.ms, offset: now.offset }] : [];
  });
}
