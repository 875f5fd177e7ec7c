"""Writes one truth table in every form that other programs give it: {folder, rows} in, [{name, path, refused, says}] out.

`refused` is what the refusal must match; `says` is what the file says instead of the plain table, where it is not the same:
`copies` of all rows (ids with #0, #1, ... behind them), a `slice` of them, or null or names alone in some columns.
"""

import decimal
import json
import os
import sys
import warnings

import pandas
import polars
import pyarrow
import pyarrow.feather
import pyarrow.ipc

warnings.simplefilter("ignore", DeprecationWarning)
request = json.load(sys.stdin)
rows = request["rows"]
files = []
copies = 5_000


def target(name, refused=None, suffix="arrow", **says):
    path = os.path.join(request["folder"], f"{len(files):03}.{suffix}")
    files.append({"name": name, "path": path, "refused": refused, "says": says})
    return path


def pairs(detail, text, make_list, *more):
    return make_list(pyarrow.struct([(name, text) for name in ("name", detail, *more)]))


def schema(text=pyarrow.utf8(), make_list=pyarrow.list_):
    return pyarrow.schema(
        [
            ("example_id", text),
            ("label", text),
            ("tools", pairs("parameters", text, make_list)),
            ("expected_tool_calls", pairs("arguments", text, make_list, "accept")),
            ("reference", text),
            ("alternatives", text),
            ("forbidden", make_list(text)),
        ]
    )


plain = pyarrow.Table.from_pylist(rows, schema=schema())


def write(table, path, form="file", batch_rows=None, **options):
    new = pyarrow.ipc.new_file if form == "file" else pyarrow.ipc.new_stream
    with pyarrow.OSFile(path, "wb") as file:
        with new(file, table.schema, options=pyarrow.ipc.IpcWriteOptions(**options)) as writer:
            writer.write_table(table, max_chunksize=batch_rows)


def with_column(name, values, at=None):
    if at is None:
        return plain.append_column(name, values)
    return plain.set_column(plain.schema.get_field_index(at), name, values)


def encoded(name, index):
    texts = plain.column(name).combine_chunks()
    return texts.dictionary_encode().cast(pyarrow.dictionary(index, pyarrow.utf8()))


def of_pyarrow():
    for form in ("file", "stream"):
        for codec in (None, "lz4", "zstd"):
            write(plain, target(f"pyarrow {form}, {codec}"), form, compression=codec)
        write(plain, target(f"pyarrow {form}, batches of 3"), form, batch_rows=3)
        write(plain.slice(2).slice(1, 9), target(f"pyarrow {form}, sliced", slice=[3, 12]), form, batch_rows=4)
        write(plain.slice(0, 0), target(f"pyarrow {form}, no rows", slice=[0, 0]), form)
        v4 = pyarrow.ipc.MetadataVersion.V4
        write(plain, target(f"pyarrow {form}, metadata V4"), form, metadata_version=v4)
        for text in (pyarrow.large_utf8(), pyarrow.string_view()):
            for make_list in (pyarrow.list_, pyarrow.large_list):
                table = pyarrow.Table.from_pylist(rows, schema=schema(text, make_list))
                write(table, target(f"pyarrow {form}, {text} in {make_list.__name__}"), form, compression="zstd")
    for version, codec in ((2, "lz4"), (2, "zstd"), (2, "uncompressed")):
        pyarrow.feather.write_feather(plain, target(f"feather {codec}", suffix="feather"), codec, version=version)
    write(plain.select(plain.column_names[::-1]), target("columns in another order"))


def dictionaries():
    for index in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
        table = with_column("label", encoded("label", getattr(pyarrow, index)()), "label")
        write(table, target(f"label as dictionary<{index}>"))
    for name in ("example_id", "reference"):
        write(with_column(name, encoded(name, pyarrow.int32()), name), target(f"{name} as dictionary"), batch_rows=4)
    delta = [with_column("label", encoded_prefix(end), "label") for end in (4, 12)]
    for form in ("file", "stream"):
        path = target(f"growing dictionary, {form}")
        new = pyarrow.ipc.new_file if form == "file" else pyarrow.ipc.new_stream
        options = pyarrow.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
        with pyarrow.OSFile(path, "wb") as file, new(file, delta[0].schema, options=options) as writer:
            writer.write_batch(delta[0].slice(0, 4).combine_chunks().to_batches()[0])
            writer.write_batch(delta[1].slice(4).combine_chunks().to_batches()[0])
    path = target("replaced dictionary, stream")
    with pyarrow.OSFile(path, "wb") as file, pyarrow.ipc.new_stream(file, delta[0].schema) as writer:
        for start in range(0, plain.num_rows, 3):
            part = plain.slice(start, 3)
            texts = part.column("label").combine_chunks().dictionary_encode()
            batch = part.set_column(1, "label", texts.cast(delta[0].schema.field("label").type))
            writer.write_batch(batch.combine_chunks().to_batches()[0])


def encoded_prefix(end):
    """The labels by a dictionary of those of the first rows, which a longer one begins with."""
    known = [label for label in dict.fromkeys(plain.column("label").to_pylist()[:end]) if label is not None]
    rest = [known.index(label) if label in known else None for label in plain.column("label").to_pylist()]
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array(rest, pyarrow.int8()), pyarrow.array(known))


def nulls():
    count = plain.num_rows
    without = [dict(row, reference=None, label=None) for row in rows]
    table = pyarrow.Table.from_pylist(without, schema=schema())
    for name in ("label", "reference"):
        at = table.schema.get_field_index(name)
        table = table.set_column(at, name, pyarrow.nulls(count, pyarrow.null()))
    write(table, target("type null: no label, no reference", null=["label", "reference"]))
    write(table.drop_columns(["label", "reference"]), target("absent columns: no label, no reference", null=["label", "reference"]))


def extra_columns():
    count = plain.num_rows
    numbers = pyarrow.array(range(count))
    extras = {
        "decimal": pyarrow.array([decimal.Decimal("1.25")] * count, pyarrow.decimal128(9, 2)),
        "float16": pyarrow.array([1.0] * count, pyarrow.float16()),
        "binary_view": pyarrow.array([b"a binary that is longer than a view"] * count, pyarrow.binary_view()),
        "map": pyarrow.array([[("a", 1)]] * count, pyarrow.map_(pyarrow.utf8(), pyarrow.int64())),
        "union": pyarrow.UnionArray.from_dense(
            pyarrow.array([0] * count, pyarrow.int8()), pyarrow.array(range(count), pyarrow.int32()), [numbers]
        ),
        "interval": pyarrow.array([(1, 2, 3)] * count, pyarrow.month_day_nano_interval()),
        "duration": numbers.cast(pyarrow.duration("us")),
        "timestamp": numbers.cast(pyarrow.timestamp("ns", "UTC")),
        "fixed_size_list": pyarrow.array([[1.0, 2.0]] * count, pyarrow.list_(pyarrow.float32(), 2)),
        "dictionary": pyarrow.array(["a", "b", "c"] * (count // 3)).dictionary_encode(),
        "uuid": pyarrow.ExtensionArray.from_storage(
            pyarrow.uuid(), pyarrow.array([bytes(16)] * count, pyarrow.binary(16))
        ),
    }
    for name, values in extras.items():
        write(with_column(f"x_{name}", values), target(f"extra column: {name}"))
    write(plain.append_column("a", numbers).append_column("b", numbers), target("extra columns: numbers"))


def refused():
    lists = {"list_view": pyarrow.list_view, "large_list_view": pyarrow.large_list_view}
    for name, make_list in lists.items():
        tools = pyarrow.array([row["tools"] for row in rows], pairs("parameters", pyarrow.utf8(), make_list))
        write(with_column("tools", tools, "tools"), target(f"tools as {name}", f"column tools: type {name} cannot be read"))
        extra = pyarrow.array([[1]] * plain.num_rows, make_list(pyarrow.int8()))
        write(with_column("x", extra), target(f"extra column: {name}", f"column x: type {name} cannot be read; .*drop_columns"))
    ends = pyarrow.RunEndEncodedArray.from_arrays([plain.num_rows], ["a"])
    write(with_column("x", ends), target("extra column: run ends", "column x: type run_end_encoded cannot be read"))
    write(with_column("label", ends, "label"), target("label by run ends", "column label: type run_end_encoded"))
    fixed = pyarrow.array([[{"name": "f", "parameters": None}]] * plain.num_rows, pyarrow.list_(schema().field("tools").type.value_type, 1))
    write(with_column("tools", fixed, "tools"), target("tools of a fixed size", "column tools: is of type .*; cast it to list"))
    write(with_column("label", pyarrow.array([b"direct"] * plain.num_rows), "label"), target("label as binary", "column label: is of type Binary; cast it to utf8"))
    write(with_column("reference", pyarrow.array(range(plain.num_rows)), "reference"), target("reference as a number", "column reference: is of type Int64"))
    write(with_column("expected_tool_calls", pyarrow.array([["f"]] * plain.num_rows), "expected_tool_calls"), target("calls as names", "column expected_tool_calls: is of type"))
    write(plain.drop_columns(["example_id"]), target("no ids", "column example_id: is absent"))
    pyarrow.feather.write_feather(
        plain.select(["example_id"]), target("feather version 1", "Feather version 1 is not read", "feather"), version=1
    )


def of_polars():
    frame = polars.from_arrow(plain)
    frame.write_ipc(target("polars write_ipc"))
    for codec in ("lz4", "zstd"):
        frame.write_ipc(target(f"polars write_ipc, {codec}"), compression=codec)
    frame.write_ipc_stream(target("polars write_ipc_stream"))
    frame.write_ipc(target("polars write_ipc, oldest compatibility"), compat_level=polars.CompatLevel.oldest())
    frame.with_columns(polars.col("label").cast(polars.Categorical)).write_ipc(target("polars, label as Categorical"))
    labels = polars.Enum(["cannot_answer", "direct", "request_for_info", "tool_call"])
    frame.with_columns(polars.col("label").cast(labels)).write_ipc(target("polars, label as Enum"))
    names = frame["tools"].list.eval(polars.element().struct.field("name"))
    frame.with_columns(names.alias("tools")).write_ipc(target("polars, tools as names", names=True))
    many = polars.concat([frame.with_columns(example_id=polars.col("example_id") + f"#{copy}") for copy in range(copies)])
    many.write_ipc(target("polars, many rows", copies=copies), compression="lz4", record_batch_size=10_000)
    many.to_pandas().to_feather(target("pandas, many rows", suffix="feather", copies=copies))
    pyarrow.feather.write_feather(many.to_arrow(), target("feather, many rows", suffix="feather", copies=copies))
    polars.concat([frame[:5], frame[5:]], rechunk=False).write_ipc(target("polars, two chunks"))


def of_pandas():
    frame = pandas.DataFrame(rows)
    frame.to_feather(target("pandas to_feather", suffix="feather"))
    frame.to_feather(target("pandas to_feather, zstd", suffix="feather"), compression="zstd")
    frame.assign(label=frame["label"].astype("category")).to_feather(target("pandas, label as category", suffix="feather"))
    indexed = pyarrow.Table.from_pandas(frame.set_index(pandas.Index(range(5, 5 + len(rows)), name="n")), preserve_index=True)
    write(indexed, target("pandas with an index"))


for part in (of_pyarrow, dictionaries, nulls, extra_columns, refused, of_polars, of_pandas):
    part()
json.dump(files, sys.stdout)
