import protobuf from 'protobufjs';

/**
 * The messages of trace.proto, logs.proto, common.proto and resource.proto in github.com/open-telemetry/opentelemetry-proto; fields that are not listed
 * are skipped. protobufjs names the fields as OTLP/JSON does (`trace_id` is `traceId`).
 */
const messages = `
  syntax = "proto3";
  message TracesData { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans {
    Resource resource = 1;
    repeated ScopeSpans scope_spans = 2;
  }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    string trace_state = 3;
    bytes parent_span_id = 4;
    string name = 5;
    int32 kind = 6;
    fixed64 start_time_unix_nano = 7;
    fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9;
    repeated Event events = 11;
    repeated Link links = 13;
    Status status = 15;
    fixed32 flags = 16;
  }
  message Event {
    fixed64 time_unix_nano = 1;
    string name = 2;
    repeated KeyValue attributes = 3;
  }
  message Link {
    bytes trace_id = 1;
    bytes span_id = 2;
    repeated KeyValue attributes = 4;
  }
  message Status {
    string message = 2;
    int32 code = 3;
  }
  message LogsData { repeated ResourceLogs resource_logs = 1; }
  message ResourceLogs {
    Resource resource = 1;
    repeated ScopeLogs scope_logs = 2;
  }
  message ScopeLogs { repeated LogRecord log_records = 2; }
  message LogRecord {
    fixed64 time_unix_nano = 1;
    int32 severity_number = 2;
    string severity_text = 3;
    AnyValue body = 5;
    repeated KeyValue attributes = 6;
    fixed32 flags = 8;
    bytes trace_id = 9;
    bytes span_id = 10;
    fixed64 observed_time_unix_nano = 11;
    string event_name = 12;
  }
  message KeyValue {
    string key = 1;
    AnyValue value = 2;
  }
  message AnyValue {
    oneof value {
      string string_value = 1;
      bool bool_value = 2;
      int64 int_value = 3;
      double double_value = 4;
      ArrayValue array_value = 5;
      KeyValueList kvlist_value = 6;
      bytes bytes_value = 7;
    }
  }
  message ArrayValue { repeated AnyValue values = 1; }
  message KeyValueList { repeated KeyValue values = 1; }
`;

const { root } = protobuf.parse(messages);
root.resolveAll();

/** The message of all spans; an `ExportTraceServiceRequest` is the same on the wire. */
export const tracesData: protobuf.Type = root.lookupType('TracesData');

/** The message of all log records; an `ExportLogsServiceRequest` is the same on the wire. */
export const logsData: protobuf.Type = root.lookupType('LogsData');
