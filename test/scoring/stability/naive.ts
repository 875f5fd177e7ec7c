import { labels } from '../../../src/scoring/label.ts';
import { meanOf, rateWith, z95 } from '../../../src/scoring/reading.ts';
import { type GroupOptions, keyOfGroup, type RunEvent } from './harness.ts';

/** The definitions of the specification, word by word, over all runs ever received: what the family is compared with. */
export interface Naive {
  readonly options: GroupOptions;
  greatestTsMs: number;
  /** Each life of a group: a group that returns after it was dropped starts another. */
  readonly lives: Life[];
}

interface Life {
  readonly name: string;
  readonly received: RunEvent[];
  lastTsMs: number;
  dropped: boolean;
}

export function naive(options: GroupOptions): Naive {
  return { options, greatestTsMs: Number.NEGATIVE_INFINITY, lives: [] };
}

export function naiveObserve(into: Naive, event: RunEvent): void {
  const { keepMs, groupsMax } = into.options;
  if (event.tsMs > into.greatestTsMs) {
    into.greatestTsMs = event.tsMs;
    for (const life of into.lives) if (into.greatestTsMs - life.lastTsMs > keepMs) life.dropped = true;
  }
  const name = JSON.stringify([event.example, event.model, event.agent]);
  const live = into.lives.filter((life) => !life.dropped);
  const known = live.find((life) => life.name === name);
  if (known !== undefined) {
    known.received.push(event);
    known.lastTsMs = Math.max(known.lastTsMs, event.tsMs);
    return;
  }
  if (live.length >= groupsMax) live.sort(olderFirst)[0]!.dropped = true;
  into.lives.push({ name, received: [event], lastTsMs: event.tsMs, dropped: false });
}

function olderFirst(a: Life, b: Life): number {
  if (a.lastTsMs !== b.lastTsMs) return a.lastTsMs - b.lastTsMs;
  const [keyA, keyB] = [a, b].map(({ received }) => keyOfGroup(received[0]!)) as [Uint32Array, Uint32Array];
  const differs = keyA.findIndex((word, i) => word !== keyB[i]);
  return keyA[differs]! - keyB[differs]!;
}

interface Group {
  readonly slice: number;
  /** Undefined: the group counts for pass^j alone. */
  readonly gold: number | undefined;
  readonly ignored: number;
  readonly dropped: boolean;
  /** Labels and verdicts in run order; undefined while there are not k. */
  readonly runs: readonly { readonly label: number; readonly verdict: number }[] | undefined;
}

/** The block over the slices given, or null. */
export function naiveBlock(from: Naive, slices?: readonly number[]): unknown {
  const groups = from.lives
    .map((life) => groupOf(from.options, life))
    .filter(({ slice }) => slices === undefined || slices.includes(slice));
  const labelled = groups.filter(({ gold }) => gold !== undefined);
  if (labelled.length === 0 && judgedOf(groups).length === 0) return null;
  return {
    ...measures(from.options, labelled, groups),
    ignored_runs: sum(labelled.map(({ ignored }) => ignored)),
    dropped_groups: labelled.filter(({ dropped }) => dropped).length,
    per_label: Object.fromEntries(
      labels.map((label, gold) => [
        label,
        measures(
          from.options,
          groups.filter((group) => group.gold === gold),
        ),
      ]),
    ),
  };
}

/** The gold label of the group as it was last. */
export function goldOf(options: GroupOptions, life: Life): number | undefined {
  return groupOf(options, life).gold;
}

function groupOf({ k, form, mode }: GroupOptions, life: Life): Group {
  const firsts = life.received.filter((event, i) => life.received.findIndex((other) => other.run === event.run) === i);
  const ascending = firsts.sort((a, b) => a.run - b.run);
  const held = form === 'closed' ? ascending.filter(({ run }) => run < k) : ascending.slice(-k);
  const { slice, gold } = held[0] ?? ascending[0]!;
  const runs = held.map(({ label, verdict }) => ({ label: label === 4 && mode === 'spec' ? 3 : label, verdict }));
  return {
    slice,
    gold,
    ignored: life.received.length - held.length,
    dropped: life.dropped,
    runs: held.length === k ? runs : undefined,
  };
}

/** Runs of the complete groups in which every run has a verdict. */
function judgedOf(groups: readonly Group[]): NonNullable<Group['runs']>[] {
  return groups.flatMap(({ runs }) => (runs?.every(({ verdict }) => verdict < 2) ? [runs] : []));
}

function measures({ k, mode }: GroupOptions, groups: readonly Group[], all: readonly Group[] = groups): object {
  const rate = rateWith(z95);
  const complete = groups.flatMap(({ gold, runs }) => (runs === undefined ? [] : [{ gold, runs, ...modeOf(runs) }]));
  const judged = judgedOf(all);
  const zero = <R extends { value: number | null }>(reading: R): R =>
    mode === 'upstream' && complete.length === 0 ? { ...reading, value: 0 } : reading;
  const share = (holds: (group: (typeof complete)[number]) => boolean): unknown =>
    zero(rate(complete.filter(holds).length, complete.length));
  const mean = (of: (group: (typeof complete)[number]) => number): unknown =>
    zero(meanOf(sum(complete.map(of)), complete.length));
  return {
    k,
    groups_seen: groups.length,
    groups_complete: complete.length,
    coverage: rate(complete.length, groups.length),
    stability: share(({ m }) => m === k),
    stable_correct: share(({ m, label, gold }) => m === k && label === gold),
    stable_wrong: share(({ m, label, gold }) => m === k && label !== gold),
    mode_correct: share(({ label, gold }) => label === gold),
    mean_consistency: mean(({ m }) => m / k),
    mean_accuracy: mean(({ runs, gold }) => runs.filter(({ label }) => label === gold).length / k),
    entropy: mean(({ runs }) => entropy(runs)),
    entropy_norm: mean(({ runs }) => entropy(runs) / Math.log2(4)),
    flip_rate: mean(({ runs }) =>
      k === 1 ? 0 : runs.filter(({ label }, i) => i > 0 && label !== runs[i - 1]!.label).length / (k - 1),
    ),
    pass_hat_k: Object.fromEntries(
      Array.from({ length: k }, (_, i) => i + 1).map((j) => [
        String(j),
        meanOf(
          sum(
            judged.map((runs) => {
              const c = runs.filter(({ verdict }) => verdict === 1).length;
              return Number((choose(c, j) * 10n ** 18n) / choose(k, j)) / 1e18;
            }),
          ),
          judged.length,
        ),
      ]),
    ),
  };
}

function modeOf(runs: readonly { readonly label: number }[]): { readonly label: number; readonly m: number } {
  let [label, m] = [-1, 0];
  for (const run of runs) {
    const count = runs.filter((other) => other.label === run.label).length;
    if (count > m) [label, m] = [run.label, count];
  }
  return { label, m };
}

function entropy(runs: readonly { readonly label: number }[]): number {
  return sum(
    [0, 1, 2, 3, 4].map((label) => {
      const p = runs.filter((run) => run.label === label).length / runs.length;
      return p === 0 ? 0 : -p * Math.log2(p);
    }),
  );
}

function choose(n: number, j: number): bigint {
  let product = 1n;
  for (let i = 0; i < j; i++) product = (product * BigInt(Math.max(0, n - i))) / BigInt(i + 1);
  return product;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
