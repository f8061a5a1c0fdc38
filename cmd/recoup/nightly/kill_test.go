package nightly

import (
	"math/rand/v2"
	"os/exec"
	"testing"
	"time"
)

// A run killed at random moments ends, when it is run again, with the bytes of
// an uninterrupted one. The real binary is killed, 20 times over 4 folders; where
// in the job a kill lands differs from run to run, the seed only spreads them.
func TestKilledAtRandomPoints(t *testing.T) {
	plain := home(t)
	args := func(dir string) []string {
		return []string{"nightly", "--dir", dir, "--as-of", "2026-03-01", "--draws", "100"}
	}
	began := time.Now()
	if code, out := recoup(t, args(plain)...); code != 0 {
		t.Fatalf("exit %d: %s", code, out)
	}
	takes := time.Since(began)
	want := tree(t, plain)
	rng := rand.New(rand.NewPCG(5, 6))
	folders := 4
	if testing.Short() {
		folders = 1
	}
	killed := 0
	for range folders {
		dir := home(t)
		for range 5 {
			cmd := exec.Command(binary, args(dir)...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			// Squared: early moments are as likely as late ones though the job gets on from kill to kill.
			u := rng.Float64()
			time.Sleep(time.Duration(u * u * float64(takes)))
			if err := cmd.Process.Kill(); err == nil {
				killed++
			}
			cmd.Wait()
		}
		if code, out := recoup(t, args(dir)...); code != 0 {
			t.Fatalf("after the kills: exit %d: %s", code, out)
		}
		same(t, "killed five times", tree(t, dir), want)
	}
	if killed < folders*4 {
		t.Errorf("only %d of %d kills found a process", killed, folders*5)
	}
}
