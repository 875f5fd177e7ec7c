import { type LabelCode, invalid } from '../../scoring/label.ts';
import { isObject, type JsonObject } from '../../scoring/json.ts';
import { doubleOf } from '../../scoring/long-number.ts';
import type { Prediction } from '../../scoring/prediction.ts';
import { unknownName } from '../../state/dimension.ts';
import type { WordsKind } from '../../state/input.ts';
import type { RejectCode } from '../../state/reject.ts';
import { type Event, keyOf, type LogRecord, type Oddities, tagOf } from '../../stream/event.ts';
import { idCharactersMax, isId } from '../bytes/unicode.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';
import { inRange, readTimestamp } from '../../scoring/timestamp.ts';
import { judgementOf, type RawJudgement } from '../judgement/schema.ts';
import { shortened } from '../json/shortened.ts';
import { unreadKeyOf } from '../calls/calls.ts';
import { forms } from '../inputs/forms.ts';
import { readKeys } from '../inputs/fields.ts';
import { unreadCallIn } from '../inputs/unread.ts';
import { callLeftIn } from './call-in-text.ts';
import { malformedCalls, notStandardArguments } from './malformed-calls.ts';
import { labelOf, predictionOf } from './content.ts';
import type { ReaderOptions } from './reader-options.ts';
import type { RawEvent } from './schema.ts';
import { nearName } from './near-names.ts';

/** The event of a record, or of an element of its array, whose fields have their types; or the code with which it is refused. */
export function eventOf(
  given: RawEvent,
  record: LogRecord,
  element: number,
  { dimensions, maxFutureMs, judgements, decisionOf, ownExamples = false }: ReaderOptions,
  unread?: string,
): Event | RejectCode {
  const named = given.example_id ?? idOfKey(keyOf(record));
  const own = named === undefined && ownExamples ? (given.event_id ?? placeIn(record, element)) : undefined;
  const exampleId = named ?? own;
  if (exampleId === undefined) return 'no_example_id';
  const ts = timeOf(given.ts, record.timestamp);
  if (ts === undefined) return 'bad_timestamp';
  if (isFuture(ts, record.timestamp, maxFutureMs)) return 'future_timestamp';
  const model = given.model || unknownName;
  const agent = given.agent || unknownName;
  const { label, rule } = labelOf(given, decisionOf);
  const prediction = predictionOf(given, label);
  return {
    offset: record.offset,
    element,
    exampleId,
    eventId: given.event_id ?? undefined,
    ts,
    run: given.run == null ? undefined : given.run + 0,
    model,
    agent,
    dimensions: valuesOf(dimensions, given, model, agent),
    prediction,
    judgement: judgements ? judgementOf(given['judgement'] as RawJudgement) : undefined,
    oddities: odditiesOf(given, prediction, dimensions, { own, unread, rule, isJudgement: judgements === true }),
    given: given as JsonObject,
  };
}

/** The key of a record where it can be an id. */
function idOfKey(key: Uint8Array | null): string | undefined {
  const id = key === null ? undefined : decodeUtf8(key, 0, key.length);
  return isId(id, idCharactersMax) ? id : undefined;
}

/** The place of an event in its partition, or in its file. */
function placeIn({ offset }: LogRecord, element: number): string {
  return element < 0 ? `record ${offset}` : `record ${offset}[${element}]`;
}

/** Event time in ms, NaN where neither the event nor its record has one; undefined where it is no time of 2000 to 2100. */
export function timeOf(given: string | number | bigint | null | undefined, recordTime: number): number | undefined {
  if (given == null && Number.isNaN(recordTime)) return recordTime;
  const ms = typeof given === 'string' ? readTimestamp(given) : Math.floor(doubleOf(given ?? recordTime));
  return inRange(ms) ? ms : undefined;
}

/** Returns whether event time is further behind the record's time stamp than allowed. A record without a time stamp (-1) allows any. */
export function isFuture(ts: number, recordTime: number, maxFutureMs: number | undefined): boolean {
  return maxFutureMs !== undefined && recordTime !== noTimestamp && ts > recordTime + maxFutureMs;
}

/** The time stamp that Kafka gives a record whose producer gave none. */
const noTimestamp = -1;

/** Values of the finest slice. A lone surrogate in a tag becomes U+FFFD, as in every output. */
function valuesOf(dimensions: readonly string[], given: RawEvent, model: string, agent: string): Event['dimensions'] {
  const values: [string, ...string[]] = [model];
  for (let at = 1; at < dimensions.length; at++) {
    const name = dimensions[at]!;
    values.push(name === 'agent' ? agent : tagOf({ given: given as JsonObject }, name.slice(tagPrefix)).toWellFormed());
  }
  return values;
}

const tagPrefix = 'tags.'.length;

/** Notes on an event from its reading. */
interface Noted {
  /** The id that stands for its example. */
  readonly own: string | undefined;
  /** The place of a call in its record that nothing read. */
  readonly unread: string | undefined;
  /** The kind of rule that read its decision from its words. */
  readonly rule: WordsKind | undefined;
  readonly isJudgement: boolean;
}

function odditiesOf(
  given: RawEvent,
  prediction: Prediction,
  dimensions: readonly string[],
  { own, unread, rule, isJudgement }: Noted,
): Oddities | undefined {
  const { label, tool_calls: calls, tags } = given;
  const malformed = calls != null && hasMalformed(prediction) ? malformedCalls(calls) : undefined;
  const odd = label != null && prediction.label === (invalid as LabelCode) ? shortened(label) : undefined;
  const near = nearName(given);
  const unreadCall = isJudgement ? undefined : (unread ?? unreadCallOf(given, prediction));
  const callInText = calls == null || calls.length === 0 ? callLeftIn(given.output) : undefined;
  const areOdd = tags != null && !isObject(tags) && dimensions.some((name) => name.startsWith('tags.'));
  const oddTags = areOdd ? shortened(tags) : undefined;
  const words = rule && { rule, text: given.output ? shortened(given.output) : undefined };
  const notStandard = calls == null || prediction.calls === (calls as unknown) ? 0 : notStandardArguments(calls);
  const first = malformed ?? odd ?? near ?? unreadCall ?? callInText ?? oddTags ?? words ?? own;
  if (first === undefined && notStandard === 0) return undefined;
  return { malformed, label: odd, nearName: near, unreadCall, callInText, tags: oddTags, words, notStandard, own };
}

function hasMalformed({ calls }: Prediction): boolean {
  for (const call of calls ?? []) if (call.name === undefined || call.arguments === undefined) return true;
  return false;
}

/** The place of a call, or of a part of one, that nothing reads in a native event. */
function unreadCallOf(given: RawEvent, { calls }: Prediction): string | undefined {
  for (const [index, { name, arguments: args }] of (calls ?? []).entries()) {
    if (name !== undefined && args !== undefined && !isEmpty(args)) continue;
    const key = unreadKeyOf(given.tool_calls![index]!);
    if (key !== undefined) return `/tool_calls/${index}/${key}`;
  }
  const isOdd = (key: string): boolean => (key === 'output' ? isObject(given.output) : !readKeys.has(key));
  for (const key in given)
    if (isOdd(key)) return unreadCallIn(given as JsonObject, given.tool_calls ?? [], forms.assay);
  return undefined;
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}
