import { type ResultForm, resultsReading } from '../formats/benchmarks/results.ts';
import { columnsRead } from '../formats/inputs/columns.ts';
import { placeOf } from '../formats/inputs/places.ts';
import { judgementReader } from '../formats/judgement/reader.ts';
import { exampleIdPlaces } from '../formats/otlp/names.ts';
import { type RecordOptions, recordReading } from '../formats/otlp/reading.ts';
import { type DecisionReading, decisionReading } from '../formats/prediction/decision-rules.ts';
import { predictionReader } from '../formats/prediction/reader.ts';
import type { ReaderOptions } from '../formats/prediction/reader-options.ts';
import { tagsOfTemplate } from '../formats/summary/trace-link.ts';
import type { Joined } from '../scoring/family.ts';
import { zOfLevel } from '../scoring/quantile.ts';
import { type RateOf, rateWith } from '../scoring/reading.ts';
import type { DeepValidator } from '../scoring/schema/index.ts';
import { stability } from '../scoring/stability/index.ts';
import { strictSuccess } from '../scoring/trajectory/index.ts';
import { layoutOf } from '../state/row-layout.ts';
import type { Settings } from '../state/settings.ts';
import { planWindows } from '../state/windows.ts';
import type { Reader } from '../stream/event.ts';
import type { Config } from './config.ts';
import { familiesOf, namingOf, readsFeedback } from './families.ts';

/** The settings of scoring and state from the configuration; `judged`: judgements are read too. */
export function settingsOf(
  config: Config,
  deep: DeepValidator | undefined,
  judged = config.kafka.judgements_topic !== undefined,
): Settings {
  const { metrics, time, limits } = config;
  const dimensions = dimensionsOf(config.slices);
  return {
    layout: layoutOf(familiesOf(config, deep, judged), metrics.stability.enabled),
    stability: metrics.stability.enabled ? stability(metrics.stability) : undefined,
    keepGroupsMs: metrics.stability.keep.ms,
    verdictOf: verdictBy(config),
    toolNaming: namingOf(config.tools),
    dimensions,
    windows: planWindows(
      time.windows.map(({ text, ms }) => ({ name: text, lengthMs: ms })),
      time.pane.ms,
    ),
    outOfOrdernessMs: time.out_of_orderness.ms,
    truthWaitMs: config.join.truth_wait.ms,
    dedupeWindowMs: config.dedupe.window.ms,
    ...(readsFeedback(config) && { revision: { keepMs: config.feedback.wait.ms, most: limits.revisable } }),
    numbersRuns: config.runs.number === 'auto',
    runs: {
      isRead: readsSteps(config),
      wholeTraces: runKeysOf(config).runs === 'trace',
      endsAtOnce: config.runs.end === 'auto',
      idleMs: config.runs.idle.ms,
      stepsMax: config.runs.steps,
      runsMax: limits.open_runs,
    },
    limits: {
      pending: limits.pending,
      dedupeIds: limits.dedupe_ids,
      groups: limits.stability_groups,
      slices: limits.slices,
      names: limits.names,
      breakdowns: limits.breakdowns,
      attributions: limits.blames,
    },
  };
}

/** The validator of whole JSON Schemas, loaded where it is used (`metrics.schema.deep`). */
export async function deepOf({ metrics }: Config): Promise<DeepValidator | undefined> {
  return metrics.schema.deep ? (await import('../formats/json-schema/validator.ts')).deepValidator() : undefined;
}

/** The topics that the group of the service reads. */
export function topicsOf({ kafka: { topics, judgements_topic: judged } }: Config): readonly string[] {
  return judged === undefined ? topics : [...topics, judged];
}

/** A reader of judgements; `live` as of a reader of events. */
export function judgementReaderOf(config: Config, live: boolean): Reader {
  return judgementReader(commonOptions(config, live));
}

function commonOptions(
  config: Config,
  live: boolean,
): Pick<ReaderOptions, 'dimensions' | 'linkTags' | 'maxFutureMs' | 'limits'> {
  const { record_bytes, depth, elements, calls, values } = config.limits;
  return {
    dimensions: dimensionsOf(config.slices),
    // An exemplar names the trace of an event that had to wait for its truth too, and so do score rows.
    linkTags: ['trace_id', ...tagsOfTemplate(config.links.trace), ...config.snapshots.tags],
    maxFutureMs: live ? config.time.max_future.ms : undefined,
    limits: { recordBytes: record_bytes, depth, elements, calls, values },
  };
}

/** Parts of a reading besides the configuration. */
interface ReaderGiven extends Pick<ReaderOptions, 'ownExamples' | 'keepsRequest'> {
  /** Its settings, where it has some, come before those of all topics. */
  readonly topic?: string;
}

/** A reader of events, of one topic or of any; `live`: records have time stamps, so that a clock that runs ahead is noticed. */
export function readerOf(config: Config, live: boolean, given: ReaderGiven = {}): Reader {
  return predictionReader(readerOptions(config, live, given));
}

/** A reader of events in the results of a benchmark. A file of them is one record, and as large as it is. */
export function resultsReader(config: Config, form: ResultForm): Reader {
  const options = readerOptions(config, false);
  const { depth } = options.limits;
  const limits = { recordBytes: resultsBytesMax, depth, elements: 1e6, calls: 1e5, values: Number.POSITIVE_INFINITY };
  return predictionReader({ ...options, limits, input: resultsReading(form, options.input!) });
}

/** Bytes of the largest file of results. */
export const resultsBytesMax: number = 2 ** 29;

function readerOptions(
  config: Config,
  live: boolean,
  { topic, ownExamples, keepsRequest }: ReaderGiven = {},
): ReaderOptions {
  const { depth } = config.limits;
  return {
    ...commonOptions(config, live),
    ...recordReading({
      ...inputOf(config.input, live ? 'assay' : 'auto', topic),
      splitsRuns: config.runs.split === 'user',
      ...{ ownExamples, keepsRequest },
      ...runKeysOf(config),
      depth,
    }),
    decisionOf: decisionOf(config.decision),
    ownExamples: ownExamples ?? false,
    keepsRequest,
  };
}

/** How the service reads its first topic. */
export function liveInput({ input, kafka }: Config): ReturnType<typeof inputOf> {
  return inputOf(input, 'assay', kafka.topics[0]);
}

/** Keys by which spans, and other answers, are steps of runs. */
function runKeysOf({ runs: { by }, input }: Config): Pick<RecordOptions, 'runs' | 'stepKey'> {
  switch (by) {
    case 'off':
    case 'span':
      return { runs: 'span', stepKey: undefined };
    case undefined:
    case 'trace':
      return { runs: 'trace', stepKey: undefined };
    case 'example':
      return { runs: { at: input.fields['example_id'] ?? exampleIdPlaces }, stepKey: 'example' };
    default:
      return { runs: { at: by }, stepKey: { place: placeOf(by) } };
  }
}

/** Returns whether records may hold steps of runs: spans do, unless the settings say otherwise. */
function readsSteps(config: Config): boolean {
  const { input, runs } = config;
  const formats = [input.format, ...Object.values(input.topics).map(({ format }) => format)];
  if (runs.by === undefined) return formats.some((format) => format === 'otlp' || format === 'auto');
  return runKeysOf(config).runs !== 'span';
}

function decisionOf({ rules }: Config['decision']): DecisionReading | undefined {
  return rules === undefined ? undefined : decisionReading(rules === 'off' ? [] : rules);
}

/** Returns whether a column of a table of events is one that is read. */
export function columnsOf(config: Config): (name: string) => boolean {
  return columnsRead(inputOf(config.input, 'auto'));
}

/** Returns whether a service has no truth configured: events need not name an example then. */
export function hasNoTruth({ truth, kafka }: Config): boolean {
  return truth.paths.length === 0 && kafka.truth_topic === undefined;
}

/** Readers by topic: one where no topic has a form of its own. */
export function readersOf(config: Config, keepsRequest?: boolean): (topic: string) => Reader {
  const { judgements_topic: judged } = config.kafka;
  const ownExamples = hasNoTruth(config);
  const shared = readerOf(config, true, { ownExamples, keepsRequest });
  const topics = Object.keys(config.input.topics);
  const own = new Map(topics.map((topic) => [topic, readerOf(config, true, { topic, ownExamples, keepsRequest })]));
  if (judged !== undefined) own.set(judged, judgementReaderOf(config, true));
  return (topic) => own.get(topic) ?? shared;
}

/** The input settings of a topic. */
function inputOf(
  { topics, ...all }: Config['input'],
  byDefault: 'assay' | 'auto',
  topic = '',
): Omit<RecordOptions, 'depth' | 'runs'> {
  const { format, response, request, fields } = { ...all, ...(Object.hasOwn(topics, topic) && topics[topic]) };
  return { format: format ?? byDefault, response, request, fields: { ...all.fields, ...fields } };
}

/** The reading of rates with the configured confidence level. */
export function rateOf(config: Config): RateOf {
  return rateWith(zOfLevel(config.metrics.interval));
}

/** The event's own `success`, else strict success of its trajectory where that applies, also where that family is disabled. */
function verdictBy(config: Config): (joined: Joined) => 0 | 1 | 2 {
  const { mode } = config.metrics.trajectory;
  return (joined) => {
    const success = joined.prediction.success ?? strictSuccess(joined, mode);
    return success === undefined ? 2 : success ? 1 : 0;
  };
}

/** `model` first, whether or not a set names it: counters have it as their label. */
function dimensionsOf(sets: Config['slices']): string[] {
  return [...new Set(['model', ...sets.flat().filter((name) => !name.startsWith('tags.')), ...sets.flat()])];
}

/** Names of the tags that slices name. */
export function tagsOf(sets: Config['slices']): string[] {
  return dimensionsOf(sets)
    .filter((name) => name.startsWith('tags.'))
    .map((name) => name.slice('tags.'.length));
}
