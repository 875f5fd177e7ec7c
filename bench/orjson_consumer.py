"""A consumer of confluent-kafka that parses with orjson and counts decisions with prometheus_client, without state that survives it.

Prints its CPU a message in microseconds, from its first message to its last.
"""

import json
import resource
import sys

import orjson
from confluent_kafka import Consumer
from prometheus_client import Counter

brokers, topic, group, count, truth = sys.argv[1:6]
with open(truth, encoding="utf8") as lines:
    gold = {row["example_id"]: row["label"] for row in map(json.loads, lines)}
decisions = Counter("decisions", "Decisions", ["model", "agent", "gold", "label"])
duplicates = Counter("duplicates", "Events that came before")
rejected = Counter("rejected", "Events that cannot be read")
seen = set()


def take(value):
    try:
        event = orjson.loads(value)
        key = event["event_id"]
        if key in seen:
            duplicates.inc()
            return
        seen.add(key)
        decisions.labels(event["model"], event["agent"], gold[event["example_id"]], event["label"]).inc()
    except (ValueError, KeyError):
        rejected.inc()


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


settings = {"bootstrap.servers": brokers, "group.id": group, "auto.offset.reset": "earliest", "enable.auto.commit": False}
consumer = Consumer(settings)
consumer.subscribe([topic])
read = 0
start = None
while read < int(count):
    messages = consumer.consume(1000, timeout=1.0)
    if messages and start is None:
        start = cpu()
    for message in messages:
        if message.error() is None:
            take(message.value())
            read += 1
print(1e6 * (cpu() - start) / read)
consumer.close()
