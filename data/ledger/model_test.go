package ledger

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"slices"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"recoup/data"
)

var jobs = rapid.Custom(func(t *rapid.T) Job {
	var j Job
	for range rapid.IntRange(0, 4).Draw(t, "drafts") {
		j.Drafts = append(j.Drafts, drafts.Draw(t, "draft"))
	}
	if rapid.IntRange(0, 2).Draw(t, "once") == 0 {
		key, print := rapid.SampledFrom([]string{"k1", "k2", "k3"}).Draw(t, "key"), rapid.SampledFrom([]byte{1, 1, 2}).Draw(t, "print")
		j.Once = &Once{Key: key, Fingerprint: [32]byte{print}, Answer: func(r []Receipt) (int, []byte) { return 200 + len(r), fmt.Append(nil, r) }}
	}
	return j
})

var drafts = rapid.Custom(func(t *rapid.T) Draft {
	d := Draft{
		Kind: rapid.SampledFrom([]Kind{Event, Decision}).Draw(t, "kind"), Key: fmt.Sprint("e", rapid.IntRange(1, 25).Draw(t, "key")), CaseID: "c", CustomerID: "u",
		Body: rapid.SampledFrom([][]byte{[]byte("1"), []byte("1"), []byte("1"), []byte("2")}).Draw(t, "body"), KnownAt: data.Micros(rapid.SampledFrom([]int{0, 0, 5, 2_000_000}).Draw(t, "known")),
	}
	for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "claims") {
		c := Claim{Name: fmt.Sprint("n", rapid.IntRange(1, 30).Draw(t, "name")), Same: rapid.Bool().Draw(t, "same")}
		if !slices.ContainsFunc(d.Claims, func(is Claim) bool { return is.Name == c.Name }) {
			d.Claims = append(d.Claims, c)
		}
	}
	if rapid.IntRange(0, 2).Draw(t, "moves") == 0 {
		no := rapid.IntRange(1, 4).Draw(t, "no")
		m := Move{CaseID: "c", No: int32(no), AttemptID: fmt.Sprint("a", no), To: AttemptState(rapid.IntRange(int(Intended), int(Refunded)).Draw(t, "to")), ByPoll: rapid.Bool().Draw(t, "poll")}
		switch rapid.IntRange(0, 7).Draw(t, "odd") {
		case 0:
			m.AttemptID = "a1"
		case 1:
			m.CaseID, m.No = "", 0
		}
		d.Move = &m
	}
	return d
})

// Whatever jobs come, together or one after another: what became of each is what
// one after another in some order gives in a naive ledger.
func TestModel(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		c, clock := testConfig(url)
		c.Secret = Secret{"s1", bytesOf(7, 32)}
		l := mustOpen(t, c)
		tenants := 0
		rapid.Check(t, func(t *rapid.T) {
			tenants++
			b, err := l.Book(context.Background(), fmt.Sprint("t", tenants), 0)
			if err != nil {
				t.Fatal(err)
			}
			var followed []Entry
			if err := b.Follow(context.Background(), 0, func(e []Entry) { followed = append(followed, e...) }); err != nil {
				t.Fatal(err)
			}
			model := newNaive()
			for range rapid.IntRange(1, 4).Draw(t, "rounds") {
				clock.Add(100)
				round(t, b, model, clock.now(), rapid.SliceOfN(jobs, 1, 6).Draw(t, "jobs"))
			}
			if d := gocmp.Diff(model.entries, followed); d != "" {
				t.Fatal("followed:", d)
			}
			if read, err := readAll(b); err != nil || !gocmp.Equal(model.entries, read) {
				t.Fatal(err, gocmp.Diff(model.entries, read))
			}
			for id := range 5 {
				a, ok, err := b.Attempt(context.Background(), fmt.Sprint("a", id))
				want, known := model.attempts[fmt.Sprint("a", id)]
				if err != nil || ok != known || a != want {
					t.Fatal("attempt:", a, ok, err, "expected", want)
				}
			}
			checkChain(t, b, c.Secret)
		})
	})
}

// result is what became of a job.
type result struct {
	job  Job
	done Done
	err  error
}

// round appends jobs at once. It fails if no order of theirs explains the results,
// and leaves the model behind the order that does.
func round(t *rapid.T, b *Book, model *naive, now data.Micros, jobs []Job) {
	results := make([]result, len(jobs))
	var wait sync.WaitGroup
	for i, j := range jobs {
		wait.Go(func() {
			done, err := b.Append(context.Background(), j)
			results[i] = result{j, done, err}
		})
	}
	wait.Wait()
	if !explain(model, now, results) {
		for _, r := range results {
			t.Logf("%+v: %+v, %v", r.job, r.done, r.err)
		}
		t.Fatalf("no order of the jobs gives this after %v", model)
	}
}

func explain(model *naive, now data.Micros, results []result) bool {
	if len(results) == 0 {
		return true
	}
	for i, r := range results {
		after := model.clone()
		done, err := after.append(r.job, now)
		if (err == nil) != (r.err == nil) || err != nil && !errors.Is(r.err, err) || !gocmp.Equal(done, r.done) {
			continue
		}
		if explain(after, now, slices.Concat(results[:i], results[i+1:])) {
			*model = *after
			return true
		}
	}
	return false
}

func readAll(b *Book) (out []Entry, err error) {
	for e, err := range b.Scan(context.Background(), 0) {
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func bytesOf(b byte, n int) []byte { return slices.Repeat([]byte{b}, n) }

// checkChain computes a chain anew, as the package comment has it.
func checkChain(t interface{ Fatal(...any) }, b *Book, s Secret) {
	text := func(h hash.Hash, s string) {
		binary.Write(h, binary.BigEndian, uint64(len(s)))
		h.Write([]byte(s))
	}
	h := sha256.New()
	h.Write([]byte("recoup-ledger-v1\x00"))
	text(h, b.ledger.id)
	text(h, b.tenant)
	previous := string(h.Sum(nil))
	rows, err := b.ledger.read.Query(`SELECT seq, known_at, kind, key, case_id, customer_id, key_id, digest, hash, salt, body FROM entries WHERE book = $1 ORDER BY seq`, b.id)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var e Entry
		var keyID string
		var digest, sum, salt []byte
		if err := rows.Scan(&e.Seq, (*int64)(&e.KnownAt), &e.Kind, &e.Key, &e.CaseID, &e.CustomerID, &keyID, &digest, &sum, &salt, &e.Body); err != nil {
			t.Fatal(err)
		}
		h := sha256.New()
		h.Write(salt)
		text(h, e.CaseID)
		text(h, e.CustomerID)
		h.Write(e.Body)
		if string(h.Sum(nil)) != string(digest) || keyID != s.ID || len(salt) != 16 {
			t.Fatal("digest of entry", e.Seq)
		}
		h = sha256.New()
		if s.ID != "" {
			h = hmac.New(sha256.New, s.Key)
		}
		h.Write([]byte("recoup-ledger-v1\x00"))
		text(h, previous)
		binary.Write(h, binary.BigEndian, []int64{e.Seq, int64(e.KnownAt)})
		text(h, e.Kind.String())
		text(h, e.Key)
		text(h, keyID)
		h.Write(digest)
		if previous = string(h.Sum(nil)); previous != string(sum) {
			t.Fatal("hash of entry", e.Seq)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	var head []byte
	if err := b.ledger.read.QueryRow(`SELECT hash FROM books WHERE book = $1`, b.id).Scan(&head); err != nil || string(head) != previous {
		t.Fatal("hash of the book", err)
	}
}
