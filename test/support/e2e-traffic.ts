import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import type { TestRecord } from './kafka.ts';

/** Generated traffic, as records for a topic and as files for `replay`. */
export interface TestTraffic {
  readonly records: readonly (TestRecord & { readonly key: string; readonly value: string })[];
  /** NDJSON of the same values, in the same order. */
  readonly events: string;
  /** NDJSON truth: of all examples, and without those whose truth is late. */
  readonly truth: string;
  readonly earlyTruth: string;
}

/** Event time between two predictions. */
const stepMs = 10;
const lateShare = 10;

/** `count` predictions with duplicates, malformed records and examples whose truth is late, written into a folder. */
export function testTraffic(folder: string, count: number, seed = 11): TestTraffic {
  const traffic = createTraffic({ seed, examples: 2_000, runs: 5, duplicates: 0.02, malformed: 0.01 });
  const startMs = Date.now() - count * stepMs - 60_000;
  const records: (TestRecord & { key: string; value: string })[] = [];
  for (let number = 0; records.length < count; number++) {
    const timestamp = startMs + number * stepMs;
    for (const record of traffic.next(timestamp, undefined)) records.push({ ...record, timestamp });
  }
  const truth = traffic.examples.map(({ record }) => JSON.stringify(record));
  const written = (name: string, lines: readonly string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  return {
    records,
    events: written(
      'events.ndjson',
      records.map(({ value }) => value),
    ),
    truth: written('truth.ndjson', truth),
    earlyTruth: written(
      'early-truth.ndjson',
      truth.filter((_, index) => index % lateShare !== 0),
    ),
  };
}
