import { hashOfTruth, type Truth } from '../scoring/truth.ts';
import type { FeedbackFact } from '../scoring/feedback/fact.ts';
import { emptyIdMap, findId, type Id, type IdMap, withId } from '../state/containers/id-map.ts';
import { hash128OfText } from '../state/containers/hash128.ts';
import { hexadecimal } from '../state/containers/hexadecimal.ts';
import { type Event, tagOf } from './event.ts';

/** The event or run that feedback is about, by one of the three ids at least. */
export interface About {
  readonly eventId: string | undefined;
  readonly traceId: string | undefined;
  readonly exampleId: string | undefined;
  readonly run: number | undefined;
}

/** One feedback record, as it was read. */
export interface Feedback {
  /** Identity: a second record with it is dropped. */
  readonly id: string;
  readonly about: About;
  /** Its own time in ms: of two expectations the newest holds. */
  readonly ts: number;
  readonly facts: readonly FeedbackFact[];
  /** The fields of a truth row that it gives; undefined where it says nothing of what should have been done. */
  readonly expected: ExpectedFields | undefined;
}

/** Fields of a truth row; one that is undefined is left as the truth has it. */
export type ExpectedFields = { readonly [Key in keyof Truth]?: Truth[Key] | undefined };

/** Feedback by the event or run that it is about. Immutable, as a version of the truth is. */
export interface FeedbackBook {
  readonly size: number;
  readonly byId: IdMap<Feedback>;
  readonly byAbout: IdMap<readonly Feedback[]>;
  /** Sum of the identities of the records: equal records, equal content, in whatever order they came. */
  readonly content: Id;
}

export const emptyBook: FeedbackBook = {
  size: 0,
  byId: emptyIdMap(),
  byAbout: emptyIdMap(),
  content: [0, 0, 0, 0],
};

/** The book with one more record; the same book where it has one of that id. */
export function withFeedback(book: FeedbackBook, feedback: Feedback): FeedbackBook {
  const id = idOf(feedback.id);
  if (findId(book.byId, id) !== undefined) return book;
  const about = idOf(keyOf(feedback.about));
  const known = findId(book.byAbout, about) ?? [];
  return {
    size: book.size + 1,
    byId: withId(book.byId, id, feedback),
    byAbout: withId(book.byAbout, about, [...known, feedback].sort(byTime)),
    content: book.content.map((word, at) => (word + id[at]!) >>> 0) as unknown as Id,
  };
}

/** The problem of a record whose id an earlier one has with another content. Its time is no content: one that is sent again may have another. */
export function conflictIn(book: FeedbackBook, feedback: Feedback): string | undefined {
  const first = findId(book.byId, idOf(feedback.id));
  if (first === undefined || contentOf(first) === contentOf(feedback)) return undefined;
  return `id ${JSON.stringify(feedback.id)} came before with another content, and the first holds; give each record an id of its own`;
}

/** Text of a book's content, for the version of the truth that it is part of; empty for no feedback. */
export function bookVersion({ size, content }: FeedbackBook): string {
  return size === 0 ? '' : hexadecimal(content);
}

/** The keys by which feedback may name an event. */
export function aboutKeys(event: Pick<Event, 'exampleId' | 'eventId' | 'run' | 'given'>): readonly string[] {
  const { exampleId, eventId, run } = event;
  const keys = [exampleKey(exampleId, undefined)];
  if (run !== undefined) keys.push(exampleKey(exampleId, run));
  if (eventId !== undefined) keys.push(eventKey(eventId));
  for (const traceId of traceIds(event)) keys.push(traceKey(traceId));
  return keys;
}

/** The feedback on an event by its keys, oldest first. */
export function feedbackFor(book: FeedbackBook, keys: readonly string[], exampleId: string): readonly Feedback[] {
  if (book.size === 0) return none;
  const found: Feedback[] = [];
  for (const key of keys)
    for (const each of findId(book.byAbout, idOf(key)) ?? none) if (fits(each.about, keys, exampleId)) found.push(each);
  return found.length > 1 ? found.sort(byTime) : found;
}

/** All that a record names of its event, for people. */
export function aboutText({ eventId, traceId, exampleId, run }: About): string {
  const named = { event_id: eventId, trace_id: traceId, example_id: exampleId, run };
  const parts = Object.entries(named).filter(([, value]) => value !== undefined);
  return parts.map(([name, value]) => `${name} ${value}`).join(', ');
}

/** The newest expectation of some feedback. */
export function newestExpected(found: readonly Feedback[]): ExpectedFields | undefined {
  return found.findLast(({ expected }) => expected !== undefined)?.expected;
}

/** Number of different expectations in some feedback. */
export function expectations(found: readonly Feedback[]): number {
  return new Set(found.flatMap(({ expected }) => (expected === undefined ? [] : [hashOfTruth(expected)]))).size;
}

/** A truth with the fields that feedback gives in the place of its own. */
export function truthWith(truth: Truth, expected: ExpectedFields): Truth {
  const given = Object.entries(expected).filter(([, value]) => value !== undefined);
  return { ...truth, ...(Object.fromEntries(given) as Partial<Truth>) };
}

/** Returns whether an event contradicts no part of what feedback on it names: its trace and its run may be unknown. */
function fits({ eventId, traceId, exampleId, run }: About, keys: readonly string[], example: string): boolean {
  const isIn = (known: readonly string[], key: string): boolean => known.length === 0 || known.includes(key);
  const runs = keys.filter((key) => key.startsWith('x') && key !== exampleKey(example, undefined));
  // An event's own id may be that of its trace, and is none that contradicts another.
  const traces = keys.filter((key) => key.startsWith('t') && key !== traceKey(eventId ?? ''));
  return (
    (exampleId === undefined || exampleId === example) &&
    (run === undefined || isIn(runs, exampleKey(example, run))) &&
    (traceId === undefined || traceId === eventId || isIn(traces, traceKey(traceId)))
  );
}

/** Ids of the trace that an event is of: a run of a whole trace has it as its event id, one of several runs in a trace begins with it. */
function traceIds(event: Pick<Event, 'eventId' | 'given'>): ReadonlySet<string> {
  const { eventId = '', given } = event;
  const named = [given['trace_id'], tagOf(event, 'trace_id'), eventId, /^([0-9a-f]{32})[-/]/.exec(eventId)?.[1]];
  return new Set(named.filter((id): id is string => typeof id === 'string' && id !== ''));
}

const none: readonly Feedback[] = [];

/** Text of all that a record says of its event; not its own time. */
function contentOf({ about, facts, expected }: Feedback): string {
  const said = facts.map((fact) => JSON.stringify(fact)).sort();
  return JSON.stringify([about, said, expected && hashOfTruth(expected)]);
}

function keyOf({ eventId, traceId, exampleId, run }: About): string {
  if (eventId !== undefined) return eventKey(eventId);
  return traceId === undefined ? exampleKey(exampleId!, run) : traceKey(traceId);
}

function eventKey(eventId: string): string {
  return `e${eventId}`;
}

function traceKey(traceId: string): string {
  return `t${traceId}`;
}

function exampleKey(exampleId: string, run: number | undefined): string {
  return `x${run ?? ''} ${exampleId}`;
}

/** By their own time; of equal times by id, so that the order in which they came leaves no trace. */
function byTime(a: Feedback, b: Feedback): number {
  return a.ts - b.ts || (a.id < b.id ? -1 : 1);
}

const words = new Uint32Array(4);

function idOf(text: string): Id {
  hash128OfText(text, words, 0);
  return [words[0]!, words[1]!, words[2]!, words[3]!];
}
