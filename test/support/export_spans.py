"""Spans that an SDK of OpenTelemetry makes of calls of models: name of an instrumentation in, the protobuf that is exported out (Base64).

The models are a stand-in on this machine that knows four APIs. It calls two tools where it is asked for the weather, and asks back otherwise.
"""

import base64
import itertools
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Content is recorded where it is asked for: by these, or by default (OpenLLMetry).
os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"

from opentelemetry import baggage, context, trace
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

CALLS = {"get_weather": {"city": "Paris", "days": 2}, "get_time": {"city": "Paris"}}
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
ASK = "How is the weather in Paris, and what time is it?"
VAGUE = "And there?"
TEXT = "Which city do you mean?"
numbers = itertools.count()


def openai_chat(request, calls):
    message = {"role": "assistant", "content": None if calls else TEXT}
    if calls:
        message["tool_calls"] = [
            {"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
            for at, (name, given) in enumerate(CALLS.items())
        ]
    choice = {"index": 0, "finish_reason": "tool_calls" if calls else "stop", "message": message}
    return {
        **{"id": f"chatcmpl-{next(numbers)}", "object": "chat.completion", "created": 1795500000, "model": "gpt-4.1-mini"},
        **{"choices": [choice], "usage": {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12}},
    }


def openai_responses(request, calls):
    parts = [{"type": "output_text", "text": TEXT, "annotations": []}]
    output = [{"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": parts}]
    if calls:
        output = [
            {"type": "function_call", "id": f"f{at}", "call_id": f"c{at}", "name": name, "arguments": json.dumps(given)}
            for at, (name, given) in enumerate(CALLS.items())
        ]
    usage = {"input_tokens": 5, "output_tokens": 7, "total_tokens": 12}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return {
        **{"id": f"resp-{next(numbers)}", "object": "response", "created_at": 1795500000, "status": "completed"},
        **{"model": "gpt-4.1-mini", "output": output, "tools": request.get("tools", []), "tool_choice": "auto"},
        **{"parallel_tool_calls": True, "metadata": {}, "usage": {**usage, **details}},
    }


def anthropic_messages(request, calls):
    content = [{"type": "text", "text": TEXT}]
    if calls:
        content = [
            {"type": "tool_use", "id": f"t{at}", "name": name, "input": given}
            for at, (name, given) in enumerate(CALLS.items())
        ]
    return {
        **{"id": f"msg-{next(numbers)}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5"},
        **{"content": content, "stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None},
        "usage": {"input_tokens": 5, "output_tokens": 7},
    }


def gemini(request, calls):
    parts = [{"text": TEXT}]
    if calls:
        parts = [{"functionCall": {"name": name, "args": given}} for name, given in CALLS.items()]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "modelVersion": "gemini-2.5-flash", "responseId": f"r-{next(numbers)}"}


APIS = {"/chat/completions": openai_chat, "/responses": openai_responses, "/messages": anthropic_messages}


class Model(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        text = self.rfile.read(int(self.headers["content-length"])).decode()
        request = json.loads(text)
        api = next((api for path, api in APIS.items() if self.path.endswith(path)), gemini)
        answer = api(request, ASK in text)
        if request.get("stream"):
            self.answer("text/event-stream", "".join(f"data: {piece}\n\n" for piece in pieces(answer)))
        else:
            self.answer("application/json", json.dumps(answer))

    def answer(self, kind, text):
        body = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def pieces(answer):
    """A chat completion as a stream: arguments come in two pieces."""
    choice = answer["choices"][0]
    message = choice["message"]
    deltas = [{"role": "assistant", "content": message["content"]}]
    for index, call in enumerate(message.get("tool_calls", [])):
        given = call["function"]["arguments"]
        deltas.append({"tool_calls": [{**call, "index": index, "function": {**call["function"], "arguments": given[:9]}}]})
        deltas.append({"tool_calls": [{"index": index, "function": {"arguments": given[9:]}}]})
    for delta, reason in [(delta, None) for delta in deltas] + [({}, choice["finish_reason"])]:
        choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
        yield json.dumps({**answer, "object": "chat.completion.chunk", "choices": choices, "usage": None})
    yield "[DONE]"


class BaggageToSpan(SpanProcessor):
    def on_start(self, span, parent_context=None):
        for key, value in baggage.get_all(parent_context).items():
            span.set_attribute(key, value)


def openai_client(url):
    import openai

    return openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)


def chats(url):
    client = openai_client(url)
    tools = [{"type": "function", "function": {"name": name, "parameters": SCHEMA}} for name in CALLS]
    for stream in (False, True):
        for text in (ASK, VAGUE):
            messages = [{"role": "user", "content": text}]
            yield lambda: list(
                client.chat.completions.create(model="gpt-4.1-mini", messages=messages, tools=tools, stream=stream)
            )


def responses(url):
    client = openai_client(url)
    tools = [{"type": "function", "name": name, "parameters": SCHEMA} for name in CALLS]
    for text in (ASK, VAGUE):
        yield lambda: client.responses.create(model="gpt-4.1-mini", input=text, tools=tools)


def anthropic_client(url):
    import anthropic

    client = anthropic.Anthropic(base_url=url, api_key="none", max_retries=0)
    tools = [{"name": name, "input_schema": SCHEMA} for name in CALLS]
    for text in (ASK, VAGUE):
        messages = [{"role": "user", "content": text}]
        yield lambda: client.messages.create(model="claude-sonnet-4-5", max_tokens=9, messages=messages, tools=tools)


def google_client(url):
    from google import genai
    from google.genai import types

    client = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=url))
    tools = [types.FunctionDeclaration(name=name, parameters_json_schema=SCHEMA) for name in CALLS]
    config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=tools)])
    for text in (ASK, VAGUE):
        yield lambda: client.models.generate_content(model="gemini-2.5-flash", contents=text, config=config)


def requests_of(kind, url, provider):
    """Instruments a client, and gives its requests."""
    if kind == "openai-v2":
        from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor as Instrumentor
    elif kind == "google-genai":
        from opentelemetry.instrumentation.google_genai import GoogleGenAiSdkInstrumentor as Instrumentor
    elif kind == "anthropic":
        from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor as Instrumentor
    else:
        from opentelemetry.instrumentation.openai import OpenAIInstrumentor as Instrumentor
    Instrumentor().instrument(tracer_provider=provider)
    if kind == "google-genai":
        return google_client(url)
    if kind == "anthropic":
        return anthropic_client(url)
    # The other one has no spans of responses.
    return itertools.chain(chats(url), responses(url) if kind == "openllmetry" else [])


def main(kind):
    model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    spans = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource.create({"service.name": "travel-agent"}))
    provider.add_span_processor(BaggageToSpan())
    provider.add_span_processor(SimpleSpanProcessor(spans))
    trace.set_tracer_provider(provider)
    tracer = trace.get_tracer("an agent")
    for number, request in enumerate(requests_of(kind, f"http://127.0.0.1:{model.server_port}", provider)):
        # Requests with even numbers are for calls.
        token = context.attach(baggage.set_baggage("assay.example_id", f"example-{number % 2}"))
        with tracer.start_as_current_span("a task"):
            request()
        context.detach(token)
    request = encode_spans(spans.get_finished_spans()).SerializeToString()
    json.dump(base64.b64encode(request).decode(), sys.stdout)


main(json.load(sys.stdin))
