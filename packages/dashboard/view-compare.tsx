import { render, type VNode } from 'preact';
import type {
  ComparedCandidate,
  ComparisonDocument,
  NamedSide,
} from '../../src/formats/summary/comparison-document.ts';
import { headlines } from '../../src/formats/summary/live-group.ts';
import type { Change } from '../../src/view/compare.ts';
import type { Flip } from '../../src/view/flips.ts';
import { count, percent, plural } from './format.ts';
import { Name, Row, Scroll, Section, Table } from './parts.tsx';

/** The page of a comparison in an element; its colours follow the screen, on paper it is light. */
export function createComparison(root: Element, document: ComparisonDocument): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const setTheme = (theme: 'light' | 'dark'): void => {
    root.ownerDocument.documentElement.dataset['theme'] = theme;
  };
  const ofScreen = (): void => setTheme(dark.matches ? 'dark' : 'light');
  ofScreen();
  dark.addEventListener('change', ofScreen);
  addEventListener('beforeprint', () => setTheme('light'));
  addEventListener('afterprint', ofScreen);
  render(<ComparisonView {...document} />, root);
}

function ComparisonView({ version, reference, candidates }: ComparisonDocument): VNode {
  return (
    <>
      <header class="top row">
        <h1>Assay comparison</h1>
        <p class="status quiet">Assay {version}</p>
      </header>
      <main>
        {candidates.map((candidate) => (
          <CandidateView key={nameOf(candidate)} reference={reference} candidate={candidate} />
        ))}
      </main>
      <footer class="note">
        <p>
          B - A with its 95 % interval, in points. A change is called better or worse where chance does not explain it:
          by the exact McNemar test for rates of the same examples, else where the interval holds no 0. Of twenty
          metrics that did not change, one is called so all the same.
        </p>
      </footer>
    </>
  );
}

interface CandidateProps {
  readonly reference: NamedSide;
  readonly candidate: ComparedCandidate;
}

function CandidateView({ reference, candidate }: CandidateProps): VNode {
  const { metrics, paired, repeated, left_out: leftOut, flips } = candidate;
  const tuning = metrics.filter(({ needs_tuning }) => needs_tuning === true);
  const note = paired === null ? 'compared as two samples' : `in ${plural(paired, 'pair')} of the same examples`;
  return (
    <Section name="comparison" title={<Name text={nameOf(candidate)} />} note={note}>
      <p>
        A is <Name text={nameOf(reference)} />, B is <Name text={nameOf(candidate)} />.
      </p>
      <Scroll label="Table: every metric">
        <Table
          caption="Every metric"
          isCaptionHidden
          titles={['Metric', 'A', 'B', 'B - A', '95 % interval', 'Change', '']}
        >
          {metrics.map((change) => metricRow(change, reachOf(metrics)))}
        </Table>
      </Scroll>
      {tuning.length > 0 && (
        <p>B is behind A by more than 15 points, and needs tuning: {tuning.map(titleOf).join(', ')}.</p>
      )}
      {leftOut.length > 0 && (
        <p class="quiet">Not compared, for want of a value on both sides: {leftOut.join(', ')}.</p>
      )}
      {repeated && <p class="quiet">Some examples were scored several times: intervals are too narrow.</p>}
      {flips !== null && <FlipsView {...flips} />}
    </Section>
  );
}

function nameOf({ file, slice }: NamedSide): string {
  return [file, ...Object.values(slice)].join(' · ');
}

const byPath = new Map(headlines.map((headline) => [headline.path, headline]));

function titleOf({ metric }: Change): string {
  return byPath.get(metric)?.title ?? metric;
}

function metricRow(change: Change, reach: number): VNode {
  const { metric, better, a, b, n_a: nA, n_b: nB, difference, lower, upper } = change;
  const points = (number: number): string => (100 * number).toFixed(1);
  const counts = nA === null || nB === null ? '' : `, ${count(nA)} and ${count(nB)} events`;
  return (
    <Row
      key={metric}
      head={titleOf(change)}
      under={`${metric}${better === 'lower' ? ', less is better' : ''}${counts}`}
    >
      <td class="number">{percent(a)}</td>
      <td class="number">{percent(b)}</td>
      <td class="number">{difference === null ? '–' : `${difference > 0 ? '+' : ''}${points(difference)}`}</td>
      <td class="number">{lower === null || upper === null ? 'none' : `${points(lower)} to ${points(upper)}`}</td>
      <td class={change.change === 'worse' ? 'is-alarm' : undefined}>
        {change.change === null ? '–' : <strong>{change.change}</strong>}
      </td>
      <td>{intervalPicture(change, reach)}</td>
    </Row>
  );
}

/** Half of the picture's width, and what is left beside a point at its end. */
const half = 80;
const margin = 4;
/** Intervals of large samples are not drawn wider than this reach lets them look. */
const leastReach = 0.05;

/** The reach of the pictures of some changes: none is cut, and they can be compared. */
function reachOf(changes: readonly Change[]): number {
  return Math.max(leastReach, ...changes.flatMap(({ lower, upper }) => [Math.abs(lower ?? 0), Math.abs(upper ?? 0)]));
}

/** The interval on a line with 0 in the middle. */
function intervalPicture({ difference, lower, upper, change, metric }: Change, reach: number): VNode | null {
  if (difference === null || lower === null || upper === null) return null;
  const x = (number: number): number => half + ((half - margin) * number) / reach;
  return (
    <svg class={change === 'worse' ? 'interval is-alarm' : 'interval'} width={2 * half} height="16" role="img">
      <title>{`${metric}: from ${(100 * lower).toFixed(1)} to ${(100 * upper).toFixed(1)} points`}</title>
      <line class="zero" x1={half} x2={half} y1="0" y2="16" />
      <line x1={x(lower)} x2={x(upper)} y1="8" y2="8" />
      <circle cx={x(difference)} cy="8" r="4" />
    </svg>
  );
}

function FlipsView({ total, worst }: NonNullable<ComparedCandidate['flips']>): VNode {
  if (total === 0) return <p>No example changed.</p>;
  const note = `${plural(total, 'prediction')}, the worst first${worst.length < total ? `; ${count(worst.length)} shown` : ''}`;
  return (
    <Section level={3} name="flips" title="Changed" note={note}>
      <Table caption="Changed examples" isCaptionHidden>
        {worst.map(flipRow)}
      </Table>
    </Section>
  );
}

function flipRow({ example_id: id, run, worse, better }: Flip): VNode {
  const titles = (paths: readonly string[]): string => paths.map((path) => byPath.get(path)?.title ?? path).join(', ');
  return (
    <Row key={`${id} ${run}`} head={<Name text={id} />} under={run === null ? undefined : `run ${run}`}>
      <td>
        {worse.length > 0 && <p class="is-alarm">Worse: {titles(worse)}</p>}
        {better.length > 0 && <p>Better: {titles(better)}</p>}
      </td>
    </Row>
  );
}
