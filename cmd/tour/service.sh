#!/usr/bin/env bash
# The loop of the service with curl: a charge fails, recoup decides, the shop acts and
# says what came of it, the night job learns, and the next decision is the new model's.
#
# It runs in a folder with shop/ (the event log of the shop's past) and later/ (what
# else happens to the shop, a body for /v1/events a day): make tour makes both. Its arguments go on to recoup nightly. Needs recoup and curl.
set -euo pipefail
export LC_ALL=C
answer=$(mktemp)
trap 'kill "${server:-}" 2>/dev/null || true; wait; rm -f "$answer"' EXIT

say() { printf '\n# %s\n' "$*"; }
run() { printf '\n$ %s\n' "$*"; "$@"; }
die() { printf '\ntour: %s\n' "$*" >&2; sed 's/^/  /' "$answer" >&2; exit 1; }

# ask STATUS PATH [BODY] shows the line as a person would type it, and sends it.
ask() {
  local expected=$1 path=$2 body=${3-} got
  local typed="curl -s '$URL$path' -H \"Authorization: Bearer \$RECOUP_KEY\""
  local options=(-s -H "Authorization: Bearer $RECOUP_KEY")
  if [ -n "$body" ]; then
    typed="$typed -H 'Content-Type: application/json' -d '$body'"
    options+=(-H 'Content-Type: application/json' -d "$body")
  fi
  printf '\n$ %s\n' "$typed"
  got=$(curl "${options[@]}" -o "$answer" -w '%{http_code}' "$URL$path") || die "$path: no answer"
  [ "$got" = "$expected" ] || die "$path answered $got, expected $expected"
}

# field NAME is the first "NAME":value of the answer, value NAME what it holds, and
# show NAMES a short form of the answer.
field() { { grep -oE "\"$1\":(\"([^\"\\]|\\\\.)*\"|\{[^{}]*\}|[^][\",{}]+)" "$answer" || true; } | sed -n 1p; }
value() { field "$1" | sed -e 's/^"[^"]*"://' -e 's/^"//' -e 's/"$//'; }
show() {
  local name text=''
  for name; do text="$text, $(field "$name" | cut -c 1-200)"; done
  printf '{%s, ...}\n' "${text#, }"
}

say "A key for the billing system. It is shown this once."
printf '\n$ recoup keys add --dir shop --name billing --scope score,outcomes\n'
RECOUP_KEY=$(recoup keys add --dir shop --name billing --scope score,outcomes | sed -n 1p)
printf '%.12s...\n' "$RECOUP_KEY"

say "The server. --replay: its clock is that of the events, so that days go by in seconds."
printf '\n$ recoup serve --dir shop --ledger shop/ledger.db --replay --listen 127.0.0.1:0 &\n'
recoup serve --dir shop --ledger shop/ledger.db --replay --listen 127.0.0.1:0 --drain-delay 0s >serve.out 2>serve.log &
server=$!
until URL=$(sed -n 's/^Listening on //p' serve.out) && [ -n "$URL" ]; do
  kill -0 $server 2>/dev/null || { cat serve.out serve.log >&2; die "the server did not start"; }
  sleep 0.1
done
sed -n 1,3p serve.out

say "Monday morning: a charge fails. The shop tells it, with the mandate that it rests on."
ask 200 /v1/events '{"events": [
  {"table": "mandates", "occurred_at": "2026-02-02T07:00:00+05:30", "mandate_id": "mandate-1", "customer_id": "cust-1", "rail": "upi_autopay", "status": "active", "max_amount_paise": 100000},
  {"table": "attempts", "occurred_at": "2026-02-02T07:00:00+05:30", "case_id": "inv-1", "attempt_no": 0, "attempt_id": "pay-1", "customer_id": "cust-1", "mandate_id": "mandate-1",
   "rail": "upi_autopay", "bank": "HDFC", "amount_paise": 49900, "status": "failed", "reason": "insufficient_funds"}]}'
show recorded duplicates

say "What is to be done about it?"
ask 200 /v1/decide '{"as_of": "now", "case_id": "inv-1"}'
show decision_id arm model_id standing choice
decision=$(value decision_id) at=$(value choice | sed 's/.*"at":"\([^"]*\)".*/\1/')
notice=$(value choice | sed -n 's/.*"notice_by":"\([^"]*\)".*/\1/p')
[ -n "$notice" ] || die "expected a retry that needs a notice"

# days_until DAY posts what else happened to the shop before it.
days_until() {
  while [ ${#days[@]} -gt 0 ] && [[ ${days[0]} < later/$1.json ]]; do
    ask 200 /v1/events "@${days[0]}"
    show recorded duplicates
    days=("${days[@]:1}")
  done
}
days=(later/*.json)

# after DAY is the next one on which anything happens.
after() { ls later | sed 's/\.json$//' | awk -v day="$1" '$0 > day' | sed -n 1p; }

# pass is the day's: every open case of the shop at once.
pass() {
  ask 200 /v1/decisions:batch '{"as_of": "now"}'
  printf '%s decisions: ' "$(grep -o '"decision_id"' "$answer" | grep -c .)"
  show case_id decision_id action ev_paise
}

say "Days go by, and with them the shop's other payments."
days_until "${notice%%T*}"

say "The customer must be told a day before the debit: what is due, and the shop does it."
ask 200 "/v1/due?at=$notice"
show step case_id attempt_key debit_at
ask 200 /v1/events '{"events": [
  {"table": "notices", "occurred_at": "'"$notice"'", "case_id": "inv-1", "mandate_id": "mandate-1", "kind": "pre_debit", "status": "delivered", "amount_paise": 49900, "debit_at": "'"$at"'"}]}'
show recorded duplicates
day=${at%%T*}
days_until "$day"

say "The retry's time has come."
ask 200 "/v1/due?step=retry&at=$at"
show step case_id decision_id attempt_key attempt_no
grep -q '"held":\[\]' "$answer" || die "the retry is held"

say "The intent before the debit: the attempt's number is taken once, whoever comes second must not debit."
pending='{"events": [{"table": "attempts", "occurred_at": "'"$at"'", "case_id": "inv-1", "attempt_no": 1, "attempt_id": "pay-2", "initiator": "recoup", "decision_id": "'"$decision"'",
  "customer_id": "cust-1", "mandate_id": "mandate-1", "rail": "upi_autopay", "bank": "HDFC", "amount_paise": 49900, "status": "pending"}]}'
ask 200 /v1/events "$pending"
show recorded duplicates
ask 409 /v1/events "${pending/pay-2/pay-3}"
show code detail

say "The debit went through: the attempt is captured, and the decision has an outcome."
ask 200 /v1/events "${pending/pending/captured}"
show recorded duplicates
ask 200 /v1/outcomes '{"decision_id": "'"$decision"'", "attempt_id": "pay-2", "occurred_at": "'"$at"'", "recovered": true, "recovered_paise": 49900, "cost_paise": 200,
  "settled_at": "'"$at"'", "window_closed": true}'
show event_id duplicate

say "The same day another charge fails; what was asked twice stands."
ask 200 /v1/decide '{"as_of": "now", "case_id": "inv-2", "events": [
  {"table": "attempts", "occurred_at": "'"$at"'", "case_id": "inv-2", "attempt_no": 0, "attempt_id": "pay-4", "customer_id": "cust-2", "rail": "upi_autopay", "amount_paise": 29900, "status": "failed", "reason": "insufficient_funds"}]}'
show decision_id arm model_id standing choice
first=$(value decision_id) old=$(value model_id)
ask 200 /v1/decide '{"as_of": "now", "case_id": "inv-2"}'
show decision_id arm model_id standing
[ "$(value decision_id)" = "$first" ] || die "the decision did not stand"

say "The day's pass: every open case of the shop at once."
pass

say "The next day's night job: it verifies the ledger, adds it to the event log, trains, and promotes the new model if it is surely better than what is there."
tomorrow=$(after "$day")
printf '\n$ recoup nightly --dir shop --as-of %s\n' "$tomorrow"
recoup nightly --dir shop --as-of "$tomorrow" "$@" >night.out || { cat night.out >&2; die "the night failed"; }
sed -n -e 1p -e '/^Attempt model:/p' -e '/[Ll]edger/p' night.out
new=$(sed -n 's/^promoted: model \([0-9a-f]*\)[ :].*/\1/p' night.out)
[ -n "$new" ] || die "no model was promoted"

say "The server takes the model over within its --poll; SIGHUP makes it look at once."
printf '\n$ kill -HUP %s\n' $server
kill -HUP $server
for _ in $(seq 100); do
  curl -s -o "$answer" "$URL/readyz"
  [ "$(value model_id)" = "$new" ] && break
  sleep 0.1
done
ask 200 /readyz
show ready arm model_id

say "The same question to the new model."
ask 200 /v1/decide '{"as_of": "now", "case_id": "inv-2"}'
show decision_id arm model_id standing choice
[ "$(value model_id)" = "$new" ] && [ "$new" != "$old" ] && [ "$(value decision_id)" != "$first" ] || die "expected a decision of model $new"

say "Why was the first one decided, and what came of it?"
ask 200 "/v1/decisions/$decision"
show decision_id status recovered recovered_paise

say "Another day goes by, and its pass is the new model's."
next=$(after "$tomorrow")
days_until "$next"
pass
run recoup ledger export --dir shop --as-of "$next"

say "Is all of it what was written, and does the exported log give the feature rows of every decision again, byte for byte?"
run recoup verify --dir shop
run recoup verify --dir shop --parity

say "SIGTERM: requests in flight are answered, then it ends."
printf '\n$ kill %s\n' $server
kill $server
wait $server
server=
