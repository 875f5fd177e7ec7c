import { loadConfig } from '../src/config/load.ts';
import { createTraffic } from '../src/commands/demo/traffic.ts';
import { truthFromRecords } from '../src/formats/truth/table.ts';
import type { Family } from '../src/scoring/family.ts';
import { match } from '../src/scoring/match/index.ts';
import type { Call } from '../src/scoring/prediction.ts';
import { toolCalls } from '../src/scoring/tool-calls.ts';
import type { ExpectedCall } from '../src/scoring/truth.ts';
import type { LogRecord } from '../src/stream/event.ts';
import { activeTruth } from '../src/stream/truth-cache.ts';
import { joined } from '../test/support/joined.ts';
import { matchDefaults } from '../test/support/match.ts';
import { benchEvent } from './events.ts';
import { folds } from './fold.ts';
import { type Case, interleaved, table } from './measure.ts';

/**
 * What family `match` costs: of an event without rules whose calls are those expected, beside the other families; and of the calls of one event,
 * beside `tool_calls`.
 */

const events = 20_000;
const traffic = createTraffic({ seed: 3, examples: 2_000, runs: 5, duplicates: 0, malformed: 0 });
const truthOf = new Map(traffic.examples.map(({ record }) => [record.example_id, record.expected_tool_calls]));
const truth = truthFromRecords(traffic.examples.map(({ record }) => record));
const records = Array.from({ length: events }, (_, number) => equalEvent(number));

process.stdout.write(
  `${table(
    'Match: decode + join + score of a 0.9 KB event whose calls are those expected',
    interleaved(
      [
        { name: 'all families but match', run: folder(false) },
        { name: 'all families', run: folder(true) },
      ],
      events,
      15,
    ),
    'all families but match',
  )}\n`,
);

for (const [count, units] of [
  [10, 400],
  [256, 2],
] as const)
  for (const [what, change] of Object.entries(changes()))
    process.stdout.write(`${callsTable(count, units, what, change)}\n`);

/** As in the traffic, but for its calls. */
function equalEvent(number: number): LogRecord {
  const { value } = traffic.next(1.75e12 + 10 * number, undefined)[0]!;
  const event = JSON.parse(value) as { readonly example_id: string };
  const equal = { ...event, tool_calls: truthOf.get(event.example_id) ?? [] };
  const bytes = Buffer.from(benchEvent(JSON.stringify(equal), number));
  return { bytes, start: 0, end: bytes.length, offset: number, timestamp: 1.75e12 + 10 * number };
}

function folder(enabled: boolean): () => void {
  const { config } = loadConfig({ flags: [{ path: ['metrics', 'match', 'enabled'], value: enabled, place: 'bench' }] });
  return folds(config, records, truth, activeTruth);
}

/** What an agent made of the expected calls. */
function changes(): Readonly<Record<string, (calls: readonly ExpectedCall[]) => readonly Call[]>> {
  const other = ({ name, arguments: given }: ExpectedCall): Call => ({ name, arguments: { ...given, city: 'Rome' } });
  return {
    equal: (calls) => calls,
    'in another order': (calls) => [...calls].reverse(),
    'one wrong': ([first, ...rest]) => [other(first!), ...rest],
    'all wrong': (calls) => calls.map(other),
    'all of another tool': (calls) => calls.map((call) => ({ ...call, name: 'other' })),
  };
}

function callsTable(
  count: number,
  units: number,
  what: string,
  change: (calls: readonly ExpectedCall[]) => readonly Call[],
): string {
  const expected = Array.from({ length: count }, (_, i) => ({
    name: ['book', 'find', 'cancel'][i % 3]!,
    arguments: { city: `city ${i}`, days: i, guests: [i, i + 1], options: { late: true, note: `n${i % 4}` } },
  }));
  // As a reader gives them: nothing is shared with the truth.
  const calls = (): readonly Call[] => JSON.parse(JSON.stringify(change(expected)));
  const runOf = <P, O, S>(name: string, family: Family<P, O, S>): Case => {
    const prepared = family.prepare(joined({}, { expected }).truth)!;
    const given = Array.from({ length: units }, calls);
    return {
      name,
      run: () => given.forEach((one) => void family.score(joined({ calls: one }, { expected }), prepared)),
    };
  };
  const cases = [
    runOf('tool_calls', toolCalls({ mode: 'spec', threshold: 0.5 })),
    runOf('match', match({ ...matchDefaults, defaults: false })),
  ];
  return table(`Match: score of ${count} calls, ${what}`, interleaved(cases, units, 21), 'tool_calls');
}
