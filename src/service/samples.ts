import type { Config } from '../config/config.ts';
import { shortText } from '../formats/json/preview.ts';
import { type Failure, failureOf, type FailureOptions } from '../formats/summary/failure.ts';
import { reviewSubject, type Sample } from '../formats/summary/review.ts';
import { nameCharacters } from '../formats/summary/match-errors.ts';
import { type WrongEvent, wrongEvent } from '../formats/summary/wrong-arguments.ts';
import type { Verdict } from '../scoring/match/verdict.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import type { Settings } from '../state/settings.ts';
import type { Scored } from '../stream/score.ts';
import { outcomeOf } from './scored-events.ts';

export interface SamplerOptions extends FailureOptions {
  /** Failures of each model in a second (`http.samples`). */
  readonly count: number;
  /** Wall clock, ms. */
  readonly nowMs: () => number;
}

/** The latest failed predictions, by event time, as finished rows: what the page shows of single events. */
export interface Samples {
  add(failure: Sample): void;
  /** The newest first, of one slice: those whose values equal the given ones, and that fit. */
  latest(slice: Readonly<Record<string, string>>, fits?: (failure: Failure) => boolean): readonly Sample[];
  /** All that are kept of one slice and fit, the newest first. */
  kept(slice: Readonly<Record<string, string>>, fits: (failure: Failure) => boolean): readonly Sample[];
  /** The failures that show arguments that do not match: the last of each argument, of one slice, the newest first. */
  ofArguments(slice: Readonly<Record<string, string>>): readonly Failure[];
  /** Some of these, of all slices: for each model and argument. */
  wrongArguments(): readonly WrongEvent[];
}

const modelsMax = 64;
/** Arguments of a model of which failures are kept beyond the latest, and failures of each. */
const argumentsMax = 64;
const examplesMax = 3;
/** Failures of each kind of a model that are kept beyond the latest: one kind hides no other. */
const kindsMax = 5;
/** Events in a summary, in which they show arguments that do not match. */
const eventsMax = 100;
const burstMs = 1_000;

/**
 * Makes rows of failed predictions, by `give`. Making a row costs more than scoring, and thousands are never read: a model gets at most `count` a second,
 * and those that show an argument that nothing was seen of. What it returns is to be called with every failed event, and what it is of; it may be called with others, too.
 */
export function createSampler<Of>(
  options: SamplerOptions,
  give: (failure: Sample, of: Of) => void,
): (scored: Scored, of: Of) => void {
  const { count, layout } = options;
  const models = new Map<string, Seen>();
  return (scored, of) => {
    if (count === 0 || !scored.failed) return;
    const seen = latestOf(models, scored.event.model, nothingSeen, modelsMax);
    const nowMs = options.nowMs();
    if (nowMs - seen.burstFromMs >= burstMs) Object.assign(seen, { burstFromMs: nowMs, burst: 0 });
    if (seen.burst >= count && !isNews(seen, outcomeOf(scored, layout, 'match') as Verdict | undefined)) return;
    seen.burst++;
    const failure = sampleOf(scored, options);
    for (const { tool, path } of failure.errors)
      latestOf(seen.examples, exampleKey(tool, path), () => true, argumentsMax);
    give(failure, of);
  };
}

/** The options of a sampler as it is configured. */
export function samplerOptions(
  { http, links }: Config,
  { layout, dimensions }: Settings,
  given: Pick<SamplerOptions, 'redact' | 'nowMs'>,
): SamplerOptions {
  return { count: http.samples, layout, dimensions, trace: links.trace, ...given };
}

/** An event as the page shows it and has it reviewed. */
export function sampleOf(scored: Scored, options: FailureOptions): Sample {
  return { ...failureOf(scored, options), review: reviewSubject(scored, options.redact) };
}

/** Keeps the last `count` failures of each model, so that one that fails all the time hides no other; as many are given out together. */
export function createSamples(count: number): Samples {
  const models = new Map<string, Kept>();
  const made = { number: 0 };
  const kept: Samples['kept'] = (slice, fits) => {
    const rows = [...models.values()].flatMap((of) => [
      ...of.rows,
      ...[...of.kinds.values(), ...of.examples.values()].flat(),
    ]);
    return newestOf([...new Set(rows)], slice, fits);
  };
  return {
    add(failure) {
      const of = latestOf(models, failure.slice['model']!, nothingKept, modelsMax);
      const known = of.rows.find((one) => isSameEvent(one.failure, failure));
      // A partition that comes back brings what it had; an event whose truth has come is shown with it alone.
      if (known !== undefined && JSON.stringify(known.failure) === JSON.stringify(failure)) return;
      if (known !== undefined) forget(of, known);
      keepRow(of, { number: made.number++, failure }, count);
    },
    latest(slice, fits) {
      if (fits !== undefined) return kept(slice, fits).slice(0, count);
      const rows = [...models.values()].flatMap((of) => of.rows);
      return newestOf(rows, slice, () => true).slice(0, count);
    },
    kept,
    ofArguments(slice) {
      const rows = [...models.values()].flatMap(({ examples }) => [...examples.values()].flat());
      return newestOf([...new Set(rows)], slice, () => true);
    },
    wrongArguments() {
      const rows = [...models.values()].flatMap(({ examples }) => [...examples.values()].flatMap((of) => of.slice(-2)));
      return newestOf([...new Set(rows)], {}, () => true)
        .slice(0, eventsMax)
        .map(wrongEvent);
    },
  };
}

interface Row {
  readonly number: number;
  readonly failure: Sample;
}

interface Kept {
  readonly rows: Row[];
  /** By tool and path. */
  readonly examples: Map<string, Row[]>;
  /** By family that has something to complain of, by kind of hallucination, and by fault of the use of tools. */
  readonly kinds: Map<string, Row[]>;
}

const nothingKept = (): Kept => ({ rows: [], examples: new Map(), kinds: new Map() });

/** The rows of a model in the present second, and the arguments that rows have shown. */
interface Seen {
  readonly examples: Map<string, true>;
  burstFromMs: number;
  burst: number;
}

const nothingSeen = (): Seen => ({ examples: new Map(), burstFromMs: Number.NEGATIVE_INFINITY, burst: 0 });

function keepRow({ rows, examples, kinds }: Kept, row: Row, count: number): void {
  const { errors, faults, families, hallucinations } = row.failure;
  const none = (): Row[] => [];
  keepLast(rows, row, count);
  for (const { tool, path } of errors)
    keepLast(latestOf(examples, exampleKey(tool, path), none, argumentsMax), row, examplesMax);
  for (const kind of [...families, ...hallucinations, ...faults.map(({ rate }) => `tool_use.${rate}`)])
    keepLast(getOrPut(kinds, kind, none), row, kindsMax);
}

function keepLast(rows: Row[], row: Row, most: number): void {
  rows.push(row);
  if (rows.length > most) rows.shift();
}

function newestOf(
  rows: readonly Row[],
  slice: Readonly<Record<string, string>>,
  fits: (failure: Failure) => boolean,
): Sample[] {
  return rows
    .filter(({ failure }) => isOfSlice(failure, slice) && fits(failure))
    .sort((a, b) => Date.parse(b.failure.ts) - Date.parse(a.failure.ts) || b.number - a.number)
    .map(({ failure }) => failure);
}

function isSameEvent(a: Failure, b: Failure): boolean {
  return a.ts === b.ts && a.example_id === b.example_id && a.event_id === b.event_id && a.run === b.run;
}

function forget({ rows, examples, kinds }: Kept, row: Row): void {
  for (const list of [rows, ...examples.values(), ...kinds.values()]) {
    const at = list.indexOf(row);
    if (at >= 0) list.splice(at, 1);
  }
}

/** Returns whether the values of a failure equal those of a slice. */
function isOfSlice({ slice: values }: Failure, slice: Readonly<Record<string, string>>): boolean {
  return Object.entries(slice).every(([dimension, value]) => values[dimension] === value);
}

/** Returns whether an argument does not match of which there is no example. */
function isNews({ examples }: Seen, verdict: Verdict | undefined): boolean {
  if (verdict === undefined || examples.size >= argumentsMax) return false;
  return verdict.errors.some(
    ({ tool, path }) => tool !== undefined && path !== undefined && !examples.has(exampleKey(tool, path)),
  );
}

/** The key of names as a row has them, which are short. No JSON: it is made for each failed event. */
function exampleKey(tool: string, path: string): string {
  const name = shortText(tool, nameCharacters);
  return `${name.length} ${name}${shortText(path, nameCharacters)}`;
}

/** The value of a key, which is now the last; the one that was asked for least recently makes room for a new one. */
function latestOf<Value>(values: Map<string, Value>, key: string, make: () => Value, most: number): Value {
  const value = values.get(key) ?? make();
  values.delete(key);
  values.set(key, value);
  if (values.size > most) values.delete(values.keys().next().value!);
  return value;
}
