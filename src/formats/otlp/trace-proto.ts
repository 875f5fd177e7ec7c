import protobuf from 'protobufjs';

/**
 * The messages of trace.proto, common.proto and resource.proto in github.com/open-telemetry/opentelemetry-proto; fields that are not listed
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

/** The message of all spans; an `ExportTraceServiceRequest` is the same on the wire. */
export const tracesData: protobuf.Type = protobuf.parse(messages).root.resolveAll().lookupType('TracesData');
