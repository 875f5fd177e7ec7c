import { isObject, type JsonObject } from '../../scoring/json.ts';
import { parsedOr } from '../json/parsed.ts';
import { objectsIn, plainValue, textOf } from './any-value.ts';
import { attributesIn, idOf, msOf } from './json.ts';
import { eventNames, names, toolRun } from './names.ts';
import type { Attributes, Span } from './span.ts';

/** The key of a document of log records, which no other record has. */
const logsKey = 'resourceLogs';

/** Returns whether a JSON object is a document of log records. */
export function isLogDocument(document: JsonObject): boolean {
  return Array.isArray(document[logsKey]);
}

/**
 * The log records of a document of OTLP/JSON that hold messages of a span, each as a span within that one; others have no ids and no
 * attributes, and so are no part of anything. Definition: `LogsData` in github.com/open-telemetry/opentelemetry-proto,
 * opentelemetry/proto/logs/v1/logs.proto; the events in the semantic conventions for generative AI.
 */
export function spansOfLogs(document: JsonObject): readonly Span[] {
  return objectsIn(document[logsKey]).flatMap(({ resource, scopeLogs }) => {
    const attributes = attributesIn(resource);
    return objectsIn(scopeLogs).flatMap(({ logRecords }) =>
      objectsIn(logRecords).map((span) => spanOf({ span, resource, isLog: true }, attributes)),
    );
  });
}

function spanOf(source: Span['source'], resource: Attributes): Span {
  const { traceId, spanId, timeUnixNano, observedTimeUnixNano, eventName, body: given } = source.span;
  const attributes = attributesIn(source.span);
  const name = textOf(eventName) || String(attributes.get('event.name') ?? '');
  const of = idOf(spanId);
  const body = parsedOr(plainValue(given));
  const fields = isObject(body) ? body : {};
  const said = of === '' ? undefined : spanAttributes(name, attributes, fields);
  const time = [timeUnixNano, observedTimeUnixNano].find((each) => msOf(each) !== undefined);
  const ms = msOf(time);
  return {
    traceId: idOf(traceId),
    spanId: said === undefined ? '' : `${of}/${name}/${textOf(time)}/${String(fields['index'] ?? fields['id'] ?? '')}`,
    // A log record is never the root of a trace.
    parentId: of === '' ? unknownSpan : of,
    name,
    kind: 0,
    startMs: ms,
    endMs: ms,
    status: { isError: false, message: '' },
    attributes: said ?? noAttributes,
    resource,
    events: said === undefined ? [] : [{ name, attributes: new Map([...attributes, ...Object.entries(fields)]) }],
    source,
  };
}

/** Returns whether a span is the log record of a choice after the first. */
export function isLaterChoice({ source, name, events }: Span): boolean {
  const index = source.isLog && name === eventNames.choice ? events[0]?.attributes.get('index') : undefined;
  return typeof index === 'number' && index > 0;
}

const unknownSpan = '-';
const noAttributes: Attributes = new Map();

/** Attributes of a span that says the same as a log record with messages; undefined for any other log record. */
function spanAttributes(event: string, attributes: Attributes, { id, content }: JsonObject): Attributes | undefined {
  if (event === eventNames.tool)
    return new Map([...attributes, [names.operation, toolRun], [names.toolCallId, id], [names.toolResult, content]]);
  if (event !== eventNames.choice && event !== eventNames.details) return undefined;
  return attributes.has(names.operation) ? attributes : new Map([...attributes, [names.operation, 'chat']]);
}
