import { badCases } from '../formats/summary/failed-event.ts';
import {
  type About,
  aboutKey,
  type ReviewDocument,
  type ReviewItem,
  type Said,
  type Sample,
} from '../formats/summary/review.ts';
import { sliceOf } from '../formats/summary/watch-document.ts';
import { programName } from '../name.ts';
import type { IntakeRecord } from '../ports.ts';
import { mergedSuspects } from './merge-reports.ts';
import type { ReadModel } from './read-model.ts';

/** The feedback that was sent through the door of this process, by event: the newest events that it was about. */
export interface Reviewed {
  /** Notes records of feedback that were taken. */
  add(records: readonly IntakeRecord[]): void;
  of(about: About): Said | null;
}

const reviewedMax = 2_000;

/** Feedback of which nothing was sent yet. */
export function createReviewed(): Reviewed {
  const said = new Map<string, Said>();
  return {
    add(records) {
      for (const { value } of records.slice(-reviewedMax)) {
        const record = JSON.parse(Buffer.from(value!).toString()) as FeedbackText;
        const key = aboutKey(record.about);
        const correct = record.correct ?? said.get(key)?.correct ?? null;
        const corrected = record.expected != null || said.get(key)?.corrected === true;
        said.delete(key);
        said.set(key, { by: record.by ?? 'other', correct, corrected });
        if (said.size > reviewedMax) said.delete(said.keys().next().value!);
      }
    },
    of: (about) => said.get(aboutKey(about)) ?? null,
  };
}

/** A feedback record as its reader has accepted it. */
interface FeedbackText {
  readonly about: About;
  readonly by?: string | null;
  readonly correct?: boolean | null;
  readonly expected?: unknown;
}

/** Events of the document for each reason; random ones are as many as the shares have. */
const itemsMax = { alarm: 15, suspect: 10, failure: 15 } as const;

type Ranked = Pick<ReviewItem, 'reason' | 'watch' | 'probability'> & { readonly sample: Sample };

/**
 * The events that are most worth a look: cases of active alarms, examples whose truth may be wrong, other failures, and the random share, each event once. One of
 * the random share is listed there alone: were failures said to be chosen by chance where they were looked for, its rate would be too low.
 */
export function reviewDocument(model: ReadModel, reviewed: Reviewed): ReviewDocument {
  const random = randomOf(model);
  const isRandom = new Set(random.map(({ sample }) => keyOf(sample)));
  const chosen = [...alarmsOf(model), ...suspectsOf(model), ...failuresOf(model)];
  const listed = new Map<string, ReviewItem>();
  const left: Record<string, number> = { ...itemsMax };
  const list = ({ sample: { review, ...event }, ...why }: Ranked): void => {
    const key = review === null ? '' : aboutKey(review.about);
    if (review !== null && !listed.has(key))
      listed.set(key, { key, ...why, said: reviewed.of(review.about), review, event });
  };
  for (const one of chosen) if (!isRandom.has(keyOf(one.sample)) && left[one.reason]!-- > 0) list(one);
  for (const one of random) list(one);
  return { format: `${programName}.review/1`, items: [...listed.values()] };
}

function keyOf({ review }: Sample): string {
  return review === null ? '' : aboutKey(review.about);
}

function randomOf({ reports }: ReadModel): Ranked[] {
  return [...reports.values()].flatMap(({ share = [] }) =>
    share.flatMap(({ chance, events }) =>
      events.map((sample) => ({ reason: 'random', watch: null, probability: chance, sample }) as const),
    ),
  );
}

function alarmsOf({ views, samples }: ReadModel): Ranked[] {
  return views.watches().watches.flatMap((reading) => {
    const alarm = reading.firing ? reading.incidents.at(-1) : undefined;
    if (alarm === undefined) return [];
    const { watch } = reading;
    const isCase = badCases({ watch, sinceMs: alarm.sinceMs, untilMs: Number.POSITIVE_INFINITY });
    return samples.latest(sliceOf(reading), isCase).map((sample) => because('alarm', sample, watch));
  });
}

function suspectsOf({ reports, samples }: ReadModel): Ranked[] {
  const suspects = mergedSuspects([...reports.values()].flatMap(({ suspects }) => suspects));
  return suspects.flatMap(({ example_id: id }) =>
    samples
      .latest({}, ({ example_id }) => example_id === id)
      .slice(0, 1)
      .map((sample) => because('suspect', sample)),
  );
}

function failuresOf({ samples }: ReadModel): Ranked[] {
  return samples.latest({}).map((sample) => because('failure', sample));
}

function because(reason: ReviewItem['reason'], sample: Sample, watch: string | null = null): Ranked {
  return { reason, watch, probability: null, sample };
}
