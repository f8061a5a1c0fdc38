package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a\nb\tc": "a\nb\tc", "कल ₹5 é": "कल ₹5 é",
		"\x1b[2J\r\a\x00\x7f": `\x1b[2J\x0d\x07\x00\x7f`,
		"a\xffb\xc3":          `a\xffb\xc3`, "\u009b31m": `\u009b31m`, "a\u202eb": `a\u202eb`, "\ufffd": "\ufffd",
	} {
		if got := harmless(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for name, want := range map[string]string{"": `""`, "retry, then": "retry, then", "a\nb": `"a\nb"`, "e_\x1b[31mx": `"e_\x1b[31mx"`, "कल": "कल"} {
		if got := quotedOdd(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// Bytes of a file that would command a terminal never reach it, and what a terminal would
// have been told is there to read.
func TestFilesDoNotCommandTheTerminal(t *testing.T) {
	dir := t.TempDir()
	good, err := os.ReadFile(filepath.Join(lightgbmFixtures, "tiny", "model.txt"))
	if err != nil {
		t.Fatal(err)
	}
	const evil = "\x1b[2J\x1b[31mOK \xff\u009b\u202e"
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	named := strings.ReplaceAll(string(good), "amount", "am\x1b[31mount")
	rows := put("rows.csv", "am\x1b[31mount,days_late,retries\nq,2,1\n")
	const head = "reward,action,propensity,e_a,e_\x1b[31mx"
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"models", "inspect", put("head.txt", "tree\nversion=v4\n"+evil+" accepted=1\n")}, 6},
		{[]string{"models", "inspect", put("first.txt", evil+"\n")}, 6},
		{[]string{"models", "inspect", put("tail.txt", string(good)+evil+":\n")}, 6},
		{[]string{"models", "inspect", put("cut.txt", string(good[:strings.Index(string(good), "Tree=1")+20])+"\n"+evil)}, 6},
		{[]string{"models", "inspect", put("named.txt", named)}, 0},
		{[]string{"predict", "--model", put("named.txt", named), "--rows", put("few.csv", "x\n1\n")}, 6},
		{[]string{"predict", "--model", put("named.txt", named), "--rows", rows}, 6},
		{[]string{"ope", "estimate", "--rows", put("sum.csv", head+"\n1,a,.5,.5,nan\n")}, 6},
		{[]string{"ope", "estimate", "--rows", put("action.csv", head+"\n1,\x1b[31m,.5,.5,.5\n")}, 6},
		{[]string{"ope", "estimate", "--rows", put("number.csv", head+"\n1,a,.5,.5,\x1b[31m\n")}, 6},
		{[]string{"ope", "estimate", "--rows", put("head.csv", "reward,\x1b[31m\n1,2\n")}, 6},
		{[]string{"ope", "estimate", "--rows", put("never.csv", head+"\n1,a,.5,.5,.5\n0,a,.5,.5,.5\n")}, 0},
	} {
		code, out, errs := recoup(t, c.args...)
		if code != c.code || !utf8.ValidString(out+errs) || strings.ContainsAny(out+errs, "\x1b\u009b\u202e") || !strings.Contains(out+errs, "x") {
			t.Errorf("%v: exit %d, want %d: %q %q", c.args, code, c.code, out, errs)
		}
		if strings.Contains(errs, "[31m") != strings.Contains(errs, `\x1b`) {
			t.Errorf("%v: what the file holds is not shown: %q", c.args, errs)
		}
	}
}
