"""Fits LightGBM on rows that recoup wrote, and writes what recoup reads back.

    python -I fit.py FOLDER

FOLDER holds
    rows.arrows    Arrow IPC stream: the columns of columns.json, y (0 or 1), select (true:
                   the rows that stop and choose, false: those that are fitted), and the weight
    columns.json   the columns in the model's order; a text's code is its place in "levels"
    settings.json  seed, threads, rounds, stop_after, golden, weight, and the trials: a list
                   of parameter sets
and gets
    model.txt      the best trial's model, cut to its best round
    fit.json       the trials with their losses, gains by column, and golden rows: rows of
                   the select slice with the raw scores of the model as read back from its text

The rows must stay numpy arrays of float64: LightGBM rounds numbers near zero to zero in
dense rows only, and recoup scores as it does there. Settings that are not named here stay
LightGBM's own.
"""

import json
import pathlib
import sys

import lightgbm
import numpy
import pyarrow


def read(folder, settings):
    """The rows as a matrix, and y, select and weight (or None) beside it."""
    columns = json.loads((folder / "columns.json").read_text(encoding="utf-8"))
    with pyarrow.ipc.open_stream(str(folder / "rows.arrows")) as stream:
        table = stream.read_all()
    x = numpy.empty((table.num_rows, len(columns)), dtype=numpy.float64)
    for i, column in enumerate(columns):
        values = table.column(column["name"])
        if column["kind"] == "category":
            codes = {level: code for code, level in enumerate(column["levels"])}
            x[:, i] = [codes[text] for text in values.to_pylist()]
        else:
            x[:, i] = values.to_numpy()
    weight = None
    if settings["weight"]:
        weight = table.column(settings["weight"]).to_numpy()
    return columns, x, table.column("y").to_numpy(), table.column("select").to_numpy(), weight


def parameters(settings, trial):
    """A trial's parameters and what all trials have: the same bytes on every run."""
    return {
        "objective": "binary",
        "metric": "binary_logloss",
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": settings["threads"],
        "seed": settings["seed"],
        "verbosity": -1,
        **trial,
    }


def fit(settings, trial, columns, x, y, select, weight):
    """One trial: trees until the log loss of the select rows has not fallen for a while."""
    wanted = parameters(settings, trial)
    names = [column["name"] for column in columns]
    categories = [i for i, column in enumerate(columns) if column["kind"] == "category"]

    def rows(keep, reference=None):
        return lightgbm.Dataset(
            x[keep],
            label=y[keep],
            weight=None if weight is None else weight[keep],
            feature_name=names,
            categorical_feature=categories,
            params=wanted,
            reference=reference,
        )

    fitted = rows(~select)
    stop = lightgbm.early_stopping(settings["stop_after"], verbose=False)
    return lightgbm.train(wanted, fitted, settings["rounds"], valid_sets=[rows(select, fitted)], valid_names=["select"], callbacks=[stop])


def main():
    folder = pathlib.Path(sys.argv[1])
    settings = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    columns, x, y, select, weight = read(folder, settings)
    trials, best = [], None
    for number, trial in enumerate(settings["trials"], 1):
        model = fit(settings, trial, columns, x, y, select, weight)
        loss = model.best_score["select"]["binary_logloss"]
        trials.append({"parameters": trial, "rounds": model.best_iteration, "log_loss": loss, "chosen": False})
        if best is None or loss < trials[best]["log_loss"]:
            best, chosen = number - 1, model
        print(f"trial {number} of {len(settings['trials'])}: {model.best_iteration} trees, log loss {loss:.5f}", flush=True)
    trials[best]["chosen"] = True
    (folder / "model.txt").write_text(chosen.model_to_string(num_iteration=chosen.best_iteration), encoding="utf-8", newline="\n")

    shown = x[select]
    shown = shown[:: max(1, len(shown) // settings["golden"])][: settings["golden"]]
    again = lightgbm.Booster(model_file=str(folder / "model.txt"))
    raw = again.predict(shown, raw_score=True, num_threads=settings["threads"])
    result = {
        "lightgbm": lightgbm.__version__,
        "trials": trials,
        "gains": chosen.feature_importance("gain", iteration=chosen.best_iteration).tolist(),
        "golden": [{"row": row.tolist(), "raw": score} for row, score in zip(shown, raw.tolist())],
    }
    (folder / "fit.json").write_text(json.dumps(result, allow_nan=False), encoding="utf-8")


if __name__ == "__main__":
    main()
