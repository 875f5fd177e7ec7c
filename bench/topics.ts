import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTraffic } from '../src/commands/demo/traffic.ts';
import { buildTruthTable } from '../src/formats/truth/builder.ts';
import { type BenchKafka, type FilledTopic, fillTopic } from './consumers.ts';
import { benchEvent } from './events.ts';
import { uniqueTraffic } from './unique-traffic.ts';

/** Event time between two messages. */
const apartMs = 10;
const linesAtOnce = 1_000;

/** Events of 0.9 KB about 2,000 examples, whose contents repeat. Some records are malformed, and some come twice. */
export async function repeatingTopic({ kafka, folder }: BenchKafka, messages: number): Promise<FilledTopic> {
  const traffic = createTraffic({ seed: 11, examples: 2_000, runs: 5, duplicates: 0.005, malformed: 0.002 });
  const name = await fillTopic(kafka, messages, (made) =>
    traffic
      .next(Date.now() - apartMs * (messages - made), undefined)
      .map(({ key, value }, at) => ({ key, value: benchEvent(value, made + at) })),
  );
  const truth = writeLines(
    join(folder, 'truth.ndjson'),
    traffic.examples.map(({ record }) => record),
  );
  return { name, messages, truth };
}

/** Events of 0.9 KB of which each has an example and a content of its own; the truth as `truth build` writes it, and as lines. */
export async function uniqueTopic(
  { kafka, folder }: BenchKafka,
  messages: number,
): Promise<FilledTopic & { readonly lines: string }> {
  const traffic = uniqueTraffic(19, messages);
  const name = await fillTopic(kafka, messages, (made) => [traffic.next(Date.now() - apartMs * (messages - made))]);
  const truth = join(folder, 'unique.arrow');
  writeFileSync(truth, buildTruthTable(traffic.truth()));
  return { name, messages, truth, lines: writeLines(join(folder, 'unique.ndjson'), traffic.truth()) };
}

/** Writes rows as NDJSON and returns the path. */
export function writeLines(path: string, rows: Iterable<object>): string {
  writeFileSync(path, '');
  const lines: string[] = [];
  for (const row of rows) {
    lines.push(`${JSON.stringify(row)}\n`);
    if (lines.length === linesAtOnce) appendFileSync(path, lines.splice(0).join(''));
  }
  appendFileSync(path, lines.join(''));
  return path;
}
