import assert from 'node:assert/strict';
import { type RecordOptions, recordReading } from '../../src/formats/otlp/reading.ts';
import type { RunStep } from '../../src/stream/step-tree.ts';
import type { LogRecord, ReadRecord, Step } from '../../src/stream/event.ts';
import { codesOf, eventReader, type RecordParts, recordOf } from './event-reader.ts';
import { attribute, documentOf, type JsonSpan, protobufOf } from './otlp.ts';

export const traceId = '5b8efff798038103d269b633813fc60c';
export const ids = { traceId, spanId: 'eee19b7ec3c1b174', parentSpanId: 'eee19b7ec3c1b175' };
const times = { startTimeUnixNano: '1777593600122999999', endTimeUnixNano: '1777593600123999999' };

/** A record whose steps have their content as a value. */
export interface ReadSteps extends Omit<ReadRecord, 'steps'> {
  readonly steps?: readonly RunStep[] | undefined;
}

interface StepReader {
  read(record: LogRecord): ReadSteps;
  notices(): readonly string[];
}

/** A reader of spans as steps. */
export function stepReader(more: Partial<RecordOptions> = {}): StepReader {
  const options = { response: undefined, request: undefined, fields: {}, depth: 64, ...more };
  const reader = eventReader({
    maxFutureMs: undefined,
    ...recordReading({ format: 'otlp', runs: 'trace', ...options }),
  });
  return {
    notices: () => reader.notices!(),
    read(record) {
      const { steps, ...rest } = reader.read(record);
      return { ...rest, steps: steps?.map(withContent) };
    },
  };
}

function withContent({ content, toolsText, ...step }: Step): RunStep {
  const tools = toolsText === undefined ? {} : { tools: JSON.parse(toolsText) as [] };
  return { ...step, given: { ...(JSON.parse(content) as object), ...tools } };
}

/** Reads spans as JSON, and sees that protobuf gives the same steps. */
export function readSpans(
  spans: readonly JsonSpan[],
  more: Partial<RecordOptions> = {},
  parts: RecordParts = {},
): ReadSteps {
  const document = documentOf(spans);
  const result = stepReader(more).read(recordOf(JSON.stringify(document), parts));
  assert.deepEqual(stepReader(more).read(recordOf(protobufOf(document), parts)).steps, result.steps);
  return result;
}

/** A span with a parent, within one trace. */
export function spanWith(attributes: object, more: Partial<JsonSpan> = {}): JsonSpan {
  return {
    ...{ name: 'x', ...ids, ...times },
    attributes: Object.entries(attributes).map(([name, value]) => attribute(name, value)),
    ...more,
  };
}

/** The one step of a record. */
export function stepOf({ events, steps = [] }: ReadSteps): RunStep {
  assert.deepEqual([codesOf(events), steps.length], [[], 1]);
  return plain(steps[0]!);
}

/** A value as its JSON text gives it again. */
export function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** The fields that the resource of `documentOf` gives. */
export const shared = { agent: 'a service' };
