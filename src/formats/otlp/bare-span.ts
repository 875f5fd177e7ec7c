import { isObject, type JsonObject } from '../../scoring/json.ts';

/**
 * Returns whether a JSON object is a span outside of a document: one of OTLP/JSON, or as the console exporters of the SDKs print it. No other
 * record has these keys together.
 */
export function isBareSpan({ traceId, spanId, scopeSpans, spans, context, ...rest }: JsonObject): boolean {
  if (Array.isArray(scopeSpans)) return true;
  if (Array.isArray(spans)) return spans.length > 0 && spans.every((span) => isObject(span) && isBareSpan(span));
  if (isObject(context)) return 'trace_id' in context && 'span_id' in context && 'parent_id' in rest;
  if (typeof traceId !== 'string') return false;
  return typeof spanId === 'string'
    ? 'startTimeUnixNano' in rest || 'endTimeUnixNano' in rest
    : 'instrumentationScope' in rest && 'duration' in rest;
}

export const bareSpan =
  'the record is a span by itself, without its resource; send what an OTLP exporter writes, {"resourceSpans": [{"scopeSpans": [{"spans": [...]}]}]}: the exporter otlp_json_file or otlphttp of an SDK, or the exporter file or kafka of the Collector, and no console exporter';
