"""Decisions of an NDJSON file of predictions, counted with Polars: the first event of each id, by gold and predicted label."""

import json
import sys

import polars as pl

events, truth = sys.argv[1:3]
fields = dict.fromkeys(["event_id", "example_id", "label", "model", "agent"], pl.String)
gold = pl.scan_ndjson(truth, schema={"example_id": pl.String, "label": pl.String}).rename({"label": "gold"})
counted = (
    pl.scan_ndjson(events, schema=fields)
    .unique(subset="event_id", keep="first")
    .join(gold, on="example_id", how="inner")
    .group_by("model", "agent", "gold", "label")
    .len()
    .collect(engine="streaming")
)
total = counted["len"].sum()
right = counted.filter(pl.col("gold") == pl.col("label"))["len"].sum()
print(json.dumps({"n": total, "right": right}))
