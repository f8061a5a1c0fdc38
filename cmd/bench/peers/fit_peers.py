#!/usr/bin/env python3
"""Times scikit-learn on the table of the fit benchmark and prints one JSON object.

usage: fit_peers.py [FILE] [--rows N] [--columns P] [--repeat R]

FILE is raw little-endian float64: the P columns one after another, N numbers each, then the
outcome y (0 or 1), as the bench runner writes it. Without FILE a table of the same kind is
drawn. Needs numpy and scikit-learn >= 1.4. Seconds are wall time of LogisticRegression.fit on
standardised columns in memory, the best of R; cpu is the processor time of that run.
off is the largest distance of a coefficient to the exact optimum.
"""
import argparse
import json
import time
import warnings

import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")


def draw(n, p):
    r = np.random.default_rng(1)
    beta = 0.3 * r.standard_normal(p)
    x = r.standard_normal((n, p)) + 0.5 * r.standard_normal((n, 1))
    y = (r.random(n) < 1 / (1 + np.exp(1.8 - x @ beta))).astype(float)
    return x, y


def read(path, n, p):
    raw = np.fromfile(path, "<f8")
    if raw.size != n * (p + 1):
        raise SystemExit(f"{path}: {raw.size} numbers, {n} x {p + 1} expected")
    x = np.ascontiguousarray(raw[: n * p].reshape(p, n).T)
    return x, raw[n * p:]


def main():
    a = argparse.ArgumentParser()
    a.add_argument("file", nargs="?")
    a.add_argument("--rows", type=int, default=1_000_000)
    a.add_argument("--columns", type=int, default=45)
    a.add_argument("--repeat", type=int, default=3)
    a = a.parse_args()
    x, y = read(a.file, a.rows, a.columns) if a.file else draw(a.rows, a.columns)
    x = (x - x.mean(0)) / x.std(0)
    old = "penalty" in LogisticRegression().get_params() and LogisticRegression().get_params()["penalty"] == "l2"
    free = {"penalty": None} if old else {"C": np.inf}
    solvers = {"lbfgs": {"solver": "lbfgs"}, "newton-cholesky": {"solver": "newton-cholesky"}}
    exact = LogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=100, **free).fit(x, y)
    peers = []
    for name, o in solvers.items():
        best = None
        for _ in range(a.repeat):
            m = LogisticRegression(**o, **free)
            t, c = time.perf_counter(), time.process_time()
            m.fit(x, y)
            t, c = time.perf_counter() - t, time.process_time() - c
            if best is None or t < best[0]:
                best = t, c, m
        t, c, m = best
        off = np.abs(np.r_[m.coef_[0] - exact.coef_[0], m.intercept_ - exact.intercept_]).max()
        peers.append({"name": f"scikit-learn {name}", "seconds": t, "cpu": c, "iterations": int(m.n_iter_[0]), "off": float(off)})
    print(json.dumps({"rows": a.rows, "columns": a.columns, "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
                      "peers": peers}))


if __name__ == "__main__":
    main()
