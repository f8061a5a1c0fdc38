package ope

import (
	"strings"
	"testing"
)

// Names and values of a file are quoted where they could command a terminal.
func TestRefusalsQuoteTheFile(t *testing.T) {
	const head = "reward,action,propensity,e_a,e_\x1b[31mx"
	for _, text := range []string{
		head + "\n1,a,.5,.5,nan\n", head + "\n1,a,.5,.5,\x1b[31m\n", head + "\n1,\x1b[31m,.5,.5,.5\n", head + "\n1,c,.5,.5,.5\n",
		head + ",q_\x1b[31my\n1,a,.5,.5,.5,1\n", "reward,\x1b[31m\n1,2\n",
	} {
		if err := readAny(write(t, "x.csv", text)); err == nil || strings.Contains(err.Error(), "\x1b") || !strings.Contains(err.Error(), `\x1b[31m`) {
			t.Errorf("%q: %q", text, err)
		}
	}
}
