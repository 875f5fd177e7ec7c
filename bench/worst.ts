import {
  allFamilies,
  type WorstEvent,
  worstEvents,
  worstFamilies,
  worstRefusal,
  worstRefusals,
  worstScore,
} from '../test/support/worst-events.ts';
import { cpuMs } from './measure.ts';
import { matchRuns, patternRuns } from './worst-match.ts';

/**
 * CPU of one event of as many bytes or values as it may have, whose truth row, as large, was not read before, with one family enabled or all: shapes by
 * families, in ms. Reading both is in every figure, and nearly all of the figure of `decision`. Then: events that are refused, pairings of 256 calls, and
 * patterns that backtrack elsewhere. An event should take at most 50 ms.
 */
const rounds = 5;
const width = 60;

const shapes = worstEvents('decision').map(({ name }) => name);
const families = [...worstFamilies, allFamilies];
const columns = families.map((family) => costs(worstEvents(family), family));
print('Worst: decode + join + score of one event at the limits, ms of CPU, the least of 5 rounds', [
  ['', ...families],
  ...shapes.map((shape) => [shape, ...columns.map((column) => column.get(shape) ?? '')]),
]);
print(
  'Worst: a record whose events are refused, with the details',
  worstRefusals().map(([name, text]) => [name, least((run) => void worstRefusal(text, run))]),
);
print(
  'Worst: family match',
  matchRuns.map(([name, work]) => [name, least((run) => run(work))]),
);
print(
  'Worst: patterns on 100 kB of text, the dearest ten',
  patternRuns
    .map(([name, work]): [string, string] => [name, least((run) => run(work))])
    .sort(([, one], [, other]) => Number(other) - Number(one))
    .slice(0, 10),
);

function costs(events: readonly WorstEvent[], family: string): Map<string, string> {
  return new Map(events.map((event) => [event.name, least((run) => worstScore(family, event, run))]));
}

/** Returns the least ms of CPU of what `work` gives to `run`: other work on the machine adds to CPU time, too. */
function least(work: (run: (measured: () => void) => void) => void): string {
  let ms = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) work((measured) => (ms = Math.min(ms, cpuMs(measured))));
  return ms.toFixed(1);
}

function print(title: string, lines: readonly (readonly string[])[]): void {
  process.stdout.write(`${title}\n`);
  for (const [name, ...cells] of lines)
    process.stdout.write(`${name!.padEnd(width)}${cells.map((cell) => cell.padStart(12)).join('')}\n`);
}
