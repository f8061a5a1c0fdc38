package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"recoup/data/ledger"
)

// The headers of an idempotent request and of an answer given again.
const (
	onceHeader     = "Idempotency-Key"
	replayedHeader = "Idempotency-Replayed"
)

// idempotent describes an operation whose requests may bear an Idempotency-Key.
func idempotent(op huma.Operation) huma.Operation {
	least, most := 1, 255
	op.Parameters = append(op.Parameters, &huma.Param{Name: onceHeader, In: "header",
		Description: "Chosen by the caller, e.g. a UUID: the same request with the same key again gets the first one's answer, for 24 hours at least",
		Schema:      &huma.Schema{Type: huma.TypeString, MinLength: &least, MaxLength: &most, Pattern: "^[!-~]+$"}})
	describeCodes(&op, BadOnceKey, Conflict, Reused)
	return op
}

// once is what makes the job of the request of ctx happen once; nil where the
// request bears no Idempotency-Key, and then the job happens. answer is the body
// of the answer, made before the commit out of the receipts, quick and without I/O;
// a request that comes again gets its bytes. A handler whose Done is Replayed
// returns replay(done) as its error.
func once(ctx context.Context, answer func([]ledger.Receipt) any) *ledger.Once {
	c := callOf(ctx)
	if c.once == "" {
		return nil
	}
	return &ledger.Once{Key: c.once, Fingerprint: c.fingerprint, Answer: func(r []ledger.Receipt) (int, []byte) {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(answer(r)); err != nil {
			panic(err) // no answer of the API has a value that JSON has not
		}
		return http.StatusOK, b.Bytes()
	}}
}

// onceOf takes the Idempotency-Key of a request, and the print of the request that
// it goes with.
func (s *Server) onceOf(c *gin.Context, body []byte) *Problem {
	keys := c.Request.Header.Values(onceHeader)
	if len(keys) == 0 {
		return nil
	}
	if len(keys) > 1 || !acceptOnce(keys[0]) {
		return problem(BadOnceKey, "")
	}
	if call := callOf(c.Request.Context()); call.tenant != nil {
		call.once, call.fingerprint = keys[0], fingerprint(c.Request.Method, c.Request.URL.Path, call.tenant.name, body)
	}
	return nil
}

// acceptOnce takes a key that can be stored and told: 1 to 255 visible ASCII characters.
func acceptOnce(key string) bool {
	if len(key) < 1 || len(key) > 255 {
		return false
	}
	for _, b := range []byte(key) {
		if b <= ' ' || b > '~' {
			return false
		}
	}
	return true
}

// fingerprint tells requests with the same Idempotency-Key apart.
func fingerprint(method, path, tenant string, body []byte) [32]byte {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(method), []byte(path), []byte(tenant), body} {
		var n [8]byte
		for i := range n {
			n[i] = byte(uint64(len(part)) >> (56 - 8*i))
		}
		h.Write(n[:])
		h.Write(part)
	}
	return [32]byte(h.Sum(nil))
}

// replay is the answer of the first request with an Idempotency-Key, as an error
// that huma writes as it is.
func replay(d ledger.Done) error { return &replayedAnswer{d.Status, d.Body} }

type replayedAnswer struct {
	status int
	body   []byte
}

func (r *replayedAnswer) Error() string               { return "answered before" }
func (r *replayedAnswer) GetStatus() int              { return r.status }
func (r *replayedAnswer) ContentType(_ string) string { return "application/json" }
func (r *replayedAnswer) GetHeaders() http.Header     { return http.Header{replayedHeader: {"true"}} }

// writeTo is how marshal writes it.
func (r *replayedAnswer) writeTo(w io.Writer) error { _, err := w.Write(r.body); return err }
