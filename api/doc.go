// Package api answers over HTTP: gin carries the requests, huma v2 describes
// them as OpenAPI 3.1 and checks parameters, score decides.
//
//	POST /v1/score                    every candidate that the gate allows, with P, uplift and expected value
//	POST /v1/decide                   the same, and the one chosen: recorded, then answered
//	POST /v1/decisions:batch          the day's pass over the open cases
//	GET  /v1/decisions/{decision_id}  why, and what came of it
//	POST /v1/events, /v1/outcomes, /v1/promises
//	GET  /v1/due                      what to do now
//	GET  /v1/queue                    who is to be looked at by a person; POST /v1/queue/{decision_id} what came of it
//	POST /v1/webhooks/razorpay        a provider's webhook, by its signature
//	GET  /v1/models                   the registry, its aliases, the model in use
//	GET  /v1/reasons                  the reasons table, filtered by class, rail and text
//	GET  /livez                       the process runs
//	GET  /readyz                      it should be sent requests: golden rows are scored again; 503 says why not
//	GET  /metrics                     Prometheus text
//	GET  /openapi.json                the description of all that
//
// and on an address of its own, for keys with the scope admin: /admin/models with promote
// and rollback, /admin/checkpoint, /admin/export, /metrics.
//
// Pages for people (package api/pages) are served beside them.
//
// # Who calls
//
// A caller has a key (keys.go): it says whose data a request is about, and its scopes what
// may be asked; needs has the scope of every route. A server without keys answers
// everybody, and listens on loopback alone. A webhook has no key: the secret that signed
// it says whose it is.
//
// A tenant has a folder, models, a policy and a present (package api/live); all share the
// ledger. What one has, no key of another sees, but the metrics, which tell of all of them
// and are for the main tenant's.
//
// # A request's way
//
// Every request gets an id (its own X-Request-Id where that is sound), the
// headers of a careful server, a place among the bounded number in flight, a
// deadline and a bounded body, its tenant, and its Idempotency-Key where it has one
// (idempotency.go: the key goes into the ledger with the job); then the route. What goes wrong anywhere is told as
// application/problem+json (RFC 9457) with a code that programs can rely on, see
// Codes; the cause of an internal error goes to the log alone. The access log
// is one line a request: never a query string, a header or a body.
//
// # The model
//
// A request asks the engine it found when it began. A promotion is noticed by
// looking at the registry's aliases; the new model is loaded, verified and asked
// its golden rows before it takes over, else the old one stays.
//
// # What huma and gin do by default and is overridden
//
// No global variable of either is changed but gin's mode, which has no other
// place. Errors of huma's own are rewritten by a Transformer of this API
// (so that no cause is echoed), no hook adds a $schema link made of the Host
// header, no page loads scripts from elsewhere, unknown query parameters are
// refused, and bodies are read by score.ParseRequest, which knows duplicate
// keys, key case and trailing data, instead of encoding/json, which does not.
package api
