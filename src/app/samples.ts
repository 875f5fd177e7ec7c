import type { LatestFailures } from '../formats/summary/failed-event.ts';
import { type Failure, failureOf, type FailureOptions } from '../formats/summary/failure.ts';
import type { Scored } from '../stream/score.ts';

export interface SamplesOptions extends FailureOptions {
  /** Failures kept of each model, and given out together (`http.samples`). */
  readonly count: number;
  /** Wall clock, ms. */
  readonly nowMs: () => number;
}

/** The latest failed predictions, finished rows: what the page shows of single events. */
export interface Samples {
  /** To be told of every scored event. */
  add(scored: Scored): void;
  /** The newest first, of one slice: those whose values equal the given ones, and that fit. */
  readonly latest: LatestFailures;
  /** Those that show arguments that do not match: the last of each argument, of one slice, the newest first. */
  ofArguments(slice: Readonly<Record<string, string>>): readonly Failure[];
}

const modelsMax = 64;
/** Arguments of a model of which failures are kept beyond the latest, and failures of each. */
const argumentsMax = 64;
const examplesMax = 3;
const burstMs = 1_000;

/**
 * Keeps the last failures of each model, so that one that fails all the time hides no other. Making a row costs more than scoring, and
 * nobody reads thousands: a model gets at most `count` rows a second.
 */
export function createSamples(options: SamplesOptions): Samples {
  const { count } = options;
  const models = new Map<string, Kept>();
  const made = { number: 0 };
  return {
    add(scored) {
      if (count === 0 || !scored.failed) return;
      const { batch, event } = scored.accepted;
      const kept = keptOf(models, batch.names.text(batch.model[event]!));
      const nowMs = options.nowMs();
      if (nowMs - kept.burstFromMs >= burstMs) Object.assign(kept, { burstFromMs: nowMs, burst: 0 });
      if (kept.burst >= count) return;
      kept.burst++;
      const row = { number: made.number++, failure: failureOf(scored, options) };
      kept.rows.push(row);
      if (kept.rows.length > count) kept.rows.shift();
      keepExamples(kept, row);
    },
    latest(slice, fits = () => true) {
      const rows = [...models.values()].flatMap((kept) => kept.rows);
      return newestOf(rows, slice, fits).slice(0, count);
    },
    ofArguments(slice) {
      const rows = [...models.values()].flatMap(({ examples }) => [...examples.values()].flat());
      return newestOf([...new Set(rows)], slice, () => true);
    },
  };
}

interface Row {
  readonly number: number;
  readonly failure: Failure;
}

interface Kept {
  readonly rows: Row[];
  /** By tool and path. */
  readonly examples: Map<string, Row[]>;
  burstFromMs: number;
  burst: number;
}

function newestOf(
  rows: readonly Row[],
  slice: Readonly<Record<string, string>>,
  fits: (failure: Failure) => boolean,
): Failure[] {
  return rows
    .filter(
      ({ failure }) =>
        Object.entries(slice).every(([dimension, value]) => failure.slice[dimension] === value) && fits(failure),
    )
    .sort((a, b) => b.number - a.number)
    .map(({ failure }) => failure);
}

/** The argument that was wrong least recently makes room for a new one. */
function keepExamples({ examples }: Kept, row: Row): void {
  for (const { tool, path } of row.failure.errors) {
    const key = JSON.stringify([tool, path]);
    const rows = [...(examples.get(key) ?? []), row].slice(-examplesMax);
    examples.delete(key);
    examples.set(key, rows);
    if (examples.size > argumentsMax) examples.delete(examples.keys().next().value!);
  }
}

/** The model that failed least recently makes room for a new one. */
function keptOf(models: Map<string, Kept>, model: string): Kept {
  const kept = models.get(model) ?? { rows: [], examples: new Map(), burstFromMs: Number.NEGATIVE_INFINITY, burst: 0 };
  models.delete(model);
  models.set(model, kept);
  if (models.size > modelsMax) models.delete(models.keys().next().value!);
  return kept;
}
