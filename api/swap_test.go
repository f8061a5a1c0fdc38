package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"recoup/models"
)

// TestSwapsUnderLoad promotes back and forth 200 times while callers ask: every
// answer is whole and by one model, none fails, nothing is left behind.
func TestSwapsUnderLoad(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	w := serve(t, -1, func(c *Config) { c.Poll = 100 * time.Microsecond })
	ids := [2]models.ID{w.main.champion.modelID(), w.save(-2)}
	body := example(t)
	want := map[string]string{} // the answer of each model, without the request's id
	for _, id := range ids {
		w.promote(id)
		w.main.champion.look()
		want[string(id)] = string(sameButID(w.request("POST", "/v1/decide", body).body))
	}
	if want[string(ids[0])] == want[string(ids[1])] || len(want) != 2 {
		t.Fatal("the two models answer alike")
	}
	addr, stop := w.run()
	ctx, cancel := context.WithCancel(context.Background())
	var asked atomic.Int64
	var callers sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}}
	seen := sync.Map{}
	for range 4 {
		callers.Go(func() {
			for ctx.Err() == nil {
				res, err := client.Post("http://"+addr+"/v1/decide", "application/json", strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				got, err := io.ReadAll(res.Body)
				res.Body.Close()
				var d Decided
				if err != nil || res.StatusCode != 200 || json.Unmarshal(got, &d) != nil || d.ModelID == nil || string(sameButID(got)) != want[*d.ModelID] {
					t.Errorf("%v %d %.300s", err, res.StatusCode, got)
					return
				}
				seen.Store(*d.ModelID, true)
				asked.Add(1)
			}
		})
	}
	var before, after runtime.MemStats
	swaps := 200
	if testing.Short() {
		swaps = 40
	}
	for i := range swaps {
		id := ids[i%2]
		w.promote(id)
		for deadline := time.Now().Add(30 * time.Second); w.main.champion.modelID() != id; {
			if time.Now().After(deadline) {
				t.Fatal("the promotion is not noticed")
			}
			time.Sleep(100 * time.Microsecond)
		}
		if i == 20 {
			runtime.GC()
			runtime.ReadMemStats(&before)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	cancel()
	callers.Wait()
	client.CloseIdleConnections()
	if err := stop(); err != nil {
		t.Error(err)
	}
	for _, id := range ids {
		if _, ok := seen.Load(string(id)); !ok {
			t.Errorf("%s never answered, of %d requests", id, asked.Load())
		}
	}
	if m := string(w.request("GET", "/metrics", "").body); !strings.Contains(m, "recoup_model_swap_failures_total 0\n") || strings.Count(m, "recoup_model_info{") != 1 {
		t.Error(m)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 32<<20 { // a model takes some 3 MiB: 180 kept would be 500
		t.Errorf("the heap grew by %d MiB over 180 swaps", grown>>20)
	}
	t.Logf("%d requests while models were swapped", asked.Load())
}

// sameButID takes the request's id out of an answer.
func sameButID(body []byte) []byte {
	_, rest, _ := bytes.Cut(body, []byte(","))
	return rest
}

func TestReloadLooksAtOnce(t *testing.T) {
	w := serve(t, -1, func(c *Config) { c.Poll = time.Hour })
	reload := make(chan os.Signal)
	w.parts.Reload = reload
	w.run()
	second := w.save(-2)
	w.promote(second)
	reload <- syscall.SIGHUP
	reload <- syscall.SIGHUP // taken when the first look is over
	if w.main.champion.modelID() != second {
		t.Error("SIGHUP did not look at the aliases")
	}
}
