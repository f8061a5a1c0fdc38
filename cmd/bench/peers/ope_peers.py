#!/usr/bin/env python3
"""Times numpy on the log of the off-policy benchmark and prints one JSON object.

usage: ope_peers.py FILE --rows N --actions K --clusters G [--draws B] [--repeat R]

FILE is raw little-endian float64, as the bench runner writes it: target (N x K), reward model
(N x K), reward, propensity, logged action, cluster (N each). Seconds are wall time in memory:
dr is the doubly robust value, the best of R, by the faster of two ways of writing it; boot is
B draws of whole clusters for the doubly robust value alone, by the faster of two ways, once.
"""
import argparse
import json
import time

import numpy as np


def best(repeat, *ways):
    took, value = np.inf, None
    for way in ways:
        for _ in range(repeat):
            t = time.perf_counter()
            v = way()
            t = time.perf_counter() - t
            if t < took:
                took, value = t, v
    return took, value


def main():
    a = argparse.ArgumentParser()
    a.add_argument("file")
    a.add_argument("--rows", type=int, required=True)
    a.add_argument("--actions", type=int, required=True)
    a.add_argument("--clusters", type=int, required=True)
    a.add_argument("--draws", type=int, default=10_000)
    a.add_argument("--repeat", type=int, default=30)
    a = a.parse_args()
    n, k, g = a.rows, a.actions, a.clusters
    raw = np.fromfile(a.file, "<f8")
    if raw.size != 2 * n * k + 4 * n:
        raise SystemExit(f"{a.file}: {raw.size} numbers, {2 * n * k + 4 * n} expected")
    e, q = raw[: n * k].reshape(n, k), raw[n * k: 2 * n * k].reshape(n, k)
    r, p, act, cl = raw[2 * n * k:].reshape(4, n)
    act, cl, rows = act.astype(np.intp), cl.astype(np.intp), np.arange(n)

    def terms(qbar):
        return qbar + e[rows, act] / p * (r - q[rows, act])

    def plain():
        return terms((e * q).sum(1) / e.sum(1)).mean()

    def einsum():
        return terms(np.einsum("ij,ij->i", e, q) / np.einsum("ij->i", e)).mean()

    took, value = best(a.repeat, plain, einsum)
    z = terms(np.einsum("ij,ij->i", e, q) / np.einsum("ij->i", e))
    s = np.column_stack([np.bincount(cl, z, g), np.bincount(cl, minlength=g).astype(float)])
    s0, s1 = np.ascontiguousarray(s.T)

    def gather():
        d, out = np.random.default_rng(1), np.empty(a.draws)
        for b in range(a.draws):
            i = d.integers(0, g, g, dtype=np.uint32)
            out[b] = s0.take(i).sum() / s1.take(i).sum()
        return out

    def count():
        d, out = np.random.default_rng(1), np.empty(a.draws)
        for b in range(a.draws):
            t = np.bincount(d.integers(0, g, g, dtype=np.uint32), minlength=g) @ s
            out[b] = t[0] / t[1]
        return out

    boot, draws = best(1, gather, count)
    print(json.dumps({"numpy": np.__version__, "dr": took, "value": value, "boot": boot, "sd": float(draws.std(ddof=1))}))


if __name__ == "__main__":
    main()
