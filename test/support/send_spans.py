"""Sends spans and a log record with the exporters of OpenTelemetry: address and compression in, their results out."""

import json
import os
import sys

request = json.load(sys.stdin)
os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] = request["url"]
os.environ["OTEL_EXPORTER_OTLP_COMPRESSION"] = request["compression"]

from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

spans = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(spans))
tracer = provider.get_tracer("an agent")
call = {"type": "tool_call", "id": "c", "name": "get_weather", "arguments": {"city": "Oslo"}}
attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m",
    "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [call]}]),
}
for number in range(2):
    with tracer.start_as_current_span("chat", attributes={**attributes, "assay.example_id": f"e{number}"}):
        pass
with tracer.start_as_current_span("chat", attributes={**attributes, "large": "x" * 30_000}):
    pass
finished = spans.get_finished_spans()
exporter = OTLPSpanExporter()
results = [exporter.export(finished[:2]).name, exporter.export(finished[2:]).name]

from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor

outcomes = []


class Exporter(OTLPLogExporter):
    def export(self, batch):
        result = super().export(batch)
        outcomes.append(result.name)
        return result


logs = LoggerProvider()
logs.add_log_record_processor(SimpleLogRecordProcessor(Exporter()))
context = finished[0].get_span_context()
logs.get_logger("an agent").emit(
    LogRecord(
        timestamp=finished[0].end_time,
        trace_id=context.trace_id,
        span_id=context.span_id,
        trace_flags=context.trace_flags,
        severity_number=SeverityNumber.INFO,
        body={"role": "tool", "id": "c", "content": "12 degrees"},
        event_name="gen_ai.tool.message",
    )
)
json.dump(results + outcomes, sys.stdout)
