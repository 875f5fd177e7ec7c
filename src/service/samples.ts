import type { Config } from '../config/config.ts';
import { shortText } from '../formats/json/preview.ts';
import type { LatestFailures } from '../formats/summary/failed-event.ts';
import { type Failure, failureOf, type FailureOptions } from '../formats/summary/failure.ts';
import { nameCharacters } from '../formats/summary/match-errors.ts';
import { type WrongEvent, wrongEvent } from '../formats/summary/wrong-arguments.ts';
import type { Verdict } from '../scoring/match/verdict.ts';
import type { Settings } from '../state/settings.ts';
import type { Scored } from '../stream/score.ts';
import { outcomeOf } from './scored-events.ts';

export interface SamplesOptions extends FailureOptions {
  /** Failures kept of each model, and given out together (`http.samples`). */
  readonly count: number;
  /** Wall clock, ms. */
  readonly nowMs: () => number;
}

/** The latest failed predictions, finished rows: what the page shows of single events. */
export interface Samples {
  /** To be told of every failed event; it may be told of others, too. */
  add(scored: Scored): void;
  /** The newest first, of one slice: those whose values equal the given ones, and that fit. */
  readonly latest: LatestFailures;
  /** All that are kept, of each model, the newest first. */
  all(): readonly Failure[];
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
export const eventsMax = 100;
const burstMs = 1_000;

/**
 * Keeps the last failures of each model, so that one that fails all the time hides no other. Making a row costs more than scoring, and
 * thousands are never read: a model gets at most `count` rows a second, and those that show an argument that nothing was seen of.
 */
export function createSamples(options: SamplesOptions): Samples {
  const { count, layout } = options;
  const models = new Map<string, Kept>();
  const made = { number: 0 };
  return {
    add(scored) {
      if (count === 0 || !scored.failed) return;
      const kept = keptOf(models, scored.event.model);
      const nowMs = options.nowMs();
      if (nowMs - kept.burstFromMs >= burstMs) Object.assign(kept, { burstFromMs: nowMs, burst: 0 });
      if (kept.burst >= count && !isNews(kept, outcomeOf(scored, layout, 'match') as Verdict | undefined)) return;
      kept.burst++;
      const row = { number: made.number++, failure: failureOf(scored, options) };
      kept.rows.push(row);
      if (kept.rows.length > count) kept.rows.shift();
      keepExamples(kept, row);
      for (const kind of [...row.failure.families, ...row.failure.hallucinations])
        kept.kinds.set(kind, [...(kept.kinds.get(kind) ?? []), row].slice(-kindsMax));
    },
    latest(slice, fits) {
      const rows = [...models.values()].flatMap((kept) =>
        fits === undefined ? kept.rows : [...kept.rows, ...[...kept.kinds.values()].flat()],
      );
      return newestOf([...new Set(rows)], slice, fits ?? (() => true)).slice(0, count);
    },
    all: () =>
      newestOf(
        [...models.values()].flatMap((kept) => kept.rows),
        {},
        () => true,
      ),
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

/** Samples as they are configured. */
export function samplesOf(
  { http, links }: Config,
  { layout, dimensions }: Settings,
  given: Pick<SamplesOptions, 'redact' | 'nowMs'>,
): Samples {
  return createSamples({ count: http.samples, layout, dimensions, trace: links.trace, ...given });
}

interface Row {
  readonly number: number;
  readonly failure: Failure;
}

interface Kept {
  readonly rows: Row[];
  /** By tool and path. */
  readonly examples: Map<string, Row[]>;
  /** By family that has something to complain of, and by kind of hallucination. */
  readonly kinds: Map<string, Row[]>;
  burstFromMs: number;
  burst: number;
}

function newestOf(
  rows: readonly Row[],
  slice: Readonly<Record<string, string>>,
  fits: (failure: Failure) => boolean,
): Failure[] {
  return rows
    .filter(({ failure }) => isOfSlice(failure, slice) && fits(failure))
    .sort((a, b) => b.number - a.number)
    .map(({ failure }) => failure);
}

/** Returns whether the values of a failure equal those of a slice. */
export function isOfSlice({ slice: values }: Failure, slice: Readonly<Record<string, string>>): boolean {
  return Object.entries(slice).every(([dimension, value]) => values[dimension] === value);
}

/** Returns whether an argument does not match of which there is no example. */
function isNews({ examples }: Kept, verdict: Verdict | undefined): boolean {
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

/** The argument that was wrong least recently makes room for a new one. */
function keepExamples({ examples }: Kept, row: Row): void {
  for (const { tool, path } of row.failure.errors) {
    const key = exampleKey(tool, path);
    const rows = [...(examples.get(key) ?? []), row].slice(-examplesMax);
    examples.delete(key);
    examples.set(key, rows);
    if (examples.size > argumentsMax) examples.delete(examples.keys().next().value!);
  }
}

/** The model that failed least recently makes room for a new one. */
function keptOf(models: Map<string, Kept>, model: string): Kept {
  const kept = models.get(model) ?? {
    rows: [],
    examples: new Map(),
    kinds: new Map(),
    burstFromMs: Number.NEGATIVE_INFINITY,
    burst: 0,
  };
  models.delete(model);
  models.set(model, kept);
  if (models.size > modelsMax) models.delete(models.keys().next().value!);
  return kept;
}
