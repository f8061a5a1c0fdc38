package chaos

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"recoup/data/ledger"
)

const hookSecret = "the secret of these tests"

// sign makes a request one of the provider's, with an event id of its body.
func sign(r *http.Request, body string) {
	mac := hmac.New(sha256.New, []byte(hookSecret))
	mac.Write([]byte(body))
	r.Header.Set("X-Razorpay-Signature", hex.EncodeToString(mac.Sum(nil)))
	sum := sha256.Sum256([]byte(body))
	r.Header.Set("X-Razorpay-Event-Id", "evt_"+hex.EncodeToString(sum[:7]))
}

// hookBody is a failed payment as the provider documents it.
func hookBody(payment string) string {
	at := time.Now().Unix()
	return fmt.Sprintf(`{"entity":"event","account_id":"acc_00000000000001","event":"payment.failed","contains":["payment"],"payload":{"payment":{"entity":{"id":%q,"entity":"payment","amount":49900,"currency":"INR",`+
		`"status":"failed","order_id":"order_%s","invoice_id":null,"method":"card","card_id":"card_00000000000001","card":{"id":"card_00000000000001","network":"MasterCard","issuer":"HDFC"},`+
		`"bank":null,"wallet":null,"vpa":null,"email":"meera@invented.example","contact":"+919820012345","customer_id":"cust_00000000000001","token_id":"token_00000000000001",`+
		`"error_code":"BAD_REQUEST_ERROR","error_source":"issuer_bank","error_step":"payment_authorization","error_reason":"insufficient_funds","created_at":%d}}},"created_at":%d}`,
		payment, payment[4:], at-5, at)
}

// A webhook that comes twenty times at once is one: a single delivery says that it was
// recorded, and the book has its entry and its rows once.
func TestTwentyHooksAtOnce(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { hooks(t, filepath.Join(t.TempDir(), "ledger.db"), 1) })
	t.Run("two servers on postgres", func(t *testing.T) { hooks(t, postgresURL(t), 2) })
}

func hooks(t *testing.T, ledgerURL string, servers int) {
	s := newSite(t, ledgerURL, servers)
	for event := range 5 {
		body := hookBody(fmt.Sprintf("pay_%014d", event))
		before := len(s.entries(0))
		var wait sync.WaitGroup
		var mu sync.Mutex
		results := map[string]int{}
		for i := range 20 {
			c := s.client(i)
			wait.Go(func() {
				a := c.give(request{path: "/v1/webhooks/razorpay", body: body})
				mu.Lock()
				defer mu.Unlock()
				for _, word := range []string{"recorded", "duplicate", "kept", "refused"} {
					if strings.Contains(string(a.body), `"result":"`+word) {
						results[word]++
					}
				}
			})
		}
		wait.Wait()
		if results["recorded"] != 1 || results["duplicate"] != 19 {
			t.Errorf("event %d: %v, want one recorded and 19 duplicates", event, results)
		}
		kinds := map[ledger.Kind]int{}
		for _, e := range s.entries(0)[before:] {
			kinds[e.Kind]++
		}
		if kinds[ledger.Webhook] != 1 || kinds[ledger.Event] != 2 || len(kinds) != 2 { // its attempt was made, and failed
			t.Errorf("event %d made %v", event, kinds)
		}
	}
	s.verify()
}
