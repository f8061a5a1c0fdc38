"""Writes the 300 attempts of flavours_test.go as other makers of Parquet and Arrow files do.

pyarrow 26.0.1, polars 2.1.0, duckdb 2.0.1, fastparquet 2026.9.0. Usage: python flavours.py
"""
from decimal import Decimal
from pathlib import Path

import duckdb
import fastparquet
import polars as pl
import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

HERE = Path(__file__).resolve().parent
N = 300
STATUS = ["captured", "failed", "pending", "authorized_late"]
BANKS = ["HDFC", "ICIC", "Kotak, Mahindra", "Société Générale", None]
RAILS = ["upi_autopay", "card", "emandate", "netbanking", "wallet"]

at = [1_782_846_317_000_000 + i * 3_333_000 for i in range(N)]
paise = [i * 104_729 % 5_000_000 + 99 for i in range(N)]
texts = {"id": [f"pay_{i * 7919 % 100_003:06d}" for i in range(N)], "customer": [f"{i % 41:07d}" for i in range(N)],
         "status": [STATUS[i % 4] for i in range(N)], "rail": [RAILS[i % 5] for i in range(N)], "bank": [BANKS[i * 3 % 5] for i in range(N)],
         "invoice": [f"inv_{i // 3}" for i in range(N)], "cur": ["INR"] * N}


def table(time, amount, kind=pa.string()):
    return pa.table({"at": time, "amount": amount} | {k: pa.array(v, pa.string()).cast(kind) for k, v in texts.items()})


def rupees(bits=38):
    return pa.array([Decimal(p).scaleb(-2) for p in paise], pa.decimal128(bits, 2))


utc = pa.array(at, pa.timestamp("us", "UTC"))
wall = [t + 19_800_000_000 for t in at]
plain = table(utc, pa.array(paise, pa.int64()))


def parquet(name, t, **kw):
    pq.write_table(t, HERE / f"flavour_{name}.parquet", **kw)


def arrow(name, t, new, **kw):
    with new(HERE / f"flavour_{name}.arrow", t.schema, options=ipc.IpcWriteOptions(**kw)) as w:
        w.write_table(t, max_chunksize=128)


parquet("paise", plain)
parquet("paise_delta", plain, compression="lz4", data_page_version="2.0", use_dictionary=False, column_encoding={
    "at": "DELTA_BINARY_PACKED", "amount": "BYTE_STREAM_SPLIT", "id": "DELTA_BYTE_ARRAY", "customer": "DELTA_LENGTH_BYTE_ARRAY"})
parquet("rupees_zone", table(pa.array([w // 1000 for w in wall], pa.timestamp("ms")), rupees()), compression="brotli")
parquet("rupees", table(pa.array([t * 1000 for t in at], pa.timestamp("ns", "Asia/Kolkata")), pa.array([p / 100 for p in paise], pa.float64()),
                        pa.large_string()), compression="gzip", row_group_size=77)
pl.from_arrow(table(utc, rupees())).write_parquet(HERE / "flavour_rupees_polars.parquet", compression="lz4")
con = duckdb.connect()
con.execute("SET TimeZone='UTC'")
con.register("t", plain)
con.execute(f"COPY (SELECT * FROM t) TO '{HERE}/flavour_paise_duckdb.parquet' (FORMAT parquet, PARQUET_VERSION V2)")
f = plain.to_pandas()
f["at"] = f["at"].dt.tz_convert(None).astype("datetime64[ns]")
for k in texts:
    f[k] = f[k].astype(object).where(f[k].notna(), None)
fastparquet.write(str(HERE / "flavour_paise_utc_int96.parquet"), f, compression="GZIP", object_encoding="utf8", times="int96", write_index=False,
                  row_group_offsets=[0, 299])
arrow("paise", plain.set_column(5, "rail", pa.array(texts["rail"]).dictionary_encode()), ipc.new_file, compression="lz4")
arrow("rupees_zone", table(pa.array(wall, pa.timestamp("us")), rupees(), pa.string_view()), ipc.new_stream, compression="zstd")
