"""Writes predictions and truth as tables of other programs: {folder, predictions, truth} in, [{name, path, what}] out.

`what` is `predictions` or `truth`. All say the same: arguments, parameters and references are JSON text, lists are lists of structs, or
JSON text, as the name says.
"""

import datetime
import json
import os
import sys

import pandas
import polars
import pyarrow
import pyarrow.csv
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet

request = json.load(sys.stdin)
files = []


def target(what, name, suffix):
    path = os.path.join(request["folder"], f"{len(files):03}.{suffix}")
    files.append({"name": name, "path": path, "what": what})
    return path


def time_of(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def pairs(items, detail):
    if items is None:
        return None
    return [{"name": item["name"], detail: json.dumps(item.get(detail))} for item in items]


def event_schema(text=pyarrow.utf8(), make_list=pyarrow.list_, time=pyarrow.timestamp("ms", "UTC")):
    call = pyarrow.struct([("name", text), ("arguments", text)])
    return pyarrow.schema(
        [("event_id", text), ("example_id", text), ("run", pyarrow.int64()), ("model", text), ("agent", text), ("ts", time)]
        + [("label", text), ("tool_calls", make_list(call)), ("success", pyarrow.bool_())]
    )


def truth_schema(text=pyarrow.utf8(), make_list=pyarrow.list_):
    tool = pyarrow.struct([("name", text), ("parameters", text)])
    call = pyarrow.struct([("name", text), ("arguments", text)])
    return pyarrow.schema(
        [("example_id", text), ("label", text), ("tools", make_list(tool)), ("expected_tool_calls", make_list(call)), ("reference", text)]
    )


def tools_of(tools):
    if tools is None:
        return None
    named = [{"name": tool} if isinstance(tool, str) else tool.get("function", tool) for tool in tools]
    return [{"name": tool["name"], "parameters": json.dumps(tool["parameters"]) if "parameters" in tool else None} for tool in named]


events = [
    {**row, "ts": time_of(row["ts"]), "tool_calls": pairs(row.get("tool_calls"), "arguments")} for row in request["predictions"]
]
truth = [
    {
        "example_id": row["example_id"],
        "label": row.get("label"),
        "tools": tools_of(row.get("tools")),
        "expected_tool_calls": pairs(row.get("expected_tool_calls"), "arguments"),
        "reference": json.dumps(row["reference"]) if row.get("reference") is not None else None,
    }
    for row in request["truth"]
]
flat = [{**row, "tool_calls": None if row["tool_calls"] is None else json.dumps(row["tool_calls"])} for row in events]


def table(**options):
    return pyarrow.Table.from_pylist(events, schema=event_schema(**options))


plain = table()


def parquet_of_pyarrow():
    for codec in ("none", "snappy", "gzip", "brotli", "lz4", "zstd"):
        pyarrow.parquet.write_table(plain, target("predictions", f"pyarrow, {codec}", "parquet"), compression=codec)
        pyarrow.parquet.write_table(
            plain, target("predictions", f"pyarrow, {codec}, pages v2", "parquet"), compression=codec, data_page_version="2.0"
        )
    for unit in ("s", "ms", "us", "ns"):
        for zone in (None, "UTC", "Europe/Oslo"):
            written = table(time=pyarrow.timestamp(unit, zone))
            pyarrow.parquet.write_table(written, target("predictions", f"pyarrow, timestamp {unit} {zone}", "parquet"), version="2.6")
    pyarrow.parquet.write_table(plain, target("predictions", "pyarrow, int96", "parquet"), use_deprecated_int96_timestamps=True)
    pyarrow.parquet.write_table(plain, target("predictions", "pyarrow, no dictionary", "parquet"), use_dictionary=False)
    pyarrow.parquet.write_table(plain, target("predictions", "pyarrow, groups of 7", "parquet"), row_group_size=7)
    pyarrow.parquet.write_table(plain, target("predictions", "pyarrow, small pages", "parquet"), data_page_size=512, write_page_index=True)
    for name, encoding in (("delta", "DELTA_BYTE_ARRAY"), ("delta length", "DELTA_LENGTH_BYTE_ARRAY")):
        columns = {"event_id": encoding, "example_id": encoding, "run": "DELTA_BINARY_PACKED"}
        pyarrow.parquet.write_table(
            plain, target("predictions", f"pyarrow, {name}", "parquet"), use_dictionary=False, column_encoding=columns
        )
    large = table(text=pyarrow.large_utf8(), make_list=pyarrow.large_list)
    pyarrow.parquet.write_table(large, target("predictions", "pyarrow, large texts and lists", "parquet"))
    encoded = plain.set_column(3, "model", plain.column("model").dictionary_encode())
    pyarrow.parquet.write_table(encoded, target("predictions", "pyarrow, dictionary", "parquet"))
    # Spark writes lists as `bag.array_element` or `list.element`, names in lower case, several files in a folder.
    pyarrow.parquet.write_table(
        plain, target("predictions", "spark", "parquet"), flavor="spark", use_compliant_nested_type=False, compression="snappy"
    )
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(flat), target("predictions", "pyarrow, calls as text", "parquet"))
    counted = [{**row, "ts": int(row["ts"].timestamp() * 1_000_000)} for row in events]
    pyarrow.parquet.write_table(
        pyarrow.Table.from_pylist(counted), target("predictions", "pyarrow, time as a number of microseconds", "parquet")
    )
    tagged = [{**row, "extra": [("a", 1)], "day": datetime.date(2024, 1, 2), "blob": b"\xff\x00"} for row in events]
    extra = pyarrow.schema([*event_schema(), ("extra", pyarrow.map_(pyarrow.utf8(), pyarrow.int64())), ("day", pyarrow.date32()), ("blob", pyarrow.binary())])
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(tagged, schema=extra), target("predictions", "pyarrow, further columns", "parquet"))


def arrow_of_pyarrow():
    for suffix, new in (("arrow", pyarrow.ipc.new_file), ("arrows", pyarrow.ipc.new_stream)):
        for codec in (None, "lz4", "zstd"):
            for name, written in (("", plain), (", large", table(text=pyarrow.large_utf8(), make_list=pyarrow.large_list))):
                path = target("predictions", f"arrow {suffix}, {codec}{name}", suffix)
                options = pyarrow.ipc.IpcWriteOptions(compression=codec)
                with pyarrow.OSFile(path, "wb") as file, new(file, written.schema, options=options) as writer:
                    writer.write_table(written, max_chunksize=30)
    for unit in ("s", "ms", "us", "ns"):
        pyarrow.feather.write_feather(table(time=pyarrow.timestamp(unit)), target("predictions", f"feather, {unit}", "feather"))
    coded = plain.set_column(3, "model", plain.column("model").dictionary_encode())
    pyarrow.feather.write_feather(coded, target("predictions", "feather, dictionary", "feather"))


def of_polars():
    frame = polars.DataFrame(events)
    for codec in ("zstd", "lz4", "snappy", "gzip", "brotli", "uncompressed"):
        frame.write_parquet(target("predictions", f"polars, {codec}", "parquet"), compression=codec)
    frame.write_parquet(target("predictions", "polars, row groups", "parquet"), row_group_size=50)
    frame.write_ipc(target("predictions", "polars, write_ipc", "arrow"))
    frame.write_ipc_stream(target("predictions", "polars, write_ipc_stream", "arrows"))
    polars.DataFrame(flat).write_csv(target("predictions", "polars", "csv"))
    polars.DataFrame(flat).write_csv(target("predictions", "polars, semicolons", "csv"), separator=";")
    polars.DataFrame(flat).write_csv(target("predictions", "polars, tabs, quotes everywhere", "tsv"), separator="\t", quote_style="always")


def of_pandas():
    frame = pandas.DataFrame(events)
    frame.to_parquet(target("predictions", "pandas", "parquet"))
    frame.set_index("event_id").to_parquet(target("predictions", "pandas, an index", "parquet"))
    pandas.DataFrame(flat).to_csv(target("predictions", "pandas", "csv"), index=False)
    pandas.DataFrame(flat).to_csv(target("predictions", "pandas, with its index", "csv"))
    pyarrow.csv.write_csv(pyarrow.Table.from_pylist(flat), target("predictions", "pyarrow", "csv"))
    frame.assign(ts=frame["ts"].astype(str)).to_json(target("predictions", "pandas", "json"), orient="records")
    frame.assign(ts=frame["ts"].astype(str)).to_json(target("predictions", "pandas, lines", "ndjson"), orient="records", lines=True)


def lists_as_text(cell):
    if not isinstance(cell, list):
        return cell
    return json.dumps([{name: value for name, value in item.items() if value is not None} for item in cell])


def of_truth():
    table = pyarrow.Table.from_pylist(truth, schema=truth_schema())
    pyarrow.parquet.write_table(table, target("truth", "pyarrow", "parquet"))
    large = pyarrow.Table.from_pylist(truth, schema=truth_schema(pyarrow.large_utf8(), pyarrow.large_list))
    pyarrow.parquet.write_table(large, target("truth", "pyarrow, large", "parquet"), data_page_version="2.0", compression="zstd")
    pyarrow.feather.write_feather(table, target("truth", "feather", "feather"))
    polars.from_arrow(table).write_parquet(target("truth", "polars", "parquet"))
    text = [{name: lists_as_text(cell) for name, cell in row.items()} for row in truth]
    pandas.DataFrame(text).to_csv(target("truth", "pandas", "csv"), index=False)
    polars.DataFrame(text).write_csv(target("truth", "polars", "csv"))


for part in (parquet_of_pyarrow, arrow_of_pyarrow, of_polars, of_pandas, of_truth):
    part()
json.dump(files, sys.stdout)
