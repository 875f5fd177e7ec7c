import type { programName } from '../../name.ts';
import type { Scored } from '../../stream/score.ts';
import type { Json } from '../../scoring/json.ts';
import { jsonText } from '../json/json-text.ts';
import type { Redacted } from '../json/preview.ts';
import type { Failure } from './failure.ts';

/** An event as a person may say of it what was right: the parts that a feedback record and its editor need. */
export interface ReviewSubject {
  /** `about` of the feedback record. */
  readonly about: About;
  /** False where the record reaches other events of the same example too. */
  readonly is_alone: boolean;
  /** Expected calls and calls made, as JSON; null where they are absent, long, or hold a hidden argument. */
  readonly expected: string | null;
  readonly made: string | null;
}

export interface About {
  readonly event_id?: string;
  readonly example_id?: string;
  readonly run?: number;
}

/** An event for the page, with what a review of it needs; null where the event has neither id nor example. */
export interface Sample extends Failure {
  readonly review: ReviewSubject | null;
}

/** Events of a random share, and the chance with which each was chosen. */
export interface Share {
  readonly chance: number;
  readonly events: readonly Sample[];
}

/** The answer of `/api/v1/review`: the events that are most worth a look, in that order. */
export interface ReviewDocument {
  readonly format: `${typeof programName}.review/1`;
  readonly items: readonly ReviewItem[];
}

export interface ReviewItem {
  readonly key: string;
  /** Why it is listed: a case of an alarm, an example whose truth may be wrong, another failure, or chance. */
  readonly reason: 'alarm' | 'suspect' | 'failure' | 'random';
  /** The rate of the alarm; null for any other reason. */
  readonly watch: string | null;
  /** The chance with which it was chosen; null for any other reason than chance. */
  readonly probability: number | null;
  readonly said: Said | null;
  readonly review: ReviewSubject;
  readonly event: Failure;
}

/** A person's word on an event; `correct`: null where only calls were given. */
export interface Said {
  readonly by: string;
  readonly correct: boolean | null;
  /** Expected calls were given. */
  readonly corrected: boolean;
}

const textMax = 4_000;

/** The parts of an event that a review needs, with hidden arguments hidden; null where nothing names the event. */
export function reviewSubject({ event, prepared }: Scored, redact: Redacted): ReviewSubject | null {
  const { eventId, exampleId, run, oddities, prediction } = event;
  const isOwn = oddities?.own !== undefined;
  if (eventId === undefined && isOwn) return null;
  return {
    about: {
      ...(eventId !== undefined && { event_id: eventId }),
      ...(!isOwn && { example_id: exampleId }),
      ...(eventId === undefined && run !== undefined && { run }),
    },
    is_alone: eventId !== undefined,
    expected: callsText(prepared.given.expected, redact),
    made: callsText(
      prediction.calls?.map((call) => ({ name: call.name ?? null, arguments: call.arguments ?? null })),
      redact,
    ),
  };
}

/** A key of the event that feedback is about. */
export function aboutKey({ event_id: event, ...about }: About): string {
  return event === undefined ? JSON.stringify([about.example_id, about.run]) : event;
}

function callsText(calls: readonly object[] | undefined, redact: Redacted): string | null {
  if (calls === undefined || redact === 'all') return null;
  const text = jsonText(calls as unknown as Json);
  const isHidden = [...redact].some((name) => text.includes(`${JSON.stringify(name)}:`));
  return text.length > textMax || isHidden ? null : text;
}
