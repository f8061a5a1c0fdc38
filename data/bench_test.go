package data

import (
	"context"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// benchAttempt is a plausible attempt: ids as hashes and counters, five rails,
// thirty banks, a customer for every twenty rows.
func benchAttempt(i int) Attempt {
	h := fnv.New128a()
	fmt.Fprint(h, i)
	id := hex.EncodeToString(h.Sum(nil))
	k := int(h.Sum(nil)[3]) | int(h.Sum(nil)[4])<<8
	at := IST(2025, 1, 1, 0, 0) + Micros(i)*6*Second + Micros(k)*1000
	a := Attempt{Event: Event{EventID: id, OccurredAt: at - Micros(k%300)*Second, KnownAt: at},
		CaseID: fmt.Sprintf("case_%08d", i/2), AttemptNo: int32(i % 3), AttemptID: "pay_" + id[:14],
		CustomerID: fmt.Sprintf("cust_%07d", (i*7919)%250_000), SubscriptionID: fmt.Sprintf("sub_%07d", (i*7919)%250_000),
		MandateID: fmt.Sprintf("mdt_%07d", (i*7919)%250_000), MerchantID: "m1", Rail: Rail(1 + k%3),
		Bank: fmt.Sprintf("BANK%02d", k%30), Amount: Paise(9900 + 100*(k%50)), Status: Captured}
	if k%4 > 0 {
		a.Status, a.ErrorCode, a.Source, a.Step = Failed, "BAD_REQUEST_ERROR", "customer", "payment_authorization"
		a.Reason = Reason(2 + k%40)
	}
	return a
}

// benchLog writes a log of n attempts.
func benchLog(b testing.TB, dir string, n int) Manifest {
	w, err := NewWriter(dir, WriteOptions{Currency: "INR"})
	if err != nil {
		b.Fatal(err)
	}
	rows := make([]Attempt, 0, 1000)
	for i := range n {
		j := i ^ 0x3ff // not quite in order
		if j >= n {
			j = i
		}
		rows = append(rows, benchAttempt(j))
		if len(rows) == cap(rows) || i == n-1 {
			if err := Add(w, rows...); err != nil {
				b.Fatal(err)
			}
			rows = rows[:0]
		}
	}
	m, err := w.Commit(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// benchRows is the size of the benchmarks' log; RECOUP_BENCH_ROWS sets another.
func benchRows() int {
	if n, err := strconv.Atoi(os.Getenv("RECOUP_BENCH_ROWS")); err == nil {
		return n
	}
	return 1_000_000
}

// peakMiB is the most memory the process has held so far.
func peakMiB() float64 {
	b, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "VmHWM:" {
			kb, _ := strconv.ParseFloat(f[1], 64)
			return kb / 1024
		}
	}
	return math.NaN()
}

// cpuSeconds is the processor time of the process so far: unlike wall time it
// does not grow much when the machine is busy with others.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// reportRows reports rows a second, by the clock and by processor time.
func reportRows(b *testing.B, n int, cpu float64) {
	rows := float64(n) * float64(b.N) / 1e6
	b.ReportMetric(rows/b.Elapsed().Seconds(), "Mrows/s")
	b.ReportMetric(rows/(cpuSeconds()-cpu), "Mrows/cpu-s")
}

func BenchmarkIngestAttempts(b *testing.B) {
	n := benchRows()
	cpu := cpuSeconds()
	for b.Loop() {
		benchLog(b, b.TempDir(), n)
	}
	reportRows(b, n, cpu)
	b.ReportMetric(peakMiB(), "peakMiB")
}

func BenchmarkScanAttempts(b *testing.B) {
	n := benchRows()
	dir := b.TempDir()
	m := benchLog(b, dir, n)
	var size int64
	for _, f := range m.Files {
		size += f.Bytes
	}
	l, err := OpenLog(dir)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		columns string
	}{
		{"8", "rail,status,amount_paise,bank,reason,attempt_no,customer_id"},
		{"12", "case_id,attempt_id,customer_id,attempt_no,initiator,rail,bank,amount_paise,status,reason"},
		{"all", ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(size)
			var columns []string
			if c.columns != "" {
				columns = strings.Split(c.columns, ",")
			}
			cpu := cpuSeconds()
			for b.Loop() {
				rows := 0
				for batch, err := range Scan[Attempt](l, lastCursor, columns...) {
					if err != nil {
						b.Fatal(err)
					}
					rows += len(batch)
				}
				if rows != n {
					b.Fatal(rows)
				}
			}
			reportRows(b, n, cpu)
		})
	}
}

func BenchmarkOpenLog(b *testing.B) {
	dir := b.TempDir()
	benchLog(b, dir, benchRows())
	for b.Loop() {
		if _, err := OpenLog(dir); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFrames(b *testing.B) {
	const width = 45
	n := benchRows()
	var columns []Column
	for k := range width {
		columns = append(columns, Column{Name: fmt.Sprintf("x%02d", k), Kind: Float64})
	}
	f := Frame{Columns: make([]Column, width)}
	path := filepath.Join(b.TempDir(), "f.parquet")
	write := func(b *testing.B) {
		w, err := CreateFrames(path, columns, nil)
		if err != nil {
			b.Fatal(err)
		}
		for from := 0; from < n; from += frameRows {
			f.N = min(frameRows, n-from)
			for k := range width {
				c := &f.Columns[k]
				c.Name, c.Kind, c.F = columns[k].Name, Float64, resize(c.F, f.N)
				for i := range c.F {
					u := uint64(from+i)*0x9e3779b97f4a7c15 + uint64(k)
					u ^= u >> 29
					switch k % 3 {
					case 0: // noise
						c.F[i] = float64(u*0xbf58476d1ce4e5b9) / (1 << 64)
					case 1: // counts
						c.F[i] = float64(u % 20)
					default: // mostly a default
						c.F[i] = float64(u % 100 / 90)
					}
				}
			}
			if err := w.Write(&f); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("write", func(b *testing.B) {
		cpu := cpuSeconds()
		for b.Loop() {
			write(b)
		}
		reportRows(b, n, cpu)
		info, _ := os.Stat(path)
		b.ReportMetric(float64(info.Size())/float64(n), "B/row")
	})
	write(b)
	b.Run("read", func(b *testing.B) {
		cpu := cpuSeconds()
		for b.Loop() {
			t, err := OpenFrames(path)
			if err != nil {
				b.Fatal(err)
			}
			rows, sum := 0, 0.0
			for f, err := range t.Frames() {
				if err != nil {
					b.Fatal(err)
				}
				rows += f.N
				sum += f.Columns[0].F[0]
			}
			t.Close()
			if rows != n || math.IsNaN(sum) {
				b.Fatal(rows)
			}
		}
		reportRows(b, n, cpu)
		b.ReportMetric(peakMiB(), "peakMiB")
	})
}
