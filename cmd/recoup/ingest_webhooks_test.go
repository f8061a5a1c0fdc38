package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWebhooksKilled: an ingest of webhooks killed at random moments ends, when
// it is run again, with the bytes of an uninterrupted one, and leaves nothing
// else. The real program is killed.
func TestWebhooksKilled(t *testing.T) {
	home := t.TempDir()
	archive, key := filepath.Join(home, "hooks.jsonl"), filepath.Join(home, "key")
	if err := os.WriteFile(archive, []byte(hooks(6000)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(key, []byte("sixteen bytes at least"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(dir string) *exec.Cmd {
		return exec.Command("recoup", "ingest", "--webhooks", archive, "--dir", dir, "--identity-key", key)
	}
	plain := filepath.Join(home, "plain")
	began := time.Now()
	if out, err := run(plain).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	takes := time.Since(began)
	want := filesOf(t, plain)
	rng := rand.New(rand.NewPCG(3, 4))
	killed := 0
	for i := range 2 {
		dir := filepath.Join(home, fmt.Sprint(i))
		for range 4 {
			cmd := run(dir)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(rng.Float64() * float64(takes)))
			if cmd.Process.Kill() == nil {
				killed++
			}
			cmd.Wait()
		}
		if out, err := run(dir).CombinedOutput(); err != nil {
			t.Fatalf("after the kills: %v: %s", err, out)
		}
		if got := filesOf(t, dir); got != want {
			t.Errorf("killed four times:\n%s\nundisturbed:\n%s", got, want)
		}
	}
	if killed < 5 {
		t.Errorf("only %d kills found a process", killed)
	}
}

// hooks are lines about failed and captured payments, and every tenth of a type
// that is only kept.
func hooks(n int) string {
	var b strings.Builder
	for i := range n {
		payment := fmt.Sprintf(`"payment":{"entity":{"id":"pay_%014d","amount":49900,"currency":"INR","status":%%q,"order_id":"order_%014d","method":"card","contact":"+9198200%05d","created_at":%d}}`,
			i/2, i/4, i%100_000, 1_767_225_600+i)
		name, body := "payment.failed", fmt.Sprintf(payment, "failed")
		if i%2 == 1 {
			name, body = "payment.captured", fmt.Sprintf(payment, "captured")
		}
		if i%10 == 9 {
			name, body = "payout.pending", fmt.Sprintf(`"payout":{"entity":{"id":"pout_%014d"}}`, i)
		}
		fmt.Fprintf(&b, `{"event_id":"evt%014d","received_at":%d,"body":{"event":%q,"payload":{%s},"created_at":%d}}`+"\n", i, 1_767_225_700+i, name, body, 1_767_225_650+i)
	}
	return b.String()
}

// filesOf is every file of a folder but the locks, with its bytes' sum.
func filesOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == ".lock" {
			return err
		}
		all, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		fmt.Fprintf(&b, "%s %x\n", rel, sha256.Sum256(all))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
