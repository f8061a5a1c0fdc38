"""Windowed features by DuckDB and Polars on the Parquet file that recoup's
windows kernel reads: count and sum of a customer's events over 6 hours, a day,
7 and 30 days, each up to and including the event itself. Times are unique per
customer, so a RANGE frame means the same as the order of the log.

    python features_peers.py FILE EXPECTED.json [threads]

EXPECTED holds recoup's checksums; both peers must reach the same integers.
Prints one JSON object of seconds: best of the runs, reading included.
"""
import json
import os
import sys
import time

path, expected, threads = sys.argv[1], json.load(open(sys.argv[2])), int(sys.argv[3]) if len(sys.argv) > 3 else 2
os.environ.setdefault("POLARS_MAX_THREADS", str(threads))

import duckdb
import polars as pl

RUNS = 2
SPANS = [("6h", "6 hours"), ("1d", "1 day"), ("7d", "7 days"), ("30d", "30 days")]
NAMES = [f"{what}_{short}" for short, _ in SPANS for what in ("count", "sum")]


def check(who, sums):
    """sums: for each column its total and its total weighted by (row % 1009 + 1)."""
    got = {name: [int(a), int(b)] for name, (a, b) in sums.items()}
    if got != expected:
        for name in NAMES:
            if got.get(name) != expected.get(name):
                sys.exit(f"{who}: {name}: {got.get(name)}, recoup {expected.get(name)}")
        sys.exit(f"{who}: other columns than recoup's")


def with_duckdb():
    con = duckdb.connect()
    con.execute(f"SET threads = {threads}; SET TimeZone = 'UTC'")
    windows = ", ".join(
        f"count(*) OVER w{s} AS count_{s}, sum(amount) OVER w{s} AS sum_{s}" for s, _ in SPANS)
    frames = ", ".join(
        f'w{s} AS (PARTITION BY customer_id ORDER BY "at" RANGE BETWEEN INTERVAL {d} PRECEDING AND CURRENT ROW)' for s, d in SPANS)
    con.execute(f"CREATE TABLE features AS SELECT row, {windows} FROM read_parquet('{path}') WINDOW {frames}")
    return con


def check_duckdb(con):
    parts = ", ".join(f"sum({n}::HUGEINT), sum({n}::HUGEINT * (row % 1009 + 1))" for n in NAMES)
    values = con.execute(f"SELECT {parts} FROM features").fetchone()
    check("duckdb", {n: values[2 * i:2 * i + 2] for i, n in enumerate(NAMES)})


def with_polars():
    df = pl.read_parquet(path).sort("customer_id", "at")
    out = {"row": df["row"]}
    by = df.select("customer_id", "at", "amount")
    for short, _ in SPANS:
        r = by.rolling(index_column="at", period=short, closed="both", group_by="customer_id").agg(
            pl.len().alias("n"), pl.col("amount").sum().alias("s"))
        out[f"count_{short}"], out[f"sum_{short}"] = r["n"].cast(pl.Int64), r["s"]
    return pl.DataFrame(out)


def check_polars(df):
    weight = df["row"] % 1009 + 1
    check("polars", {n: (df[n].sum(), (df[n] * weight).sum()) for n in NAMES})


def best(make, verify):
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        result = make()
        seconds.append(time.perf_counter() - start)
        verify(result)
        del result
    return min(seconds)


print(json.dumps({
    "duckdb": best(with_duckdb, check_duckdb), "duckdb_version": duckdb.__version__,
    "polars": best(with_polars, check_polars), "polars_version": pl.__version__,
    "threads": threads}))
