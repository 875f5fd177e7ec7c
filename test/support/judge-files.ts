import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from './temporary-folder.ts';

/** `assay judge` on the files of `judgeFiles`. */
export const judgeCommand: readonly string[] =
  'judge --truth truth.ndjson --events events.ndjson -o out.ndjson -c assay.yaml'.split(' ');

/** A folder with truth and events, of which two thirds are right by the rules; `more` says what else an event has. */
export function judgeFiles(
  context: TestContext,
  examples: number,
  args: object = {},
  more: (index: number) => object = () => ({}),
): string {
  const folder = temporaryFolder(context);
  const lines = (of: (index: number) => object): string =>
    Array.from({ length: examples }, (_, index) => `${JSON.stringify(of(index))}\n`).join('');
  const call = (city: string) => ({ name: 'book', arguments: { city, ...args } });
  writeFileSync(
    join(folder, 'truth.ndjson'),
    lines((i) => ({ example_id: `e${i}`, expected_tool_calls: [call(`city ${i}`)] })),
  );
  writeFileSync(
    join(folder, 'events.ndjson'),
    lines((i) => ({
      ...{ example_id: `e${i}`, event_id: `p${i}`, model: 'm', ts: 1_780_000_000_000 + 1000 * i },
      tool_calls: [call(i % 3 === 0 ? `town ${i}` : `city ${i}`)],
      ...more(i),
    })),
  );
  return folder;
}

/** The judgements that were written, whole lines only. */
export function judgementsIn<Judgement>(folder: string): Judgement[] {
  return readFileSync(join(folder, 'out.ndjson'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Judgement);
}
