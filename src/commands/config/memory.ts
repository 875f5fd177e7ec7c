import { truthOverhead } from '../../formats/truth/open.ts';
import type { Config } from '../../config/config.ts';
import { hasLogInside } from '../../config/log-inside.ts';
import { type MemoryPart, partitionMemory, pendingCharacters, stepCharacters } from '../../state/memory.ts';
import { textTable } from '../../terminal/text-table.ts';
import { settingsOf } from '../../config/settings.ts';

/** The memory that the service can take at the limits of its configuration. */
export interface MemoryEstimate {
  /** Times the partitions that an instance holds. */
  readonly partition: readonly MemoryPart[];
  /** Once, whatever an instance holds. */
  readonly instance: readonly MemoryPart[];
  /** Bytes of the copy of a partition in the thread that serves. */
  readonly shownBytes: number;
  /** True if several threads score. */
  readonly inThreads: boolean;
}

/** The estimate of a configuration. */
export function memoryEstimate(config: Config): MemoryEstimate {
  const { kafka, limits, run, snapshots } = config;
  const instance = [of('index of truth', million, 'rows', truthOverhead(million))];
  if (kafka.truth_topic !== undefined || hasLogInside(config))
    instance.push(of('rows of the truth topic', million, 'rows', million * topicRowBytes));
  if (snapshots.scores !== 'none')
    instance.push(of('score rows', limits.score_rows, 'rows', limits.score_rows * scoreRowBytes));
  const partition = partitionMemory(settingsOf(config, undefined));
  const shownBytes = bytesIn(partition.filter(({ name }) => !notShown.includes(name)));
  return { partition, instance, shownBytes, inThreads: run.threads !== 1 };
}

/** An estimate as a table for people. */
export function memoryTable({ partition, instance, shownBytes, inThreads }: MemoryEstimate): string {
  const rows = [...partition, ...instance].map(rowOf);
  const sums = [
    [
      'copy for web page and metrics',
      'without ids, pending predictions and groups that are open',
      bytesText(shownBytes),
    ],
    ['in all, a partition', '', bytesText(bytesIn(partition) + shownBytes)],
  ];
  rows.splice(partition.length, 0, ...sums);
  const lines = textTable(rows, { left: [1] })
    .split('\n')
    .map((line) => `  ${line}`);
  return [
    'memory at the limits, for each partition that an instance holds (it fills with traffic):',
    ...lines.slice(0, partition.length + sums.length),
    'and once, besides the program and the truth files (these and their index twice while a new version is loaded):',
    ...lines.slice(partition.length + sums.length),
    ...(inThreads ? [threaded] : []),
    `assumed: every slice has traffic in every pane, a pending prediction has ${count(pendingCharacters)} characters, a step of a run ${count(stepCharacters)}`,
  ].join('\n');
}

function of(name: string, count: number, what: string, bytes: number): MemoryPart {
  return { name, factors: [{ count, of: what }], bytes };
}

const threaded = 'with run.threads each thread takes this once';

/** Parts of a state that views do not read. */
const notShown = ['ids remembered', 'pending predictions', 'groups of runs', 'verdicts of judges'];

function bytesIn(parts: readonly MemoryPart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** How much truth there is no limit says. */
const million = 1_000_000;

/** Measured with texts of 250 characters. */
const topicRowBytes = 700;

/** Measured with the rows of replayed traffic: 600 bytes in columns, up to 1,000 with longer texts. */
const scoreRowBytes = 1_000;

function rowOf({ name, factors, bytes }: MemoryPart): string[] {
  const each = bytes / factors.reduce((product, factor) => product * factor.count, 1);
  const product = factors.map((factor) => `${count(factor.count)} ${factor.of}`).join(' x ');
  return [name, `${product} x ${count(Math.round(each))} bytes`, bytesText(bytes)];
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function bytesText(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1_000;
  let unit = 0;
  for (; value >= 1_000 && unit < units.length - 1; unit++) value /= 1_000;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
