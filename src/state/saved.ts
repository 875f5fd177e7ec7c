import type { AvailableSince } from './available-since.ts';
import { restoreAttributions } from './attributions.ts';
import { restoreBreakdowns } from './breakdowns.ts';
import { assert } from './containers/assert.ts';
import { createIds } from './containers/ids.ts';
import { createPendingLog } from './containers/pending-log.ts';
import type { Store } from './containers/store.ts';
import { createTable, type RowListener } from './containers/table.ts';
import { evictionTimeOf } from './event-time.ts';
import { inputKinds } from './input.ts';
import { restoreJudgePairs } from './judge-pairs.ts';
import type { Numbers } from './numbers.ts';
import { restorePanes } from './panes.ts';
import { type Activation, type Containers, emptyContainers, type PartitionState, partitionOf } from './partition.ts';
import { restoreOpenRuns } from './open-runs.ts';
import { restoreRevisable } from './revisable.ts';
import { refreshPending, restorePending } from './pending.ts';
import { rejectCodes } from './reject.ts';
import { restoreRunGroups } from './run-groups/index.ts';
import { restoreRunNumbers } from './run-numbers.ts';
import type { Settings } from './settings.ts';
import type { Steps } from './steps.ts';
import { paneRows, restoreSums } from './window-sums.ts';

/** Small JSON that a checkpoint carries besides the containers. */
export interface SavedHeader {
  /** The rest that the state depends on: settings, cluster, partition count (`pipeline/identity.ts` compares them). */
  readonly identity: object;
  readonly activations: readonly Activation[];
  /** The parts that began later than the rest; absent where none did. */
  readonly begun?: readonly AvailableSince[] | undefined;
  /** Where the score rows of the state lie: nothing that the state depends on. */
  readonly rows?: object | undefined;
}

/** The state in the form that checkpoints know. The containers are the state's own: a checkpoint clears their change marks. */
export function storeOf(state: PartitionState, identity: SavedHeader['identity'], rows?: object): Store {
  assertAccounted(state);
  const numbers = new Map<string, number>(Object.entries(state.numbers));
  rejectCodes.forEach((code, index) => void numbers.set(`rejected.${code}`, state.rejected[index]!));
  for (const kind of inputKinds) numbers.set(`input.${kind}`, state.input[kind]);
  state.attributions.floors.forEach((floor, tier) => void numbers.set(attributionFloorName(tier), floor));
  const { activations, availableSince } = state;
  const header: SavedHeader = {
    identity,
    activations,
    begun: availableSince.length > 0 ? availableSince : undefined,
    rows,
  };
  return { ...storedIn(containersOf(state)), header: JSON.stringify(header), numbers };
}

/**
 * The state that a store describes; the store's containers become the state's own. `before`: of a reader, the state of the same containers before a
 * checkpoint was applied to them with its `rowListener`, of which it goes on with panes, their sums, and what waits. Throws where they are not those of the settings. An index
 * that is made again is a step.
 */
export function* restoredPartition(settings: Settings, store: Store, before?: PartitionState): Steps<PartitionState> {
  checkFit(settings, store);
  const state = partitionOf(settings, containersIn(store), before);
  const { numbers, panes, sums, breakdowns, attributions, runGroups, pending } = state;
  for (const name of Object.keys(numbers) as (keyof Numbers)[])
    numbers[name] = store.numbers.get(name) ?? numbers[name];
  rejectCodes.forEach((code, index) => {
    state.rejected[index] = store.numbers.get(`rejected.${code}`) ?? 0;
  });
  for (const kind of inputKinds) state.input[kind] = store.numbers.get(`input.${kind}`) ?? 0;
  const { activations, begun = [] } = JSON.parse(store.header) as SavedHeader;
  state.activations.push(...activations);
  state.availableSince.push(...begun);
  yield;
  if (before === undefined) {
    const evictionMs = evictionTimeOf(numbers.greatestTs);
    restorePanes(panes, evictionMs);
    yield restoreSums(sums, evictionMs);
  }
  yield restoreBreakdowns(breakdowns);
  const attributionFloors = panes.floors.map((floor, tier) => store.numbers.get(attributionFloorName(tier)) ?? floor);
  yield restoreAttributions(attributions, attributionFloors);
  if (runGroups !== undefined) yield restoreRunGroups(runGroups);
  if (state.judgePairs !== undefined) yield restoreJudgePairs(state.judgePairs);
  if (state.runNumbers !== undefined) yield restoreRunNumbers(state.runNumbers);
  yield before === undefined ? restorePending(pending) : refreshPending(pending);
  yield restoreOpenRuns(state.openRuns);
  yield restoreRevisable(state.revisable);
  return state;
}

/** The listeners to the rows of a delta, by the name of their table, with which the panes of a state, and their sums, go on. */
export function rowListener({
  sums,
}: PartitionState): (name: string, numbers: ReadonlyMap<string, number>) => RowListener | undefined {
  return (name, numbers) =>
    name === 'tallies' ? paneRows(sums, evictionTimeOf(numbers.get('greatestTs')!)) : undefined;
}

/** Name of the number of the first pane from which a tier holds attributions. */
export function attributionFloorName(tier: number): string {
  return `blames.${tier}`;
}

/** The accounting law: what became of every event that was read is known (docs/reference/semantics.md). */
function assertAccounted({ numbers, rejected, pending, openRuns }: PartitionState): void {
  const { read, scored, expired, duplicates, steps, runs, nextOffset, lastOffset } = numbers;
  const refused = rejected.reduce((sum, count) => sum + count, 0);
  const accounted = scored + pending.waiting.size + expired + duplicates + refused + openRuns.runs.size + steps - runs;
  assert(read === accounted, `${read} events were read, ${accounted} are accounted for`);
  assert(lastOffset < nextOffset, `record ${lastOffset} was applied, and the next offset is ${nextOffset}`);
}

function containersOf(state: PartitionState): Containers {
  const {
    slices,
    breakdowns,
    attributions,
    panes,
    runGroups,
    dedupe,
    openRuns,
    pending,
    revisable,
    samples,
    judgePairs,
    runNumbers,
  } = state;
  return {
    slices: slices.dictionary,
    names: breakdowns.names,
    attributed: attributions.sets,
    panes: panes.table,
    breakdowns: breakdowns.table,
    attributions: attributions.table,
    groups: runGroups?.table ?? createTable(0),
    seen: dedupe.ids,
    openRuns: openRuns.log,
    endedRuns: openRuns.ended,
    pending: pending.log,
    revisable: revisable.log,
    samples,
    ...(judgePairs && { verdicts: judgePairs.table }),
    ...(runNumbers && { runNumbers: runNumbers.table }),
  };
}

type Stored = Pick<Store, 'dictionaries' | 'tables' | 'ids' | 'pendingLogs'>;

/** Containers of checkpoints that no view reads: groups that are still open, verdicts that judgements wait for, numbers of runs, kept events and samples. */
const notShown: readonly string[] = ['groups', 'verdicts', 'run_numbers', 'revisable', 'samples'];

/** Returns whether a view reads a container of checkpoints. */
export function isTableShown(name: string): boolean {
  return !notShown.includes(name);
}

/** The part of a text of pending predictions or of steps that counts need: the entry, in its first line; of tools and plain spans nothing. */
export function entryText(text: string): string {
  return /^[tl]/.test(text) ? text.charAt(0) : text.slice(0, text.indexOf('\n') + 1);
}

/** Containers by the names that they have in checkpoints. */
function storedIn(containers: Containers): Stored {
  const { slices, names, attributed, panes, breakdowns, attributions, groups, seen, verdicts, runNumbers } = containers;
  const { openRuns, endedRuns, pending, revisable, samples } = containers;
  return {
    dictionaries: new Map(Object.entries({ slices, names, blamed: attributed })),
    tables: new Map(
      Object.entries({
        tallies: panes,
        entries: breakdowns,
        blames: attributions,
        groups,
        ...(verdicts && { verdicts }),
        ...(runNumbers && { run_numbers: runNumbers }),
      }),
    ),
    ids: new Map(Object.entries({ seen, ended_runs: endedRuns })),
    pendingLogs: new Map(Object.entries({ pending, open_runs: openRuns, revisable, samples })),
  };
}

/** The containers of a store that has them all. */
function containersIn({ dictionaries, tables, ids, pendingLogs }: Stored): Containers {
  return {
    slices: dictionaries.get('slices')!,
    names: dictionaries.get('names')!,
    attributed: dictionaries.get('blamed')!,
    panes: tables.get('tallies')!,
    breakdowns: tables.get('entries')!,
    attributions: tables.get('blames')!,
    groups: tables.get('groups')!,
    seen: ids.get('seen')!,
    openRuns: pendingLogs.get('open_runs') ?? createPendingLog(),
    endedRuns: ids.get('ended_runs') ?? createIds(),
    pending: pendingLogs.get('pending')!,
    revisable: pendingLogs.get('revisable') ?? createPendingLog(),
    samples: pendingLogs.get('samples') ?? createPendingLog(),
    verdicts: tables.get('verdicts'),
    runNumbers: tables.get('run_numbers'),
  };
}

/** Containers that a checkpoint of an earlier release lacks: they begin empty. */
const newContainers: readonly string[] = ['open_runs', 'ended_runs', 'revisable', 'samples'];

/** Refuses a store whose containers are not those of the settings: of another release it would be misread. */
export function checkFit(settings: Settings, store: Store): void {
  const pattern = storedIn(emptyContainers(settings));
  for (const kind of ['dictionaries', 'tables', 'ids', 'pendingLogs'] as const) {
    const isHeld = (name: string): boolean => !newContainers.includes(name) || store[kind].has(name);
    const [names, expected] = [store, pattern].map((stored) =>
      [...stored[kind].keys()].filter(isHeld).sort().join(', '),
    );
    if (names !== expected) unfit(`its ${kind} are ${names}, those of this release ${expected}`);
  }
  for (const [name, { values }] of pattern.tables) {
    const found = store.tables.get(name)!.values;
    if (found !== values) unfit(`table ${name} has ${found} values a row, ${values} expected`);
  }
}

function unfit(why: string): never {
  throw new Error(
    `the saved state does not fit: ${why}; it was written under other settings or by another release: ` +
      'use that one, another kafka.group_id, or start with --rebuild',
  );
}
