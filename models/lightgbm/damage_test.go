package lightgbm

import (
	"errors"
	"flag"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

var damages = flag.Int("damages", 60, "random damages of each fixture in TestDamage")

// Whatever happens to the bytes of a file, Load answers in time and within memory, and
// what it takes it reads alike in three ways; go test -run TestDamage -damages 10000 for all.
// The time allowed is that of a hang: a slow machine does not fail it.
func TestDamage(t *testing.T) {
	for k, f := range fixtures(t) {
		t.Run(f.name, func(t *testing.T) {
			dice := rand.New(rand.NewPCG(7, uint64(k)))
			taken := 0
			for i := range *damages {
				text := damaged(dice, f.text)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				began := time.Now()
				_, err := Load(text, nil)
				took := time.Since(began)
				runtime.ReadMemStats(&after)
				if err == nil {
					taken++
				} else if !errors.As(err, new(*Fault)) {
					t.Errorf("damage %d: %v, want a Fault", i, err)
				}
				if got, most := after.TotalAlloc-before.TotalAlloc, uint64(10*len(text)+16<<20); got > most {
					t.Errorf("damage %d: %d bytes allocated for a file of %d", i, got, len(text))
				}
				if took > 5*time.Second {
					t.Errorf("damage %d: took %v", i, took)
				}
			}
			if *damages > 30 && (taken == 0 || taken == *damages) {
				t.Errorf("%d of %d damaged files were taken: the damages are not what they should be", taken, *damages)
			}
		})
	}
}

// damaged changes one byte, or cuts the text off.
func damaged(dice *rand.Rand, text []byte) []byte {
	at := dice.IntN(len(text))
	if dice.IntN(4) == 0 {
		return text[:at:at]
	}
	out := append([]byte{}, text...)
	const likely = "0123456789-+.eEinfa =\n:[]xX\r\x00\xff"
	if out[at] = likely[dice.IntN(len(likely))]; dice.IntN(3) == 0 {
		out[at] = byte(dice.IntN(256))
	}
	return out
}

// Every cut of a file is refused until its trees are whole.
func TestCuts(t *testing.T) {
	text := readFixture(t, "tiny_linear").text
	e := edit(t, "tiny_linear")
	end := len(text) - len(e.rest) + len("end of trees\n")
	for n := range end {
		if _, err := Parse(text[:n]); err == nil {
			t.Errorf("the first %d bytes were taken", n)
		}
	}
}

// A single byte lost or doubled before the end of the trees shows.
func TestLostAndDoubledBytes(t *testing.T) {
	text := readFixture(t, "tiny").text
	end := len(text) - len(edit(t, "tiny").rest)
	start := 0
	for start < len(text) && string(text[start:start+7]) != "Tree=0\n" {
		start++
	}
	for at := start; at < end; at++ {
		lost := append(append([]byte{}, text[:at]...), text[at+1:]...)
		doubled := append(append([]byte{}, text[:at+1]...), text[at:]...)
		for _, b := range [][]byte{lost, doubled} {
			if _, err := Parse(b); err == nil {
				t.Fatalf("byte %d lost or doubled was taken", at)
			}
		}
	}
}

// FuzzLoad: no text may make Load panic, and a text whose trees' sizes were put right
// goes deeper. Run it for longer by
//
//	go test ./models/lightgbm -run '^$' -fuzz '^FuzzLoad$' -fuzztime 30m
func FuzzLoad(f *testing.F) {
	for _, name := range []string{"tiny", "tiny_category", "tiny_linear", "one_leaf", "names"} {
		f.Add(readFixture(f, name).text)
	}
	f.Add(stump{}.text())
	f.Add(stump{infos: "-1:0:3", decision: "9", threshold: "0", sets: "cat_boundaries=0 1\ncat_threshold=9\n"}.text())
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, b := range [][]byte{text, resized(string(text))} {
			l, err := Load(b, nil)
			if err != nil {
				if !errors.As(err, new(*Fault)) {
					t.Errorf("%v, want a Fault", err)
				}
				continue
			}
			l.Model.Summary()
		}
	})
}
