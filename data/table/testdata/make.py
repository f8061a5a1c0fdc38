"""Writes one table of 40 rows and every type in many ways, and types.json, which says what is in it.

pyarrow, pandas, polars, duckdb and fastparquet; README.md has the versions. Usage: python make.py
"""
import datetime as dt
import json
from decimal import Decimal
from pathlib import Path

import duckdb
import fastparquet
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

HERE = Path(__file__).resolve().parent
N = 40
DAY = 86_400
POLARS_NOT = ["list", "struct", "d76", "day64", "clock_s", "clock_ms", "clock_ns", "nothing", "f16", "wall_s", "utc_s"]  # it has no such type, or another


def some(f, hole=5):
    return [None if i % hole == 3 else f(i) for i in range(N)]


def decimals(digits, scale):
    return some(lambda i: Decimal((i - 20) * 10 ** (digits - 3) + i).scaleb(-scale))


def table():
    c = {
        "i8": pa.array(some(lambda i: i * 6 - 128), pa.int8()), "i16": pa.array(some(lambda i: i * 900 - 18000), pa.int16()),
        "i32": pa.array(some(lambda i: (i - 20) * 10**8), pa.int32()), "i64": pa.array(some(lambda i: (i - 20) * 10**17), pa.int64()),
        "u8": pa.array(some(lambda i: i * 6), pa.uint8()), "u16": pa.array(some(lambda i: i * 1600), pa.uint16()),
        "u32": pa.array(some(lambda i: i * 10**8), pa.uint32()), "u64": pa.array(some(lambda i: i * 10**17), pa.uint64()),
        "f16": pa.array(np.array([[0.5, 1.25, -3, 65504, 2.0**-24, 0][i % 6] for i in range(N)], np.float16)),
        "f32": pa.array(some(lambda i: (i - 20) / 8), pa.float32()), "f64": pa.array(some(lambda i: 0.1 * i - 1e9), pa.float64()),
        "flag": pa.array(some(lambda i: i % 3 == 0)), "text": pa.array(some(lambda i: "é" * (i % 4) + str(i % 9))),
        "long": pa.array(some(lambda i: "beyond twelve bytes " * (i % 3)), pa.large_string()), "bytes": pa.array(some(lambda i: b"b%d" % i)),
        "d9": pa.array(decimals(9, 2), pa.decimal128(9, 2)), "d18": pa.array(decimals(18, 3), pa.decimal128(18, 3)),
        "d38": pa.array(decimals(38, 4), pa.decimal128(38, 4)), "d76": pa.array(decimals(76, 5), pa.decimal256(76, 5)),
        "day": pa.array(some(lambda i: dt.date(1950, 1, 1) + dt.timedelta(i * 800))),
        "day64": pa.array(some(lambda i: dt.date(1950, 1, 1) + dt.timedelta(i * 800)), pa.date64()),
        "clock_s": pa.array(some(lambda i: i * 2000), pa.int32()).cast(pa.time32("s")),
        "clock_ms": pa.array(some(lambda i: i * 2_000_003), pa.int32()).cast(pa.time32("ms")),
        "clock_us": pa.array(some(lambda i: i * 2_000_000_003), pa.int64()).cast(pa.time64("us")),
        "clock_ns": pa.array(some(lambda i: i * 2_000_000_000_003), pa.int64()).cast(pa.time64("ns")),
        "nothing": pa.nulls(N), "word": pa.array(some(lambda i: ["card", "upi", "é"][i % 3])).dictionary_encode(),
        "number": pa.array(some(lambda i: i % 5 * 1000)).dictionary_encode(),
        "struct": pa.array([None if i % 7 == 0 else {"a": None if i % 5 == 0 else i, "deep": {"z": f"q{i % 4}"} if i % 3 else None} for i in range(N)]),
        "list": pa.array([[i, None] if i % 3 else None for i in range(N)]),
    }
    for unit, per in [("s", 1), ("ms", 10**3), ("us", 10**6), ("ns", 10**9)]:
        v = some(lambda i: (i - 20) * 900 * DAY * per + i % per)
        c["wall_" + unit] = pa.array(v, pa.int64()).cast(pa.timestamp(unit))
        c["utc_" + unit] = pa.array(v, pa.int64()).cast(pa.timestamp(unit, "Asia/Kolkata"))
    return pa.table(c)


def shown(t):
    """Every column as texts: times in µs, clocks with nine decimals, numbers as Go's strconv reads them."""
    out = {}

    def column(name, a):
        a = a.combine_chunks() if isinstance(a, pa.ChunkedArray) else a
        t = a.type
        if pa.types.is_dictionary(t):
            return column(name, a.dictionary_decode())
        if pa.types.is_struct(t):
            for k in range(t.num_fields):
                column(f"{name}.{t.field(k).name}", pa.compute.struct_field(a, [k]))
            return
        if pa.types.is_list(t):
            return
        per = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}[t.unit] if pa.types.is_temporal(t) and hasattr(t, "unit") else 0
        out[name] = []
        for x in a:
            if not x.is_valid:
                v = None
            elif pa.types.is_timestamp(t):
                v = str(x.value * per // 1000)
            elif pa.types.is_time(t):
                s, ns = divmod(x.value * per, 10**9)
                v = f"{s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}.{ns:09d}"
            elif pa.types.is_boolean(t):
                v = str(int(x.as_py()))
            elif pa.types.is_binary(t):
                v = x.as_py().decode()
            elif pa.types.is_decimal(t):
                v = format(x.as_py(), "f")
            else:
                v = str(x.as_py())
            out[name].append(v)

    for name in t.column_names:
        column(name, t[name])
    return out


def parquet(t):
    def put(name, t=t, **kw):
        pq.write_table(t, HERE / f"types_{name}.parquet", store_schema=False, **kw)

    put("pa_default")
    codecs = ["none", "snappy", "gzip", "zstd", "brotli", "lz4"]
    paths = [pq.ParquetFile(HERE / "types_pa_default.parquet").schema.column(i).path for i in range(len(t.column_names) + 1)]
    put("pa_codecs", compression={p: codecs[i % 6] for i, p in enumerate(paths)}, data_page_version="2.0", row_group_size=17)
    put("pa_lz4", compression="lz4", data_page_size=60, write_page_checksum=True)
    put("pa_old", t.drop(["wall_ns", "utc_ns", "clock_ns"]), version="1.0", use_deprecated_int96_timestamps=True)
    put("pa_fallback", dictionary_pagesize_limit=60, data_page_size=60, store_decimal_as_integer=True)
    whole = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "wall_us", "day", "clock_ms"]
    split = ["f16", "f32", "f64", "d9", "d38", "d76", "wall_ns"]
    how = {c: "DELTA_BINARY_PACKED" for c in whole} | {c: "BYTE_STREAM_SPLIT" for c in split} | {
        "text": "DELTA_BYTE_ARRAY", "long": "DELTA_LENGTH_BYTE_ARRAY", "d18": "DELTA_BYTE_ARRAY", "flag": "RLE"}
    put("pa_delta", t.select(list(how)), use_dictionary=False, column_encoding=how, data_page_version="2.0", data_page_size=60)
    plain = t.drop(POLARS_NOT)
    pl.from_arrow(plain).write_parquet(HERE / "types_pl.parquet", compression="lz4", row_group_size=17)
    con = duckdb.connect()
    con.execute("SET TimeZone='UTC'")
    con.register("t", plain.drop(["word", "number"]))
    for v, c in [("V1", "lz4_raw"), ("V2", "brotli")]:
        con.execute(f"COPY (SELECT * FROM t) TO '{HERE}/types_dk_{v.lower()}.parquet' (FORMAT parquet, COMPRESSION {c}, PARQUET_VERSION {v})")
    f = plain.select(["f32", "f64", "text", "wall_ns", "utc_ns", "word"]).to_pandas()
    f["text"] = f["text"].astype(object).where(f["text"].notna(), None)
    for times, c in [("int96", "GZIP"), ("int64", "LZ4")]:
        fastparquet.write(str(HERE / f"types_fp_{times}.parquet"), f, compression=c, object_encoding={"text": "utf8"}, times=times,
                          write_index=False, row_group_offsets=[0, 17, 39])


def arrow(t):
    views = t.append_column("view", pa.array(some(lambda i: "short" if i % 2 else f"beyond twelve bytes {i}"), pa.string_view()))
    for name, new, t, kw in [("file_lz4", ipc.new_file, t, {"compression": "lz4"}), ("stream_zstd", ipc.new_stream, views, {"compression": "zstd"}),
                             ("file_plain", ipc.new_file, views, {}),
                             ("stream_old", ipc.new_stream, t, {"metadata_version": pa.MetadataVersion.V4, "use_legacy_format": True})]:
        with new(HERE / f"types_{name}.arrow", t.schema, options=ipc.IpcWriteOptions(**kw)) as w:
            w.write_table(t, max_chunksize=17)
    pl.from_arrow(t.drop(POLARS_NOT)).write_ipc(HERE / "types_pl_lz4.arrow", compression="lz4")
    pl.from_arrow(t.drop(POLARS_NOT)).write_ipc_stream(HERE / "types_pl_stream.arrow", compression="zstd")
    schema = pa.schema([("word", pa.dictionary(pa.int16(), pa.string()))])
    for name, delta, second in [("grows", True, ["a", None, "c"]), ("replaced", False, ["x", "y", "z"])]:
        with ipc.new_stream(HERE / f"words_{name}.arrow", schema, options=ipc.IpcWriteOptions(emit_dictionary_deltas=delta)) as w:
            for places, words in [([0, 1, None], ["a", None]), ([2, 0], second)]:
                w.write(pa.record_batch([pa.DictionaryArray.from_arrays(pa.array(places, pa.int16()), pa.array(words))], schema=schema))
    odd = pa.table({"n": pa.array([1, 2]), "span": pa.array([1, 2], pa.duration("us")), "fixed": pa.array([b"ab", b"cd"], pa.binary(2)),
                    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([2], pa.int32()), pa.array([7])), "map": pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int64())),
                    "union": pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])]),
                    "list": pa.array([[1], None]), "big": pa.array([2**63, 5], pa.uint64())})
    with ipc.new_file(HERE / "odd.arrow", odd.schema) as w:
        w.write_table(odd)
    return shown(views)


if __name__ == "__main__":
    t = table()
    parquet(t)
    (HERE / "types.json").write_text(json.dumps(arrow(t), ensure_ascii=False, separators=(",", ":")) + "\n")
