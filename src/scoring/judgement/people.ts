import { type Counted, predictionPowered, type Stratum } from '../../statistics/prediction-powered.ts';
import { type BreakdownEntry, count, estimate, type Metrics } from '../metric.ts';
import { type Estimate, wilson } from '../reading.ts';
import { type JudgementSums, rulesVerdicts } from './sums.ts';

/** Events that people must have judged for an interval: of fewer it did not hold in 93 to 97 % of simulated runs. */
export const leastByPeople = 100;

/**
 * Share of all traffic that people call right, by the model whose verdicts help (docs/reference/scoring.md, "judge"). Its columns: events of
 * all traffic, then seven numbers for each stratum. Strata are the events that the rules call right and wrong; where they have a verdict on none,
 * all events. Undefined where no pairs are kept, as in windows; a model is left out whose events, or those of people, within a stratum had several chances.
 */
export function peopleByModel({ traffic, pairs, verdicts = [] }: JudgementSums): readonly BreakdownEntry[] | undefined {
  const models = new Set(pairs?.flatMap(modelOf));
  const shares = sharesOf(traffic).filter(({ share }) => share > 0);
  return (
    pairs &&
    [...models].sort().flatMap((key) => {
      const both = pairs.filter((pair) => modelOf(pair)[0] === key);
      const people = new Set(both.flatMap(({ key: first, subkey }) => [first, subkey]).filter(isPerson));
      const strata = shares.map(({ verdict, share }): Stratum | undefined => {
        const judged = verdicts.filter(({ columns }) => columns[2 * verdict]! + columns[2 * verdict + 1]! > 0);
        const ofModel = judged.filter((entry) => entry.key === key);
        const ofPeople = judged.filter((entry) => people.has(entry.key));
        if (!hasOneChance(ofPeople, ofModel)) return undefined;
        return { share, judge: judgeOf(ofModel, verdict), ...countsOf(both, key, verdict) };
      });
      return strata.includes(undefined)
        ? []
        : [entryOf(key, traffic?.n || Number.POSITIVE_INFINITY, strata as Stratum[])];
    })
  );
}

/** The metrics of an entry of `peopleByModel`. */
export const peopleMetrics = {
  n: count({ title: 'Judged by people', help: 'Events that a person and the model judged.', of: judgedByPeople }),
  missing: count({
    title: 'Too few judged',
    help: `Events that people have yet to judge for an interval, of ${leastByPeople}.`,
    of: (entry) => Math.max(0, leastByPeople - judgedByPeople(entry)),
  }),
  alone: estimate({
    title: 'Right by people alone',
    help: 'Share of all traffic that people call right, by their verdicts and those of the rules.',
    better: 'higher',
    of: (entry, z) => estimateOf(entry, strataOf(entry).map(withoutJudge), z),
  }),
  right: estimate({
    title: 'Right by people',
    help: 'The same by the verdicts of the model on further events too.',
    better: 'higher',
    of: (entry, z) => estimateOf(entry, strataOf(entry), z),
  }),
} satisfies Metrics<BreakdownEntry>;

function isPerson(by: string): boolean {
  return by.startsWith('human:');
}

/** The model of a pair of a model and a person; none of another pair. */
function modelOf({ key, subkey }: BreakdownEntry): readonly string[] {
  if (isPerson(key) === isPerson(subkey)) return [];
  return [isPerson(key) ? subkey : key];
}

/** The verdicts of the rules, by index, with their shares of all traffic. */
function sharesOf(traffic: JudgementSums['traffic']): readonly { readonly verdict: number; readonly share: number }[] {
  if (traffic === undefined || traffic.n === 0) return [{ verdict: rulesVerdicts.indexOf('other'), share: 1 }];
  const right = traffic.right / traffic.n;
  return [
    { verdict: rulesVerdicts.indexOf('right'), share: right },
    { verdict: rulesVerdicts.indexOf('wrong'), share: 1 - right },
  ];
}

/** Events with a verdict of the rules that people and the model judged, by whether the model passes them. */
function countsOf(
  pairs: readonly BreakdownEntry[],
  model: string,
  verdict: number,
): Pick<Stratum, 'passed' | 'failed'> {
  let [passed, failed]: Counted[] = [noEvents, noEvents];
  for (const { key, columns } of pairs) {
    const [both = 0, first = 0, second = 0, neither = 0] = columns.slice(4 * verdict);
    const [byModel, byPerson] = key === model ? [first, second] : [second, first];
    passed = added(passed!, { n: both + byModel, right: both });
    failed = added(failed!, { n: byPerson + neither, right: byPerson });
  }
  return { passed: passed!, failed: failed! };
}

const noEvents: Counted = { n: 0, right: 0 };

function added(a: Counted, b: Counted): Counted {
  return { n: a.n + b.n, right: a.right + b.right };
}

/** Share that the model passes, of events that were chosen with the chances of their entries (Hájek 1971), and of how many it is known (Kish 1965). */
function judgeOf(entries: readonly BreakdownEntry[], verdict: number): Stratum['judge'] {
  let [pass, w, ww] = [0, 0, 0];
  for (const { subkey, columns } of entries) {
    const weight = 1 / Number(subkey);
    const [passes, fails] = [columns[2 * verdict]!, columns[2 * verdict + 1]!];
    pass += weight * passes;
    w += weight * (passes + fails);
    ww += weight ** 2 * (passes + fails);
  }
  return { passes: w === 0 ? 0 : pass / w, n: ww === 0 ? 0 : w ** 2 / ww };
}

/** Returns whether all events had one chance to be judged by a person and the model. Both choose by the same hash, so that is the lesser of the two. */
function hasOneChance(people: readonly BreakdownEntry[], model: readonly BreakdownEntry[]): boolean {
  const both = people.flatMap((one) => model.map((other) => Math.min(Number(one.subkey), Number(other.subkey))));
  return !both.some(Number.isNaN) && new Set(both).size <= 1;
}

const columnsEach = 7;
type Columns = [number, number, number, number, number, number, number];

function entryOf(key: string, traffic: number, strata: readonly Stratum[]): BreakdownEntry {
  const columns = strata.flatMap(({ share, judge, passed, failed }) => [
    ...[share, judge.passes, judge.n],
    ...[passed.n, passed.right, failed.n, failed.right],
  ]);
  return { key, subkey: '', columns: [traffic, ...columns] };
}

function strataOf({ columns }: BreakdownEntry): readonly Stratum[] {
  const strata: Stratum[] = [];
  for (let at = 1; at < columns.length; at += columnsEach) {
    const [share, passes, n, ...counts] = columns.slice(at, at + columnsEach) as Columns;
    const [passed, right, failed, rightToo] = counts;
    strata.push({ share, judge: { passes, n }, passed: { n: passed, right }, failed: { n: failed, right: rightToo } });
  }
  return strata;
}

function judgedByPeople(entry: BreakdownEntry): number {
  return strataOf(entry).reduce((sum, { passed, failed }) => sum + passed.n + failed.n, 0);
}

function withoutJudge({ share, judge: { n }, passed, failed }: Stratum): Stratum {
  return { share, judge: { passes: 1, n }, passed: added(passed, failed), failed: noEvents };
}

function estimateOf(entry: BreakdownEntry, strata: readonly Stratum[], z: number): Estimate {
  const found = predictionPowered(strata, entry.columns[0]!);
  if (found === undefined) return { value: null, lower: null, upper: null };
  const { value, worth } = found;
  if (judgedByPeople(entry) < leastByPeople) return { value, lower: null, upper: null };
  const [lower, upper] = wilson(value * worth, worth, z);
  return { value, lower: Math.min(lower, value), upper: Math.max(upper, value) };
}
