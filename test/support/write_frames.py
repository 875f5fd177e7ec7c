"""Values framed by Confluent's own Python client, with the schemas that it registers at a registry.

The request is {registry, events}; the answer has for each form the framed values of the events, all that the registry answers about their
schemas, and the files of Protobuf as text, which the client registers as descriptors.
"""

import base64
import json
import sys
import tempfile
from importlib import import_module
from importlib.metadata import version

import requests
from confluent_kafka.schema_registry import Schema, SchemaReference, SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroSerializer
from confluent_kafka.schema_registry.json_schema import JSONSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext
from grpc_tools import protoc

CALL_AVRO = {
    "type": "record",
    "name": "Call",
    "namespace": "agents.calls",
    "fields": [
        {"name": "name", "type": "string"},
        {
            "name": "arguments",
            "type": {"type": "map", "values": ["null", "boolean", "long", "double", "string", {"type": "array", "items": "string"}]},
        },
    ],
}
PREDICTION_AVRO = {
    "type": "record",
    "name": "Prediction",
    "namespace": "agents",
    "fields": [
        {"name": "example_id", "type": "string"},
        {"name": "ts", "type": {"type": "long", "logicalType": "timestamp-micros"}},
        {"name": "model", "type": ["null", "string"], "default": None},
        {"name": "run", "type": ["null", "int"], "default": None},
        {
            "name": "label",
            "type": [
                "null",
                {"type": "enum", "name": "Label", "symbols": ["direct", "tool_call", "request_for_info", "cannot_answer"]},
            ],
        },
        {"name": "tool_calls", "type": ["null", {"type": "array", "items": "agents.calls.Call"}]},
        {"name": "output", "type": ["null", "string"]},
    ],
}
CALL_PROTO_NAME = "agents_call.proto"
CALL_PROTO = """syntax = "proto3";
package agents.calls;
import "google/protobuf/struct.proto";
message Call {
  string name = 1;
  google.protobuf.Struct arguments = 2;
}
"""
PREDICTION_PROTO = """syntax = "proto3";
package agents;
import "agents_call.proto";
import "google/protobuf/timestamp.proto";
message Request {
  string example_id = 1;
}
message Envelope {
  message Reserved {
    bytes padding = 1;
  }
  message Prediction {
    string example_id = 1;
    google.protobuf.Timestamp ts = 2;
    optional string model = 3;
    optional int64 run = 4;
    Label label = 5;
    repeated agents.calls.Call tool_calls = 6;
    optional string output = 7;
  }
  Prediction prediction = 1;
}
enum Label {
  unknown = 0;
  direct = 1;
  tool_call = 2;
  request_for_info = 3;
  cannot_answer = 4;
}
"""
PREDICTION_JSON = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "Prediction",
    "type": "object",
    "properties": {"example_id": {"type": "string"}},
    "required": ["example_id"],
}


def avro(client):
    client.register_schema("agents-call", Schema(json.dumps(CALL_AVRO), "AVRO"))
    reference = SchemaReference("agents.calls.Call", "agents-call", 1)
    serializer = AvroSerializer(client, Schema(json.dumps(PREDICTION_AVRO), "AVRO", [reference]))

    def written(event):
        record = {name: event.get(name) for name in ("example_id", "model", "run", "label", "tool_calls", "output")}
        return serializer({**record, "ts": 1_000 * event["ts"]}, context("avro"))

    return written


def protobuf(client):
    folder = tempfile.mkdtemp()
    for name, text in ((CALL_PROTO_NAME, CALL_PROTO), ("agents_prediction.proto", PREDICTION_PROTO)):
        with open(f"{folder}/{name}", "w", encoding="utf8") as file:
            file.write(text)
    google = protoc._get_resource_file_name("grpc_tools", "_proto")
    files = [CALL_PROTO_NAME, "agents_prediction.proto"]
    assert protoc.main(["protoc", f"-I{folder}", f"-I{google}", f"--python_out={folder}", *files]) == 0
    sys.path.insert(0, folder)
    module = import_module("agents_prediction_pb2")
    message_type = module.Envelope.Prediction
    serializer = ProtobufSerializer(message_type, client, {"use.deprecated.format": False})

    def written(event):
        message = message_type(example_id=event["example_id"])
        message.ts.FromMilliseconds(event["ts"])
        for name in ("model", "run", "output"):
            if event.get(name) is not None:
                setattr(message, name, event[name])
        # Without presence, so a number that a label cannot have stands for none.
        message.label = module.Label.Value(event["label"]) if event.get("label") else 0
        for call in event.get("tool_calls") or []:
            message.tool_calls.add(name=call["name"]).arguments.update(call["arguments"])
        return serializer(message, context("protobuf"))

    return written


def json_schema(client):
    serializer = JSONSerializer(json.dumps(PREDICTION_JSON), client)
    return lambda event: serializer(event, context("json"))


def context(topic):
    return SerializationContext(topic, MessageField.VALUE)


def answers(registry, ids):
    """What the registry says of schemas, and of those that they refer to."""
    found = {}

    def look(path):
        if path in found:
            return
        found[path] = requests.get(f"{registry}/{path}", timeout=10).json()
        for each in found[path].get("references") or []:
            look(f"subjects/{each['subject']}/versions/{each['version']}")

    for each in sorted(ids):
        look(f"schemas/ids/{each}")
    return found


def main(registry, events):
    client = SchemaRegistryClient({"url": registry})
    forms = {"avro": avro(client), "protobuf": protobuf(client), "json": json_schema(client)}
    values = {name: [written(event) for event in events] for name, written in forms.items()}
    ids = {int.from_bytes(value[1:5], "big") for framed in values.values() for value in framed}
    document = {
        "origin": ", ".join(f"{name} {version(name)}" for name in ("confluent-kafka", "fastavro", "protobuf")),
        "events": events,
        "answers": answers(registry, ids),
        "texts": {CALL_PROTO_NAME: CALL_PROTO, "": PREDICTION_PROTO},
        "values": {name: [base64.b64encode(value).decode() for value in framed] for name, framed in values.items()},
    }
    json.dump(document, sys.stdout, indent=1)


main(**json.load(sys.stdin))
