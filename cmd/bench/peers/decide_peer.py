"""The decision service as a Python team would write it: FastAPI, LightGBM and SQLite.

usage: PEER_DIR=D uvicorn decide_peer:app --app-dir cmd/bench/peers [--workers N]

POST /v1/decide {"as_of": "now", "case_id": ...} predicts the 57 slots of a grid (200 trees
of 31 leaves, 60 columns, one thread), chooses the best, commits one INSERT with what it
decided (WAL, synchronous=FULL) and answers with every slot. No events are folded, no gate is
asked and nothing is hashed: that is the work of the other side alone.
"""
import json
import os
import sqlite3
import threading
import uuid

import lightgbm
import numpy
from fastapi import FastAPI
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict

SLOTS, COLUMNS = 57, 60


def model():
    r = numpy.random.default_rng(1)
    x = r.standard_normal((20000, COLUMNS))
    y = r.random(20000) < 1 / (1 + numpy.exp(1.5 - x[:, 0] - x[:, 1] * x[:, 2]))
    params = {"objective": "binary", "num_leaves": 31, "verbose": -1, "num_threads": 1, "seed": 1}
    return lightgbm.train(params, lightgbm.Dataset(x, y), 200)


def database():
    db = sqlite3.connect(os.path.join(os.environ["PEER_DIR"], "peer.db"), timeout=10, check_same_thread=False, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE IF NOT EXISTS decisions (id TEXT PRIMARY KEY, case_id TEXT NOT NULL, body TEXT NOT NULL) STRICT")
    return db


class Question(BaseModel):
    model_config = ConfigDict(extra="forbid")
    as_of: str
    case_id: str


booster, db, lock = model(), database(), threading.Lock()
app = FastAPI()


@app.get("/livez")
def livez():
    return {"alive": True}


@app.post("/v1/decide")
def decide(q: Question):
    row = numpy.random.default_rng(abs(hash(q.case_id))).standard_normal(COLUMNS)
    rows = numpy.tile(row, (SLOTS, 1))
    rows[:, 0] = numpy.linspace(-1, 1, SLOTS)
    p = booster.predict(rows, num_threads=1)
    best = int(p.argmax())
    body = {"decision_id": str(uuid.uuid4()), "case_id": q.case_id, "chosen": best, "row": row.tolist(),
            "candidates": [{"action": "retry", "at": i * 21600, "p": float(v), "ev_paise": int(v * 49900), "propensity": 1.0 if i == best else 0.0}
                           for i, v in enumerate(p)]}
    text = json.dumps(body)
    with lock:
        db.execute("INSERT INTO decisions VALUES (?, ?, ?)", (body["decision_id"], q.case_id, text))
    return Response(text, media_type="application/json")
