import type { Reader } from '../stream/event.ts';
import type { Joined } from '../scoring/family.ts';
import { type Contribution, createContribution, type Layout, type Place } from './row-layout.ts';
import { rejectCodes } from '../state/reject.ts';
import type { GroupIndex, Stability, StabilityTally } from '../scoring/stability/index.ts';
import type { WindowPlan } from './windows.ts';
import { type Blobs, createBlobs } from './containers/pending-log.ts';
import { tallyHistogram } from './breakdowns.ts';
import { createIds, type Ids } from './containers/ids.ts';
import { limitNames } from './limit-hits.ts';
import { createTable, type Table } from './containers/table.ts';
import { createTexts, type Texts } from './containers/dictionary.ts';
import { createWindowSums, type WindowSums } from './window-sums.ts';

/** What shapes the state besides the log and the truth: equal settings and an equal log give an equal state. */
export interface Settings {
  readonly layout: Layout;
  readonly stability: Stability | undefined;
  /** Did the run succeed? (Where the event does not say: strict success of its trajectory.) */
  readonly verdictOf: (joined: Joined) => 0 | 1 | 2;
  /** Dimensions of the finest slice: `model` first, then what the configured sets name besides. */
  readonly dimensions: readonly string[];
  readonly windows: WindowPlan;
  readonly outOfOrdernessMs: number;
  readonly truthWaitMs: number;
  readonly dedupeWindowMs: number;
  readonly limits: StateLimits;
  /** Reads the texts of pending predictions back: the event reader without limits. */
  readonly pendingReader: Reader;
}

export interface StateLimits {
  readonly pending: number;
  readonly dedupeIds: number;
  readonly slices: number;
  readonly names: number;
}

/** The scalars of a partition, all additive counts but the first two. */
export interface Numbers {
  nextOffset: number;
  /** Greatest event time applied; -Infinity before the first. */
  greatestTs: number;
  read: number;
  scored: number;
  expired: number;
  duplicates: number;
  late: number;
  unverified: number;
  callsNotRecorded: number;
  /** Offset and identity of the last record applied. */
  lastOffset: number;
  last0: number;
  last1: number;
  last2: number;
  last3: number;
  /** Records below our position that the log no longer had. */
  lost: number;
}

/** Version of the truth that became active at an offset. */
export interface Activation {
  readonly version: string;
  readonly rows: number;
  readonly offset: number;
}

/** What the state is held in. */
export interface Containers {
  /** Finest slice tuples as JSON arrays, by slice code. */
  readonly slices: Texts;
  /** Keys of breakdowns. */
  readonly names: Texts;
  /** (slice, 0, 0) for window `all`, (slice, tier + 1, pane) -> a row of the layout. */
  readonly tallies: Table;
  /** (slice, breakdown, key, subkey) -> columns; stability's histograms follow the families' breakdowns. */
  readonly entries: Table;
  readonly groups: Table;
  /** Identities of event ids. */
  readonly seen: Ids;
  readonly pending: Blobs;
}

/** Everything that one partition knows: a deterministic fold of its log. The fold owns it and changes it in place. */
export interface PartitionState extends Containers {
  readonly settings: Settings;
  readonly numbers: Numbers;
  /** Counts by reject code, in the order of `rejectCodes`. */
  readonly rejected: Float64Array;
  /** Since this process began; no part of the state, since caches show in them. */
  readonly limitHits: Float64Array;
  /** Versions of the truth by the offset at which they became active; the last is in use. */
  readonly activations: Activation[];
  readonly derived: Derived;
}

/** What can be worked out from the rest: not saved, made again after a restore. */
export interface Derived {
  readonly contribution: Contribution;
  /** By tier: pane -> rows of tallies. */
  readonly paneRows: readonly Map<number, number[]>[];
  /** By tier: panes below are gone. */
  readonly paneFloor: number[];
  readonly lastPanes: LastPanes;
  readonly windowSums: WindowSums;
  readonly pendingQueue: PendingQueue;
  groupIndex: GroupIndex | undefined;
  /** Where stability's histograms go: the entries of this partition. */
  readonly histograms: StabilityTally;
  /** Slice codes by the reader's name codes; emptied when the reader starts a new generation of codes. */
  readonly sliceCache: Map<number | string, number>;
  sliceGeneration: number;
  /** By breakdown: the distinct (key, subkey) pairs, as key -> subkey -> place. */
  readonly breakdownKeys: Map<string, Map<string, Place>>[];
  readonly breakdownSizes: number[];
}

/** The pane that each slice used last in each tier, and its row of tallies, at `slice * (tiers + 1) + tier`; NaN: none yet. */
export interface LastPanes {
  panes: Float64Array;
  rows: Int32Array;
}

/** Pending predictions by the event time at which they expire, oldest first: a binary heap of (ts, number). */
export interface PendingQueue {
  readonly heap: { readonly ts: number; readonly number: number }[];
  readonly examples: Map<number, PendingEntry>;
  /** By tier: how many have their event time in a pane. */
  readonly panes: readonly Map<number, number>[];
}

export interface PendingEntry {
  readonly exampleId: string;
  readonly ts: number;
  readonly offset: number;
  readonly element: number;
}

/** The state before the first record. */
export function emptyPartition(settings: Settings): PartitionState {
  return partitionOf(settings, emptyContainers(settings));
}

/** The containers that settings ask for, with nothing in them. */
export function emptyContainers({ layout, stability }: Settings): Containers {
  return {
    slices: createTexts(),
    names: createTexts(),
    tallies: createTable(layout.width),
    entries: createTable(layout.entryColumns),
    groups: createTable(stability?.groupValues ?? 0),
    seen: createIds(),
    pending: createBlobs(),
  };
}

/** A state of these containers, of which nothing but the index of groups is worked out yet. */
export function partitionOf(settings: Settings, containers: Containers): PartitionState {
  const state: PartitionState = {
    settings,
    numbers: emptyNumbers(),
    rejected: new Float64Array(rejectCodes.length),
    limitHits: new Float64Array(limitNames.length),
    activations: [],
    ...containers,
    derived: emptyDerived(settings, containers.groups, {
      add: (slice, gold, histogram, key, amount) => tallyHistogram(state, slice, 4 * histogram + gold, key, amount),
    }),
  };
  return state;
}

function emptyDerived(settings: Settings, groups: Table, histograms: StabilityTally): Derived {
  const { tiers } = settings.windows;
  return {
    contribution: createContribution(settings.layout),
    paneRows: tiers.map(() => new Map()),
    paneFloor: tiers.map(() => Number.NEGATIVE_INFINITY),
    lastPanes: { panes: new Float64Array(0), rows: new Int32Array(0) },
    windowSums: createWindowSums(settings.windows),
    pendingQueue: { heap: [], examples: new Map(), panes: tiers.map(() => new Map()) },
    groupIndex: settings.stability?.createIndex(groups),
    histograms,
    sliceCache: new Map(),
    sliceGeneration: -1,
    breakdownKeys: Array.from({ length: settings.layout.breakdownCount }, () => new Map()),
    breakdownSizes: new Array<number>(settings.layout.breakdownCount).fill(0),
  };
}

function emptyNumbers(): Numbers {
  return {
    nextOffset: 0,
    greatestTs: Number.NEGATIVE_INFINITY,
    read: 0,
    scored: 0,
    expired: 0,
    duplicates: 0,
    late: 0,
    unverified: 0,
    callsNotRecorded: 0,
    lastOffset: -1,
    last0: 0,
    last1: 0,
    last2: 0,
    last3: 0,
    lost: 0,
  };
}
