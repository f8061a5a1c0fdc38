package main

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"
)

// inFlightMost bounds the goroutines of a load: beyond it requests wait for a
// place, and the wait counts in their latency.
const inFlightMost = 512

// sample is what a load measured.
type sample struct {
	latencies []time.Duration // sorted; from the time a request was due to the end of its answer
	offered   float64         // requests due a second
	achieved  float64         // answers a second
	failed    int             // other than 200
}

// quantile is the smallest latency that a share p of the requests kept within.
func (s *sample) quantile(p float64) time.Duration {
	if len(s.latencies) == 0 {
		return 0
	}
	return s.latencies[min(len(s.latencies)-1, int(p*float64(len(s.latencies))))]
}

// load sends requests at Poisson times that do not depend on the answers, for a
// while, each with a body of its own turn. A request that leaves late because the
// server is slow counts from when it was due, so that a stall shows in every
// request it delays.
func load(ctx context.Context, client *http.Client, url string, bodies [][]byte, rate float64, d time.Duration) (*sample, error) {
	dice := rand.New(rand.NewPCG(7, uint64(rate)))
	var mu sync.Mutex
	var all sync.WaitGroup
	var s sample
	places := make(chan struct{}, inFlightMost)
	start := time.Now()
	last := start
	for due, i := time.Duration(0), 0; due < d && ctx.Err() == nil; i++ {
		due += time.Duration(dice.ExpFloat64() / rate * float64(time.Second))
		time.Sleep(time.Until(start.Add(due)))
		places <- struct{}{}
		at, body := start.Add(due), bodies[i%len(bodies)]
		all.Go(func() {
			ok := ask(ctx, client, url, body)
			end := time.Now()
			mu.Lock()
			s.latencies = append(s.latencies, end.Sub(at))
			if !ok {
				s.failed++
			}
			if end.After(last) {
				last = end
			}
			mu.Unlock()
			<-places
		})
	}
	all.Wait()
	slices.Sort(s.latencies)
	s.offered = float64(len(s.latencies)) / d.Seconds()
	s.achieved = float64(len(s.latencies)) / max(last.Sub(start), d).Seconds()
	return &s, ctx.Err()
}

func ask(ctx context.Context, client *http.Client, url string, body []byte) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return false
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return err == nil && res.StatusCode == http.StatusOK
}

// newClient keeps its connections.
func newClient() *http.Client {
	return &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: inFlightMost, DisableCompression: true}}
}
