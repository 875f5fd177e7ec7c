import assert from 'node:assert/strict';
import { partitionName } from '../../src/ports.ts';
import { watcherOf } from '../../src/service/watches.ts';
import { labels, predictedNames } from '../../src/scoring/label.ts';
import type { Block } from '../../src/scoring/metric.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { type RejectCode, rejectCodes } from '../../src/state/reject.ts';
import { restoredPartition } from '../../src/state/saved.ts';
import { other } from '../../src/state/slices.ts';
import { finish } from '../../src/state/steps.ts';
import { paneOf } from '../../src/state/windows.ts';
import { modelSeries } from '../../src/telemetry.ts';
import type { RecordCounts } from '../../src/view/summary.ts';
import { savedState } from '../support/saved-state.ts';
import { deadLetterKey } from './dead-letters.ts';
import { bestChain } from './disk.ts';
import { topic } from './log.ts';
import { type Decision, type NaiveCounts, naiveCounts, type NaiveJudgement } from './naive.ts';
import type { AcceptedEvent, RefusedEvent } from './traffic.ts';
import { onlyVersion } from './truth.ts';
import type { World } from './world.ts';
import { type ReadGroup, type ReadView, viewWith } from '../support/folding.ts';

/** The laws about the end, when everything has been read and nothing is under way. Returns what the records came to. */
export function checkEnd(world: World): RecordCounts {
  const states = world.log.map((partition) => {
    const owner = world.group.owners[partition.partition]!;
    return owner.instance.pipeline.service.tasks.get(partitionName(partition))!.state;
  });
  const asOfMs = Math.max(...states.map(({ numbers }) => numbers.greatestTs));
  const view = readView(world, states, asOfMs);
  compareFolds(world, states, view, asOfMs);
  if (world.scenario.tightLimits !== 'all') compareCounts(world, states, view, asOfMs);
  checkLetters(world, states);
  checkCounters(world, states, view);
  return view.records;
}

function readView(world: World, states: readonly PartitionState[], asOfMs: number): ReadView {
  const watcher = watcherOf(world.config, states[0]!.settings);
  return viewWith(world.config, states, Number.isFinite(asOfMs) ? asOfMs : undefined, { watcher });
}

/** (c) The naive fold of the log and what is on the disk read the same; (d) so does the merge in another order. */
function compareFolds(world: World, states: readonly PartitionState[], view: ReadView, asOfMs: number): void {
  const references = world.checks.references(world);
  const naive = world.log.map(
    (partition, at) => references.at(partition, states[at]!.activations, partition.high).state,
  );
  sameView(view, readView(world, naive, asOfMs), '(c) the view is another than the naive fold has');
  const restored = states.map((state, at) => restoredState(world, at, state));
  // Of two owners at the end of the log with another history of truth, the one that is no more may have left the better checkpoint; what hangs from a damaged
  // file is not there.
  const own = restored.every((state, at) => sameTruth(state, states[at]!) && reachesEnd(state, world, at));
  if (own) sameView(view, readView(world, restored, asOfMs), '(c) the view is another after a restart');
  const merged = readView(world, world.random.shuffled(states), asOfMs);
  sameView(view, merged, '(d) the view depends on the order of the partitions');
}

/** The comparison of texts is fast, that of values says where. */
function sameView(view: ReadView, expected: ReadView, law: string): void {
  if (JSON.stringify(view) !== JSON.stringify(expected)) assert.deepEqual(view, expected, law);
}

function sameTruth(a: PartitionState, b: PartitionState): boolean {
  return JSON.stringify(a.activations) === JSON.stringify(b.activations);
}

function reachesEnd({ numbers }: PartitionState, world: World, partition: number): boolean {
  return numbers.nextOffset === world.log[partition]!.high;
}

function restoredState(world: World, partition: number, { settings }: PartitionState): PartitionState {
  return finish(restoredPartition(settings, savedState(bestChain(world.folders[partition]!)!)!.store));
}

/** (c) Counted without any of the program's code, everything is the same. */
function compareCounts(world: World, states: readonly PartitionState[], view: ReadView, asOfMs: number): void {
  const { config, scenario, truths } = world;
  const versionOf = (version: string): number =>
    scenario.truths === 1 ? onlyVersion : truths.findIndex((table) => table.version === version);
  const counts = world.log.map((partition, at) =>
    naiveCounts(partition, states[at]!.activations, config, scenario, versionOf),
  );
  const sum = (of: (count: NaiveCounts) => number): number => counts.reduce((total, count) => total + of(count), 0);
  const { read, scored, pending, expired, duplicates, late, unverified, rejected } = view.records;
  const { steps, runs, open_runs } = view.records;
  const conflicts = states.reduce((total, { input }) => total + input.conflicts, 0);
  const lateSteps = states.reduce((total, { input }) => total + input.late_steps, 0);
  assert.deepEqual(
    { read, scored, pending, expired, duplicates, conflicts, late, unverified, steps, runs, open_runs, lateSteps },
    {
      read: sum((count) => count.read),
      scored: sum((count) => count.scored),
      pending: sum((count) => count.pending),
      expired: sum((count) => count.expired),
      duplicates: sum((count) => count.duplicates),
      conflicts: sum((count) => count.conflicts),
      late: sum((count) => count.late),
      unverified: sum((count) => count.unverified),
      steps: sum((count) => count.runs.steps),
      runs: sum((count) => count.runs.closed + count.runs.open.size),
      open_runs: sum((count) => count.runs.open.size),
      lateSteps: sum((count) => count.runs.late),
    },
    '(c) records are counted otherwise than naively',
  );
  for (const code of rejectCodes)
    assert.equal(
      rejected[code] ?? 0,
      sum((count) => count.rejected.get(code) ?? 0),
      `(c) rejects ${code}`,
    );
  const decisions = counts.flatMap((count) => count.decisions);
  for (const group of view.groups) compareDecisions(world, states[0]!, group, decisions, asOfMs);
  const judged = counts.flatMap((count) => count.judged);
  for (const group of view.groups) compareJudged(states[0]!, group, judged, asOfMs);
}

function compareDecisions(
  world: World,
  state: PartitionState,
  group: ReadGroup,
  decisions: readonly Decision[],
  asOfMs: number,
): void {
  const of = ofGroup(state, group, decisions, asOfMs);
  if (of === undefined) return;
  const expected = Object.fromEntries(
    labels.map((gold, g) => [
      gold,
      Object.fromEntries(
        predictedNames.map((name, p) => [name, of.filter((d) => d.gold === g && d.predicted === p).length]),
      ),
    ]),
  );
  const block = group.blocks['decision'] as Block | null;
  const where = `${group.dimensions}=${group.values} in ${group.window}`;
  if (of.length === 0) assert.equal(block, null, `(c) decisions of ${where}`);
  else assert.deepEqual(block?.['confusion'], expected, `(c) decisions of ${where}`);
  assert.notEqual(group.values[0], other, `nothing is beyond a limit in process ${world.everyone.length}`);
}

/** Judgements, as many of each name as there are, wherever they are shown. */
function compareJudged(
  state: PartitionState,
  group: ReadGroup,
  judged: readonly NaiveJudgement[],
  asOfMs: number,
): void {
  const of: readonly NaiveJudgement[] | undefined = ofGroup(state, group, judged, asOfMs);
  if (of === undefined) return;
  for (const name of ['semantic', 'judge']) {
    const block = (group.blocks[name] ?? undefined) as { n: number; failed: { timeout: number } } | undefined;
    const named: readonly NaiveJudgement[] = of.filter((each) => each.name === name);
    const failed = named.filter((each) => each.failed).length;
    assert.deepEqual(
      [block?.n ?? 0, block?.failed.timeout ?? 0],
      [named.length - failed, failed],
      `(c) ${name} of ${group.dimensions}=${group.values} in ${group.window}`,
    );
  }
}

/** What is of a group, of the total or of one model; undefined for others. */
function ofGroup<One extends Pick<Decision, 'model' | 'tsMs' | 'late'>>(
  { settings }: PartitionState,
  group: ReadGroup,
  all: readonly One[],
  asOfMs: number,
): readonly One[] | undefined {
  const [dimension, ...more] = group.dimensions;
  if (more.length > 0 || (dimension !== undefined && dimension !== 'model')) return undefined;
  const { windows, tiers } = settings.windows;
  const window = windows.find(({ name }) => name === group.window);
  const inWindow = ({ tsMs, late }: One): boolean => {
    if (window === undefined) return true;
    const age = paneOf(tiers[window.tier]!, asOfMs) - paneOf(tiers[window.tier]!, tsMs);
    return !late && age >= 0 && age < window.panes;
  };
  return all.filter((each) => inWindow(each) && (dimension === undefined || each.model === group.values[0]));
}

/** (f) Every refused record and every expired prediction is in the dead letters, and nothing else; with its own key and bytes. */
function checkLetters(world: World, states: readonly PartitionState[]): void {
  const references = world.checks.references(world);
  const wanted = new Map<string, { readonly key: Uint8Array | null; readonly value: Uint8Array | null }>();
  const possible = new Map<string, AcceptedEvent>();
  for (const partition of world.log) {
    for (const { offset, events, key, value } of partition.records)
      for (const event of events)
        if (event.reject === undefined)
          possible.set(deadLetterKey(partition.partition, offset, event.element, 'no_truth'), event);
        else
          wanted.set(deadLetterKey(partition.partition, offset, event.element, event.reject), {
            key,
            value: letterValue(event, value),
          });
    const { expired } = references.at(partition, states[partition.partition]!.activations, partition.high);
    for (const place of expired)
      assert.ok(
        world.deadLetters.has(`${partition.partition}/${place}/no_truth`),
        `(f) ${place} expired, and is in no dead letter`,
      );
  }
  for (const key of wanted.keys())
    assert.ok(world.deadLetters.has(key), `(f) ${key} was refused, and is in no dead letter`);
  for (const [key, letters] of world.deadLetters) {
    const made = wanted.get(key);
    assert.ok(made !== undefined || possible.has(key), `(f) ${key} is in a dead letter, and was not refused`);
    if (isUndisturbed(world)) assert.equal(letters.length, 1, `(f) dead letters of ${key}, and nothing went wrong`);
    for (const letter of letters)
      if (made !== undefined)
        assert.deepEqual(
          { key: letter.key, value: letter.value },
          made,
          `(f) the dead letter of ${key} holds other bytes`,
        );
      else if (world.scenario.runs === undefined)
        assert.equal(JSON.parse(new TextDecoder().decode(letter.value!)).ts, possible.get(key)!.tsMs);
  }
}

function letterValue({ text }: RefusedEvent, value: Uint8Array | null): Uint8Array | null {
  return text === undefined ? value : new TextEncoder().encode(text);
}

/** (g) Nothing is published twice; and where nothing is lost, everything is published. */
function checkCounters(world: World, states: readonly PartitionState[], { records }: ReadView): void {
  const { scenario, checks, everyone } = world;
  const published = { scored: 0, expired: 0, duplicate: 0, rejected: 0, outcomes: 0, late: 0 };
  const rejects = new Map<RejectCode, number>();
  for (const { telemetry } of everyone) {
    const counters = telemetry.published.topics.get(topic)!;
    for (const name of ['scored', 'expired', 'duplicate', 'rejected'] as const) published[name] += counters[name];
    published.late += telemetry.published.late;
    for (const [at, code] of rejectCodes.entries())
      rejects.set(code, (rejects.get(code) ?? 0) + telemetry.published.rejects[at]!);
    for (const { cells } of telemetry.models.values())
      modelSeries.forEach(({ counter }, at) => {
        if (counter.name === 'outcomes') published.outcomes += cells[at]!;
      });
  }
  const total = {
    scored: records.scored,
    expired: records.expired,
    duplicate: records.duplicates,
    rejected: states.reduce((sum, state) => sum + state.rejected.reduce((all, count) => all + count, 0), 0),
    outcomes: outcomesOf(world, states),
    late: records.late,
  };
  if (isUndisturbed(world)) assert.deepEqual(published, total, '(g) what was published is not what was counted');
  // A checkpoint that was published and then damaged is counted again: the damage lies after the commit.
  if (checks.damage > 0) return;
  for (const name of Object.keys(total) as (keyof typeof total)[]) {
    // Two owners may differ in when they got which truth; then the later one may score what the earlier one saw expire.
    if (scenario.truths > 1 && name !== 'duplicate' && name !== 'rejected') continue;
    assert.ok(published[name] <= total[name], `(g) ${published[name]} ${name} published, ${total[name]} counted`);
  }
  for (const [code, count] of rejects)
    assert.ok(count <= (records.rejected[code] ?? 0), `(g) ${count} rejects ${code} published`);
}

function isUndisturbed({ scenario: { faults, truths } }: World): boolean {
  // Truth that comes while the group rebalances is met and saved, and the commit refused: the next owner counts what is new to it only.
  const atOdds = truths > 1 && faults.truth > 0 && faults.rebalance + faults.stop > 0;
  return !atOdds && Object.entries(faults).every(([name, rate]) => rate === 0 || harmless.includes(name));
}

/** Faults that do not keep a commit from being accepted, sooner or later, before a partition moves. */
const harmless: readonly string[] = ['redelivery', 'truth', 'trim', 'torn', 'rebalance', 'stop'];

function outcomesOf({ config }: World, states: readonly PartitionState[]): number {
  const [total] = viewWith(config, states, undefined, { sets: [] }).groups;
  return Number((total!.blocks['decision'] as Block | null)?.['n'] ?? 0);
}
