"""Reads Arrow files with readers that are not ours: [{path, reader}] in, [{types, metadata, rows}] out."""

import datetime
import json
import math
import sys

import numpy
import pandas
import polars
import pyarrow


def plain(value):
    if value is None or value is pandas.NaT or value is pandas.NA:
        return None
    if isinstance(value, numpy.ndarray):
        return [plain(item) for item in value.tolist()]
    if isinstance(value, numpy.generic):
        value = value.item()
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, (datetime.datetime, pandas.Timestamp)):
        return value.replace(tzinfo=datetime.timezone.utc).timestamp() * 1000
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def with_pyarrow(path):
    with pyarrow.OSFile(path) as file:
        reader = pyarrow.ipc.open_file(file)
        table = reader.read_all()
    table.validate(full=True)
    return {
        "types": {field.name: str(field.type) for field in table.schema},
        "required": [field.name for field in table.schema if not field.nullable],
        "metadata": {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()},
        "rows": table.to_pylist(),
    }


def pairs(value):
    """A map is a dict or a list of structs to Polars, by its version, and a list of tuples to the others."""
    if isinstance(value, dict):
        return list(value.items())
    return [(entry["key"], entry["value"]) for entry in value]


def with_polars(path):
    frame = polars.read_ipc(path)
    rows = [row | {name: pairs(row[name]) for name in maps if name in row} for row in frame.to_dicts()]
    return {"types": {name: str(kind) for name, kind in frame.schema.items()}, "rows": rows}


def with_pandas(path):
    frame = pandas.read_feather(path)
    return {"types": {name: str(kind) for name, kind in frame.dtypes.items()}, "rows": frame.to_dict("records")}


maps = ["tags"]
readers = {"pyarrow": with_pyarrow, "polars": with_polars, "pandas": with_pandas}
answers = [readers[task["reader"]](task["path"]) for task in json.load(sys.stdin)]
for answer in answers:
    answer["rows"] = [plain(row) for row in answer["rows"]]
json.dump(answers, sys.stdout, allow_nan=False)
