import type { AvailableSince } from './available-since.ts';
import { type Attributions, createAttributions } from './attributions.ts';
import { type Breakdowns, createBreakdowns } from './breakdowns.ts';
import { createDictionary, type Dictionary } from './containers/dictionary.ts';
import { createIds, type Ids } from './containers/ids.ts';
import { createPendingLog, type PendingLog } from './containers/pending-log.ts';
import { createTable, type Table } from './containers/table.ts';
import { createDedupe, type Dedupe } from './dedupe.ts';
import { type InputCounts, noInputCounts } from './input.ts';
import { createJudgePairs, createVerdictTable, type JudgePairs } from './judge-pairs.ts';
import { type LimitHits, noLimitHits } from './limit-hits.ts';
import { emptyNumbers, type Numbers } from './numbers.ts';
import { createOpenRuns, type OpenRuns } from './open-runs.ts';
import { createPanes, type Panes } from './panes.ts';
import { createPending, type Pending } from './pending.ts';
import { rejectCodes } from './reject.ts';
import { createGroupTable, createRunGroups, type RunGroups } from './run-groups/index.ts';
import { createRevisable, type Revisable } from './revisable.ts';
import { createNumberTable, createRunNumbers, type RunNumbers } from './run-numbers.ts';
import type { Settings } from './settings.ts';
import { createSlices, type Slices } from './slices.ts';
import { createWindowSums, type WindowSums } from './window-sums.ts';

/** State of one partition: a deterministic fold of its log. The fold owns it and changes it in place. */
export interface PartitionState {
  readonly settings: Settings;
  readonly numbers: Numbers;
  /** Counts by reject code, in the order of `rejectCodes`. */
  readonly rejected: Float64Array;
  /** Oddities of events that were read all the same. */
  readonly input: InputCounts;
  /** Versions of the truth by the offset at which they became active; the last is in use. */
  readonly activations: Activation[];
  /** The parts that began later than the rest. */
  readonly availableSince: AvailableSince[];
  readonly slices: Slices;
  readonly panes: Panes;
  readonly sums: WindowSums;
  readonly breakdowns: Breakdowns;
  readonly attributions: Attributions;
  readonly runGroups: RunGroups | undefined;
  readonly dedupe: Dedupe;
  readonly openRuns: OpenRuns;
  readonly pending: Pending;
  readonly revisable: Revisable;
  /** Where judgements are read. */
  readonly judgePairs: JudgePairs | undefined;
  /** Where runs are numbered as they come. */
  readonly runNumbers: RunNumbers | undefined;
  /** Failed events as people see them, for the instance that restores the state: nothing is read from them here. */
  readonly samples: PendingLog;
  /** No part of the state, since caches show in it: what the limits stopped since this process looked last. */
  readonly limitHits: LimitHits;
}

/** Version of the truth that became active at an offset. */
export interface Activation {
  readonly version: string;
  readonly rows: number;
  readonly offset: number;
}

/** The containers that checkpoints hold; all else in the records of the state's modules is derived from them. */
export interface Containers {
  readonly slices: Dictionary;
  readonly names: Dictionary;
  readonly attributed: Dictionary;
  readonly panes: Table;
  readonly breakdowns: Table;
  readonly attributions: Table;
  readonly groups: Table;
  readonly seen: Ids;
  readonly openRuns: PendingLog;
  readonly endedRuns: Ids;
  readonly pending: PendingLog;
  readonly revisable: PendingLog;
  readonly samples: PendingLog;
  /** Where judgements are read. */
  readonly verdicts?: Table | undefined;
  /** Where runs are numbered as they come. */
  readonly runNumbers?: Table | undefined;
}

/** The state before the first record. */
export function emptyPartition(settings: Settings): PartitionState {
  return partitionOf(settings, emptyContainers(settings));
}

/** The containers that settings ask for, with nothing in them. */
export function emptyContainers({ layout, stability, numbersRuns }: Settings): Containers {
  return {
    slices: createDictionary(),
    names: createDictionary(),
    attributed: createDictionary(),
    panes: createTable(layout.width),
    breakdowns: createTable(layout.breakdownColumns),
    attributions: createTable(1),
    groups: stability === undefined ? createTable(0) : createGroupTable(stability),
    seen: createIds(),
    openRuns: createPendingLog(),
    endedRuns: createIds(),
    pending: createPendingLog(),
    revisable: createPendingLog(),
    samples: createPendingLog(),
    ...(layout.judged && { verdicts: createVerdictTable() }),
    ...(numbersRuns && { runNumbers: createNumberTable() }),
  };
}

/** A state of these containers, which are not indexed yet; `before` gives its index of the panes and of what waits to the next state of its containers. */
export function partitionOf(
  settings: Settings,
  containers: Containers,
  before?: Pick<PartitionState, 'panes' | 'sums' | 'pending'>,
): PartitionState {
  const { stability } = settings;
  const limitHits = noLimitHits();
  const panes = before?.panes ?? createPanes(settings, containers.panes);
  const breakdowns = createBreakdowns(settings, limitHits, containers.breakdowns, containers.names);
  return {
    settings,
    numbers: emptyNumbers(),
    rejected: new Float64Array(rejectCodes.length),
    input: noInputCounts(),
    activations: [],
    availableSince: [],
    slices: createSlices(settings, limitHits, containers.slices),
    panes,
    sums: before?.sums ?? createWindowSums(panes),
    breakdowns,
    attributions: createAttributions(settings, limitHits, panes, containers.attributions, containers.attributed),
    runGroups: stability && createRunGroups(stability, settings, limitHits, breakdowns, containers.groups),
    dedupe: createDedupe(settings, limitHits, containers.seen),
    openRuns: createOpenRuns(settings, limitHits, containers.openRuns, containers.endedRuns),
    pending: before?.pending ?? createPending(settings, containers.pending),
    revisable: createRevisable(settings.revision, limitHits, containers.revisable),
    runNumbers: containers.runNumbers && createRunNumbers(settings, limitHits, containers.runNumbers),
    samples: containers.samples,
    judgePairs: containers.verdicts && createJudgePairs(settings, limitHits, containers.names, containers.verdicts),
    limitHits,
  };
}
