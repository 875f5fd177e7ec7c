import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { createTraffic } from '../src/commands/demo/traffic.ts';
import { builds } from './builds.ts';
import { benchEvent } from './events.ts';
import { allFamilies, type Traffic } from './fold.ts';
import { type Case, interleaved, table } from './measure.ts';
import { uniqueTraffic } from './unique-traffic.ts';

/**
 * CPU of decode + join + score of one event of 0.9 KB, as a multiple of JSON.parse of the same bytes, side by side in one process. Unique
 * traffic is what production looks like. BENCH_PROGRAM=/path/to/dist measures another build in turn, by its bench/fold.js.
 */
type Folds = typeof import('./fold.ts');

const events = 20_000;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15);
const startMs = 1.75e12;
const programs = await Promise.all(
  builds.map(async ({ suffix, dist }) => {
    const folds = (await import(pathToFileURL(join(dist, 'bench', 'fold.js')).href)) as Folds;
    return { suffix, ...folds };
  }),
);

const unique = uniqueEvents();
report('each example and content once', unique, [
  ...programs.flatMap((program) => [
    { name: `decode${program.suffix}`, run: program.decodeTraffic(unique) },
    ...folded(program, unique),
  ]),
  ...allFamilies.slice(1).map((family) => ({
    name: `decision + ${family}`,
    run: programs[0]!.foldTraffic(unique, ['decision', family]),
  })),
]);
const repeated = repeatedEvents();
report(
  'contents repeat, 2,000 examples',
  repeated,
  programs.flatMap((program) => folded(program, repeated)),
);

function folded({ suffix, foldTraffic }: Folds & { suffix: string }, traffic: Traffic): Case[] {
  return [
    { name: `decision${suffix}`, run: foldTraffic(traffic, ['decision']) },
    { name: `all families${suffix}`, run: foldTraffic(traffic, allFamilies) },
  ];
}

function report(title: string, { values }: Traffic, cases: readonly Case[]): void {
  const parse = (): void => {
    for (const value of values) JSON.parse(value.toString());
  };
  const measured = interleaved([{ name: 'JSON.parse', run: parse }, ...cases], events, rounds);
  const heading = `Core: decode + join + score of a 0.9 KB event, ${title}`;
  process.stdout.write(`${table(heading, measured, 'JSON.parse')}\n`);
}

function uniqueEvents(): Traffic {
  const traffic = uniqueTraffic(3, events);
  const values = Array.from({ length: events }, (_, at) => Buffer.from(traffic.next(startMs + 10 * at).value));
  return { values, truth: [...traffic.truth()], repeats: false };
}

function repeatedEvents(): Traffic {
  const traffic = createTraffic({ seed: 3, examples: 2_000, runs: 5, duplicates: 0, malformed: 0 });
  const values = Array.from({ length: events }, (_, number) =>
    Buffer.from(benchEvent(traffic.next(startMs + 10 * number, undefined)[0]!.value, number)),
  );
  return { values, truth: traffic.examples.map(({ record }) => record), repeats: true };
}
