"""Reads a page with the strict parser of the Python client: stdin {"page": text}, stdout one record a metric."""

import json
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

families = [
    {
        "name": family.name,
        "type": family.type,
        "samples": [
            {
                "name": sample.name,
                "labels": sample.labels,
                "value": sample.value if abs(sample.value) != float("inf") else str(sample.value),
                "exemplar": None
                if sample.exemplar is None
                else {
                    "labels": sample.exemplar.labels,
                    "value": sample.exemplar.value,
                    "seconds": float(sample.exemplar.timestamp),
                },
            }
            for sample in family.samples
        ],
    }
    for family in text_string_to_metric_families(json.load(sys.stdin)["page"])
]
json.dump(families, sys.stdout)
