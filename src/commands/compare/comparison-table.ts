import type { ComparedCandidate, ComparisonDocument, NamedSide } from '../../formats/summary/comparison-document.ts';
import { headlinesOf } from '../../scoring/families.ts';
import type { Change } from '../../view/compare.ts';
import type { Flip } from '../../view/flips.ts';
import { columns, cut, printable } from '../../terminal/terminal-text.ts';
import { textTable } from '../../terminal/text-table.ts';

/** Changed events that a terminal shows. */
const flipsShown = 10;

/** A comparison as a text for people: one table for each candidate, and lines of a width, which a pipe has none of. */
export function comparisonTable({ reference, candidates }: ComparisonDocument, width: number): string {
  return candidates.map((candidate) => candidateTable(reference, candidate, width)).join('\n\n');
}

function candidateTable(reference: NamedSide, candidate: ComparedCandidate, width: number): string {
  const { metrics, paired, repeated, left_out: leftOut, flips } = candidate;
  return [
    `A  ${sideText(reference, width)}`,
    `B  ${sideText(candidate, width)}`,
    paired === null ? 'compared as two samples' : `${paired} predictions of the same examples, compared in pairs`,
    '',
    ...metricLines(metrics),
    '',
    ...wrapped(
      'needs tuning (B behind A by more than 15 points): ',
      metrics.filter((one) => one.needs_tuning === true).map(({ metric }) => metric),
      width,
    ),
    ...wrapped('not compared, for want of a value on both sides: ', leftOut, width),
    ...(repeated ? ['some examples were scored several times: intervals are too narrow'] : []),
    ...(flips === null ? [] : flipLines(flips.total, flips.worst, width)),
  ]
    .join('\n')
    .trimEnd();
}

function sideText({ file, slice }: NamedSide, width: number): string {
  const values = Object.entries(slice).map(([dimension, value]) => ` ${dimension}=${value}`);
  return cut(printable(`${file}${values.join('')}`), width - 3);
}

function metricLines(metrics: readonly Change[]): string[] {
  const rows = metrics.map((metric) => [`${metric.metric} ${arrowOf(metric)}`, ...cellsOf(metric)]);
  const table = textTable([['', 'A', 'B', 'B - A', '95 % interval', ''], ...rows], { gap: ' ', left: [5] });
  return table.split('\n');
}

/** The direction in which a metric is better, as an arrow. */
export function arrowOf({ better }: Change): string {
  return better === 'higher' ? '↑' : better === 'lower' ? '↓' : ' ';
}

const shares: ReadonlySet<string> = new Set(
  headlinesOf()
    .filter(({ form }) => form === 'share')
    .map(({ path }) => path),
);

/** A change as cells: both values, their difference, its interval, and what became of the metric. */
export function cellsOf({ metric, a, b, difference, lower, upper, change }: Change): string[] {
  const isShare = shares.has(metric);
  const value = (number: number | null): string =>
    number === null ? '–' : isShare ? `${(100 * number).toFixed(1)} %` : number.toFixed(3);
  const points = (number: number): string => (isShare ? (100 * number).toFixed(1) : number.toFixed(3));
  return [
    value(a),
    value(b),
    difference === null ? '–' : signed(points(difference)),
    change === 'same' ? '' : lower === null || upper === null ? 'none' : `[${points(lower)}, ${points(upper)}]`,
    change ?? '–',
  ];
}

/** -0.0 is 0.0; what rises has its sign. */
function signed(text: string): string {
  if (Number(text) === 0) return text.replace('-', '');
  return text.startsWith('-') ? text : `+${text}`;
}

function flipLines(total: number, worst: readonly Flip[], width: number): string[] {
  if (total === 0) return ['no example changed'];
  const shown = worst.slice(0, flipsShown);
  const of = total > shown.length ? ` (${shown.length} of ${total}; all with -o FILE.json or FILE.html)` : '';
  return ['', `changed, the worst first${of}:`, ...shown.map((flip) => flipLine(flip, width))];
}

function flipLine({ example_id, run, worse, better }: Flip, width: number): string {
  const changes = [worse, better].flatMap((paths, at) =>
    paths.length === 0 ? [] : [`${at === 0 ? 'worse' : 'better'} ${paths.join(', ')}`],
  );
  const name = `${cut(printable(example_id), Math.max(30, width - columns))}${run === null ? '' : ` run ${run}`}`;
  return cut(`  ${name}  ${changes.join('; ')}`, width);
}

function wrapped(title: string, words: readonly string[], width: number): string[] {
  if (words.length === 0) return [];
  const lines = [title];
  words.forEach((word, at) => {
    const text = at === words.length - 1 ? word : `${word}, `;
    if (lines.at(-1)!.length + text.trimEnd().length > width) lines.push('  ');
    lines[lines.length - 1] += text;
  });
  return lines.map((line) => line.trimEnd());
}
