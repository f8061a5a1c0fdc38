"""Other readers and other solvers must agree with recoup: exits 1 at the first difference.

usage: crosscheck.py BINARY DIR      (DIR/log is an event log made by recoup simulate)
"""
import csv, glob, json, math, os, subprocess, sys

import duckdb
import numpy as np
import pyarrow.parquet as pq
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score

binary, work = sys.argv[1], sys.argv[2]
passed = 0


def check(what, ok, detail=""):
    global passed
    if not ok:
        sys.exit(f"crosscheck: {what}: {detail}")
    passed += 1


def recoup(*args):
    r = subprocess.run([binary, *args, "--json"], capture_output=True, text=True)
    if r.returncode:
        sys.exit(f"crosscheck: recoup {args[0]}: exit {r.returncode}: {r.stderr}")
    return json.loads(r.stdout)


# 1. The event log: every table through two readers, equal rows and sums.
for table in sorted(os.listdir(f"{work}/log/events")):
    files = sorted(glob.glob(f"{work}/log/events/{table}/*/*.parquet"))
    if not files:
        continue
    n, seqs, known = duckdb.execute(
        "select count(*), sum(seq)::bigint, sum(epoch_us(known_at))::hugeint from read_parquet(?, hive_partitioning=false)", [files]).fetchone()
    arrow = [pq.read_table(f, partitioning=None) for f in files]
    check(f"{table}: rows", n == sum(t.num_rows for t in arrow), f"DuckDB {n}, pyarrow {sum(t.num_rows for t in arrow)}")
    check(f"{table}: seq", seqs == sum(sum(t["seq"].to_pylist()) for t in arrow))
    us = sum(sum(t["known_at"].cast("int64").to_pylist()) for t in arrow)
    check(f"{table}: known_at", int(known) == us, f"DuckDB {known}, pyarrow {us}")
    if table == "attempts":
        q = "select sum(amount_paise)::bigint from read_parquet(?, hive_partitioning=false)"
        paise = duckdb.execute(q, [files]).fetchone()[0]
        check("attempts: paise", paise == sum(sum(t["amount_paise"].to_pylist()) for t in arrow))
        by_us = sorted((r["known_at"], r["seq"]) for t in arrow for r in t.select(["known_at", "seq"]).to_pylist())
        check("attempts: seq follows known_at", [s for _, s in by_us] == sorted(s for _, s in by_us))

# 2. The fit and the measures, on generated rows.
rng = np.random.default_rng(11)
n, names = 4000, ["x1", "x2", "x3", "x4"]
X = rng.normal(size=(n, 4)) * [1, 40, 0.02, 3] + [0, 1000, 0, -2]
y = (rng.random(n) < 1 / (1 + np.exp(-(0.8 * X[:, 0] - 0.02 * (X[:, 1] - 1000) + 20 * X[:, 2] - 0.7)))).astype(int)
with open(f"{work}/fit.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(names + ["y"])
    w.writerows([[*map(repr, map(float, r)), int(t)] for r, t in zip(X, y)])
got = recoup("fit", "--data", f"{work}/fit.csv", "--target", "y")
sd, mean = X.std(0), X.mean(0)
ref = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12, max_iter=100).fit((X - mean) / sd, y)
for name, b, s in zip(names, ref.coef_[0], sd):
    check(f"fit: {name}", abs(got["coefficients"][name] * s - b) < 1e-7, f"{got['coefficients'][name] * s} not {b}")

p = ref.predict_proba((X - mean) / sd)[:, 1]
with open(f"{work}/scores.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["p", "y"])
    w.writerows([[repr(float(a)), int(b)] for a, b in zip(p, y)])
got = recoup("evaluate", "--scores", f"{work}/scores.csv")
for key, want in {"brier": brier_score_loss(y, p), "log_loss": log_loss(y, p), "roc_auc": roc_auc_score(y, p),
                  "average_precision": average_precision_score(y, p)}.items():
    check(f"evaluate: {key}", math.isclose(got[key], want, rel_tol=1e-9), f"{got[key]} not {want}")

print(f"crosscheck: DuckDB {duckdb.__version__}, pyarrow and scikit-learn agree")
print(f"{passed} passed, 0 failed")
