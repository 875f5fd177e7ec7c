import type { SummaryDocument } from '../../formats/summary/summary-document.ts';
import { type WrongEvent, wrongArguments } from '../../formats/summary/wrong-arguments.ts';
import { compareSides, headlinePaths, type Side } from '../../view/compare.ts';
import { findGroup, isProblem, parseSlice, readMetric, type Slice, sliceText } from '../../view/summary-lookup.ts';
import type { KnownEvent, KnownEvents, Source } from './source.ts';

/** Characters of an answer: an agent reads it whole. */
export const answerCharacters = 24_000;

/** Items of each list of an answer, from the most that are shown to the fewest that are tried where they are too long. */
const listLengths = [20, 10, 5, 2, 1];

/** Coverage, counts of records, oddities of the input, and headline metrics by group. */
export async function summaryAnswer(source: Source, by: string, window: string): Promise<string> {
  const document = await source.summary(by, window);
  const dimensions = by.split(',').filter(Boolean).sort().join();
  const groups = document.groups.filter(
    (group) => group.window === window && Object.keys(group.slice).sort().join() === dimensions,
  );
  const { as_of, coverage, records, input } = document as SummaryDocument & { readonly as_of: unknown };
  const odd = input.map(({ what, count, remedy }) => ({ what, count, remedy }));
  return fitted((most) => ({
    ...{ as_of, coverage, records, input: odd.slice(0, most) },
    groups: groups.slice(0, most).map((group) => ({ slice: group.slice, window, metrics: headlinesOf(group) })),
    more_groups: Math.max(0, groups.length - most),
  }));
}

/** Incidents, the newest first. */
export async function incidentsAnswer(source: Source): Promise<string> {
  const { as_of, incidents } = await source.incidents();
  const newest = incidents.toReversed();
  return fitted((most) => ({
    as_of,
    incidents: newest.slice(0, most).map(({ rates, due_to, also, ...incident }) => ({
      ...incident,
      rates: rates.slice(0, most),
      due_to: due_to.slice(0, most),
      also: also.slice(0, most).map(({ slice }) => slice),
    })),
    more_incidents: Math.max(0, newest.length - most),
  }));
}

/** The arguments that go wrong most often, with their counts, and the latest failed events, of one model or of all. */
export async function failuresAnswer(source: Source, model: string | undefined): Promise<string> {
  const { failures } = await source.events();
  const { groups } = await source.summary('', 'all');
  const of = failures.filter(({ slice }) => model === undefined || slice?.['model'] === model);
  const total = groups.find(({ window }) => window === 'all');
  const known = of.filter(({ errors }) => Array.isArray(errors)) as unknown as readonly WrongEvent[];
  const wrong = wrongArguments(total?.['match'], known);
  return fitted((most) => ({
    wrong_arguments: wrong.slice(0, most),
    failures: of.slice(0, most),
    more_failures: Math.max(0, of.length - most),
    ...(failures.length === 0 && { note: nothingKnown }),
  }));
}

/** Everything that is known of the failed events of an example, or of one event. */
export async function explainAnswer(source: Source, id: string): Promise<string> {
  const { failures, suspects } = await source.events();
  const isOf = ({ example_id, event_id }: KnownEvent): boolean => example_id === id || event_id === id;
  const found: KnownEvents = { failures: failures.filter(isOf), suspects: suspects.filter(isOf) };
  const isNone = found.failures.length === 0 && found.suspects.length === 0;
  return fitted((most) => ({
    failures: found.failures.slice(0, most),
    suspects: found.suspects.slice(0, most),
    ...(isNone && { note: `no failed event with this id is known. ${nothingKnown}` }),
  }));
}

/** A group compared with another, by the headline metrics of both since the beginning. */
export async function compareAnswer(source: Source, a: string, b: string): Promise<string> {
  const compared = compareSides(await sideOf(source, a), await sideOf(source, b), headlinePaths, new Set());
  if (isProblem(compared)) throw new Error(compared.problem);
  return fitted((most) => ({ a, b, metrics: compared.changes.slice(0, 2 * most), left_out: compared.left_out }));
}

const nothingKnown =
  'Only the latest failed events are known: those of a running service, or of a summary that replay wrote. ' +
  'assay explain --truth FILE --events FILE --id ID reads any event from its file.';

async function sideOf(source: Source, text: string): Promise<Side> {
  const slice: Slice | undefined = text === '' ? new Map() : parseSlice(text);
  if (slice === undefined) throw new Error(`${text} is no group; write it as model=x, or leave it empty for the total`);
  const group = findGroup(await source.summary([...slice.keys()].join(), 'all'), slice);
  if (group === undefined) throw new Error(`there is no group ${sliceText(slice)}; tool summary lists the groups`);
  return { kind: 'summary', name: text || 'total', group };
}

function headlinesOf(group: SummaryDocument['groups'][number]): object[] {
  const number = (path: string): number | null => {
    const read = readMetric(group, path);
    return isProblem(read) ? null : read.value;
  };
  return headlinePaths.flatMap((metric) => {
    const read = readMetric(group, metric);
    if (isProblem(read) || read.value === null) return [];
    const [lower, upper] = [number(`${metric}.lower`), number(`${metric}.upper`)];
    return [{ metric, value: read.value, ...(lower !== null && { lower, upper }), counts: read.counts }];
  });
}

/** An answer as JSON of a bounded length: with fewer items where it would be longer, and cut where one item alone is. */
function fitted(answer: (most: number) => object): string {
  const texts = listLengths.map((most) => () => JSON.stringify(answer(most)));
  for (const text of texts) if (text().length <= answerCharacters) return text();
  const last = texts.at(-1)!();
  return `${last.slice(0, answerCharacters - 20)}… (cut)`;
}
