"""Makes the tour's calls with a client that was generated from the description, and
checks that every answer has the type that the description says.

Arguments: the server's URL, the key, the folder for decisions.txt: the ids of the
decisions that were made."""

import json
import sys
import urllib.request
from pathlib import Path

from recoup_client import AuthenticatedClient
from recoup_client.api.default import decide, decide_batch, decision, due, events, models, outcomes, promises, queue, queue_change, readyz, reasons, score
from recoup_client.models import (
    DecideBatchBody, Decided, Due, DueStep, EscalationTaken, EventsBody, EventsTaken, Models, OutcomesBody, Passed, Problem, PromisesBody, Queue, QueueChangeBody,
    Ready, ReasonList, RequestAt, RequestNow, RowTaken, Scored, Trail)

url, key, folder = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key, raise_on_unexpected_status=True)
calls = 0


def call(operation, expected, status=200, **arguments):
    """Calls, demands an answer of the status and type, and that it is the same JSON
    when the client writes it again: nothing of it was lost or turned into another."""
    global calls
    answer = operation.sync_detailed(client=client, **arguments)
    assert answer.status_code == status, f"{operation.__name__}: {answer.status_code} {answer.content.decode()}"
    assert isinstance(answer.parsed, expected), f"{operation.__name__}: {type(answer.parsed)}, expected {expected}"
    sent, again = json.loads(answer.content), json.loads(json.dumps(answer.parsed.to_dict()))
    assert same(sent, again), f"{operation.__name__}: {sent}\nis read as\n{again}"
    calls += 1
    return answer.parsed


def same(a, b):
    """Equal as JSON; two ways to write one time are the same."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, str) and isinstance(b, str) and a.endswith("Z"):
        return a.removesuffix("Z") == b.removesuffix("Z").removesuffix("+00:00").rstrip("0" if "." in b and "." in a else "")
    return a == b


def attempt(case, number, identity, at, status, **more):
    return {"table": "attempts", "occurred_at": at, "case_id": case, "attempt_no": number, "attempt_id": identity, "customer_id": "cust-" + case,
            "mandate_id": "mandate-" + case, "rail": "upi_autopay", "bank": "HDFC", "amount_paise": 49900, "status": status, **more}


def post(*rows, status=200, expected=EventsTaken, **arguments):
    return call(events, expected, status, body=EventsBody.from_dict({"events": list(rows)}), **arguments)


monday = "2026-02-02T07:00:00+05:30"
call(readyz, Ready)
call(reasons, ReasonList)
call(models, Models)

# A charge fails; a retry is decided, announced, due, done, and paid.
first = [{"table": "mandates", "occurred_at": monday, "mandate_id": "mandate-inv-1", "customer_id": "cust-inv-1", "rail": "upi_autopay", "status": "active"},
         attempt("inv-1", 0, "pay-1", monday, "failed", reason="insufficient_funds")]
assert post(*first, idempotency_key="monday-1").recorded == 2
assert post(*first, idempotency_key="monday-1").recorded == 2, "the stored answer"
assert post(*first).duplicates == 2
made = call(decide, Decided, body=RequestNow.from_dict({"as_of": "now", "case_id": "inv-1"}))
again = call(decide, Decided, body=RequestNow.from_dict({"as_of": "now", "case_id": "inv-1"}))
assert made.decision_id == again.decision_id and again.standing and not made.standing
assert made.choice.action == "retry", made.choice
retry_at = made.to_dict()["choice"]["at"]
post({"table": "notices", "occurred_at": made.to_dict()["choice"]["notice_by"], "case_id": "inv-1", "mandate_id": "mandate-inv-1", "kind": "pre_debit", "status": "delivered",
      "amount_paise": 49900, "debit_at": retry_at})
call(due, Due)
listed = call(due, Due, step=DueStep.RETRY, at=made.choice.at)
steps = listed.steps
assert [s.attempt_key for s in steps] == ["inv-1:1"] and steps[0].decision_id == made.decision_id, listed
post(attempt("inv-1", 1, "pay-2", retry_at, "pending", initiator="recoup", decision_id=made.decision_id))
taken = post(attempt("inv-1", 1, "pay-3", retry_at, "pending", initiator="recoup"), status=409, expected=Problem)
assert taken.code == "conflict", taken
post(attempt("inv-1", 1, "pay-2", retry_at, "captured", initiator="recoup", decision_id=made.decision_id))
paid = {"decision_id": made.decision_id, "attempt_id": "pay-2", "occurred_at": retry_at, "recovered": True, "recovered_paise": 49900, "cost_paise": 200,
        "settled_at": retry_at, "window_closed": True}
call(outcomes, RowTaken, body=OutcomesBody.from_dict(paid))
trail = call(decision, Trail, decision_id=made.decision_id)
assert trail.outcomes[0].recovered and trail.attempts[0].state == "captured", trail
over = call(decide, Problem, 422, body=RequestNow.from_dict({"as_of": "now", "case_id": "inv-1"}))
assert over.code == "undecidable", over

# One that only a person can mend goes to the queue, with an owner and a result.
asked = call(decide, Decided, body=RequestNow.from_dict({"as_of": "now", "case_id": "inv-2", "events": [attempt("inv-2", 0, "pay-4", retry_at, "failed", reason="bank_not_enabled")]}))
assert asked.choice.action == "escalate", asked.choice
assert [e.decision_id for e in call(queue, Queue).escalations] == [asked.decision_id]
assert call(queue_change, EscalationTaken, decision_id=asked.decision_id, body=QueueChangeBody.from_dict({"owner": "asha", "note": "asks the bank"})).owner == "asha"

# One that a promise waits for; the day's pass; a question without a record; what is unknown.
waits = attempt("inv-3", 0, "pay-5", retry_at, "failed", reason="insufficient_funds")
post(waits)
call(promises, RowTaken, body=PromisesBody.from_dict({"case_id": "inv-3", "occurred_at": retry_at, "promised_for": "2026-02-10T12:00:00+05:30", "status": "made"}))
passed = call(decide_batch, Passed, body=DecideBatchBody.from_dict({"as_of": "now"}))
assert {d.case_id for d in passed.decisions} >= {"inv-3"}, passed
call(score, Scored, body=RequestNow.from_dict({"as_of": "now", "case_id": "inv-3"}))
apart = call(decide, Decided, body=RequestAt.from_dict({"as_of": retry_at, "events": [waits]}))
assert call(decision, Problem, 404, decision_id="dec_0123456789abcdef01234567").code == "unknown"
client = AuthenticatedClient(base_url=url, token="nobody", raise_on_unexpected_status=True)
assert call(queue, Problem, 401).code == "unauthenticated"

ids = [made.decision_id, asked.decision_id, apart.decision_id, *(d.decision_id for d in passed.decisions)]
(Path(folder) / "decisions.txt").write_text("".join(f'"{i}"\n' for i in dict.fromkeys(ids)))
with urllib.request.urlopen(f"{url}/openapi.json") as served:
    operations = [o for path in json.load(served)["paths"].values() for o in path]
print(f"{calls} calls by a client of {len(operations)} operations: every answer has the type that the description says")
