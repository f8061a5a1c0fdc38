package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"recoup/data"
	"recoup/data/ledger"
)

// headings are those of a level of the runbook.
func headings(text, level string) (out []string) {
	for _, m := range regexp.MustCompile(`(?m)^`+level+` (.+)$`).FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// TestRunbookExitCodes: every exit code has its page, and no other.
func TestRunbookExitCodes(t *testing.T) {
	codes := []int{0, exitCode(fmt.Errorf("anything"))}
	for _, kind := range []error{data.ErrUsage, data.ErrLocked, data.ErrTooLittle, data.ErrUnsafe, data.ErrContract, ledger.ErrBroken} {
		codes = append(codes, exitCode(kind))
	}
	var pages []int
	for _, h := range headings(opsFile(t, "RUNBOOK.md"), "###") {
		if n, ok := strings.CutPrefix(h, "Exit code "); ok {
			code, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			pages = append(pages, code)
		}
	}
	slices.Sort(codes)
	if !slices.Equal(codes, pages) {
		t.Errorf("exit codes %v, pages of %v", codes, pages)
	}
}

// metricNames are the series that /metrics can have, from where they are declared.
func metricNames(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	files, err := filepath.Glob("../../api/metrics*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`Name: "(recoup_\w+)"|\bdesc\("(\w+)"`).FindAllStringSubmatch(string(text), -1) {
			name := m[1]
			if name == "" {
				name = "recoup_" + m[2]
			}
			out[name] = true
		}
	}
	for _, histogram := range []string{"recoup_http_request_duration_seconds", "recoup_score_probability"} {
		if !out[histogram] {
			t.Errorf("no %s", histogram)
		}
		for _, end := range []string{"_bucket", "_sum", "_count"} {
			out[histogram+end] = true
		}
	}
	if len(out) < 30 {
		t.Fatalf("only %d metrics found", len(out))
	}
	return out
}

// TestRunbookAlerts: every rule is about metrics that there are, and has its page; every
// page has its rule.
func TestRunbookAlerts(t *testing.T) {
	names, runbook := metricNames(t), opsFile(t, "RUNBOOK.md")
	docs := documents(t, "prometheus/alerts.yaml")
	rules, _ := at(docs[0], "groups", 0, "rules").([]any)
	var alerts []string
	metric := regexp.MustCompile(`\brecoup_\w+`)
	for _, r := range rules {
		name, _ := at(r, "alert").(string)
		expr, _ := at(r, "expr").(string)
		alerts = append(alerts, name)
		found := metric.FindAllString(expr, -1)
		for _, m := range found {
			if !names[m] {
				t.Errorf("%s: there is no metric %s", name, m)
			}
		}
		if len(found) == 0 && !strings.HasPrefix(expr, `up{job="recoup"}`) || strings.Count(expr, "(") != strings.Count(expr, ")") {
			t.Errorf("%s: %s", name, expr)
		}
		if s := at(r, "labels", "severity"); s != "page" && s != "ticket" {
			t.Errorf("%s: severity %v", name, s)
		}
		if s, _ := at(r, "annotations", "summary").(string); s == "" {
			t.Errorf("%s: no summary", name)
		}
	}
	var pages []string
	for _, h := range headings(runbook, "###") {
		if strings.HasPrefix(h, "Recoup") {
			pages = append(pages, h)
		}
	}
	if !slices.Equal(alerts, pages) {
		t.Errorf("alerts %v, pages of %v", alerts, pages)
	}
	for _, m := range metric.FindAllString(runbook, -1) {
		if !names[m] {
			t.Errorf("the runbook names %s, which is no metric", m)
		}
	}
	scrape := documents(t, "prometheus/scrape.yaml")[0]
	demand(t, "scrape", scrape, "recoup", "scrape_configs", 0, "job_name")
	demand(t, "scrape", scrape, []string{"alerts.yaml"}, "rule_files")
}

// TestRunbookReasons: every reason of readyz and every finding of verify is explained, by
// the words that the program says.
func TestRunbookReasons(t *testing.T) {
	runbook := strings.Join(strings.Fields(opsFile(t, "RUNBOOK.md")), " ")
	for _, c := range []struct {
		file, pattern string
		least         int
		whole         bool
	}{
		{"../../api/health.go", `Reasons, "([^"]+)"|reasons, "([^"]+)"`, 4, true},
		{"../../data/ledger/verify_chain.go", `broken\("([^"]+)"|brokenAt\([^"]+"([^"]+)"`, 15, false},
		{"../../data/ledger/verify.go", `broken\("([^"]+)"`, 2, false},
	} {
		text, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(c.pattern).FindAllStringSubmatch(string(text), -1)
		if len(found) < c.least {
			t.Errorf("%s: only %d texts found", c.file, len(found))
		}
		for _, m := range found {
			says := strings.Join(m[1:], "")
			if !c.whole { // up to what varies
				says, _, _ = strings.Cut(says, "%")
				says, _, _ = strings.Cut(says, ":")
				says = strings.TrimSpace(says)
			}
			if says != "" && !strings.Contains(runbook, says) {
				t.Errorf("%s: %q is not in the runbook", c.file, says)
			}
		}
	}
}

// TestRunbookCommands: every command is one that recoup takes, every link leads somewhere.
func TestRunbookCommands(t *testing.T) {
	runbook := opsFile(t, "RUNBOOK.md")
	links := regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(runbook, -1)
	anchors := map[string]bool{}
	for _, h := range append(headings(runbook, "##"), headings(runbook, "###")...) {
		anchors["#"+strings.ReplaceAll(strings.ToLower(h), " ", "-")] = true
	}
	for _, l := range links {
		if strings.HasPrefix(l[1], "#") {
			if !anchors[l[1]] {
				t.Errorf("no heading %s", l[1])
			}
		} else if _, err := os.Stat(filepath.Join("ops", l[1])); err != nil {
			t.Error(err)
		}
	}
	verb, err := kong.New(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("F", nil, 0o600); err != nil { // a file that has to be there
		t.Fatal(err)
	}
	found := regexp.MustCompile("`recoup ([^`]+)`").FindAllStringSubmatch(runbook, -1)
	if len(found) < 20 {
		t.Errorf("only %d commands found", len(found))
	}
	for _, f := range found {
		command := strings.Join(strings.Fields(f[1]), " ")
		if !strings.Contains(command, "--") { // a verb by its name
			node := verb.Model.Node
			for _, word := range strings.Fields(command) {
				i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word })
				if i < 0 {
					t.Errorf("recoup %s: there is no verb %s", command, word)
					break
				}
				node = node.Children[i]
			}
			continue
		}
		if err := parses(words(command)); err != nil {
			t.Errorf("recoup %s: %v", command, err)
		}
	}
	for _, bad := range []string{"verify --dri D", "ledger rotate --dir D", "keys add --dir D"} {
		if parses(words(bad)) == nil {
			t.Errorf("recoup %s went through", bad)
		}
	}
}

// words splits a command line with quotes of one kind.
func words(line string) (out []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}
