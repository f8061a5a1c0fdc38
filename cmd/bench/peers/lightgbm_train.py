"""Trains two models for the scoring benchmark, and writes rows to score.

usage: lightgbm_train.py DIR --rows N

Both have 500 trees of 31 leaves on 30 columns and 30,000 rows with missing values; in the
second three columns are categories (12, 60 and 600 of them). The rows are new ones of the
same kind, float64 after float64. Prints where everything is, as JSON.
"""
import argparse
import json
import os

import lightgbm
import numpy

COLUMNS, TAUGHT = 30, 30000
LEVELS = {2: 12, 11: 60, 20: 600}


def table(r, n, levels):
    x = r.standard_normal((n, COLUMNS))
    x[:, 1] = numpy.round(numpy.exp(x[:, 1]), 2)
    x[:, 3] = r.poisson(2, n)
    x[:, 5] = r.integers(0, 24, n)
    for j in range(4, COLUMNS, 3):
        x[r.random(n) < 0.1, j] = numpy.nan
    for j, k in levels.items():
        x[:, j] = numpy.floor(k * r.random(n) ** 2)
        x[r.random(n) < 0.02, j] = numpy.nan
    return x


def chance(x, levels):
    z = numpy.nan_to_num(x)
    f = z[:, 0] + z[:, 1] * z[:, 6] / 3 - 0.4 * z[:, 3] + numpy.sin(z[:, 5] / 4) + numpy.abs(z[:, 9]) * z[:, 10] + 0.3 * z[:, 12:].sum(axis=1) / 4
    for j, k in levels.items():
        f = f + numpy.cos(z[:, j] * 7919)  # each category as it likes
    return 1 / (1 + numpy.exp(1 - f))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("dir")
    p.add_argument("--rows", type=int, required=True)
    a = p.parse_args()
    out = []
    for k, (name, levels) in enumerate([("trained, numbers", {}), ("trained, 3 categorical", LEVELS)]):
        r = numpy.random.default_rng(k + 1)
        x = table(r, TAUGHT, levels)
        y = r.random(TAUGHT) < chance(x, levels)
        params = {"objective": "binary", "num_leaves": 31, "learning_rate": 0.05, "verbose": -1, "num_threads": 1, "seed": 1, "deterministic": True,
                  "force_row_wise": True}
        names = [f"x{j}" for j in range(COLUMNS)]
        b = lightgbm.train(params, lightgbm.Dataset(x, y, feature_name=names, categorical_feature=list(levels)), 500)
        model, rows = (os.path.join(a.dir, f"trained{k}.{ext}") for ext in ("txt", "f64"))
        b.save_model(model)
        table(r, a.rows, levels).astype("<f8").tofile(rows)
        out.append({"Name": name, "Model": model, "Rows": rows, "Columns": COLUMNS})
    print(json.dumps({"Models": out}))


main()
