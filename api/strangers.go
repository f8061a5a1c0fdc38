package api

import (
	"sync"
	"time"
)

// strangerRate is how many callers without a valid key or signature are told so in a
// second, and strangerBurst how many at once; the others get 429. Who has a key is
// never among them: it is looked at first.
const (
	strangerRate  = 20
	strangerBurst = 100
)

// strangers is a bucket that fills with time; its zero value is full.
type strangers struct {
	mu   sync.Mutex
	used float64 // of strangerBurst
	at   time.Time
}

// allow takes one from the bucket.
func (s *strangers) allow(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if passed := now.Sub(s.at).Seconds(); passed > 0 {
		s.used, s.at = max(0, s.used-passed*strangerRate), now
	}
	if s.used+1 > strangerBurst {
		return false
	}
	s.used++
	return true
}
