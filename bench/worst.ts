import { allFamilies, type WorstEvent, worstCost, worstEvents, worstFamilies } from '../test/support/worst-events.ts';

/**
 * CPU of one event of as many bytes or values as it may have, whose truth row, as large, was not read before, with one family enabled or all: shapes by
 * families, in ms. What it takes to read both is in every figure, and nearly all of the figure of `decision`.
 */
const rounds = 5;

const shapes = worstEvents('decision').map(({ name }) => name);
const families = [...worstFamilies, allFamilies];
const columns = families.map((family) => costs(worstEvents(family), family));
const lines = [
  ['', ...families],
  ...shapes.map((shape) => [shape, ...columns.map((column) => column.get(shape) ?? '')]),
];
process.stdout.write('Worst: decode + join + score of one event at the limits, ms of CPU, the least of 5 rounds\n');
for (const [shape, ...cells] of lines)
  process.stdout.write(`${shape!.padEnd(40)}${cells.map((cell) => cell.padStart(12)).join('')}\n`);

function costs(events: readonly WorstEvent[], family: string): Map<string, string> {
  return new Map(events.map((event) => [event.name, least(worstCost(family, event)).toFixed(1)]));
}

/** The least: other work on the machine adds to CPU time, too. */
function least(cost: () => number): number {
  return Math.min(...Array.from({ length: rounds }, cost));
}
