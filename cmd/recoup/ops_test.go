package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/goccy/go-yaml"
)

func opsFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("ops", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// documents are the YAML documents of a file; a key that stands twice is an error.
func documents(t *testing.T, name string) (out []any) {
	t.Helper()
	d := yaml.NewDecoder(strings.NewReader(opsFile(t, name)))
	for {
		var doc any
		err := d.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, doc)
	}
}

// at is what stands at a path of keys and indexes of a document; nil = nothing.
func at(doc any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := doc.(map[string]any)
			doc = m[p]
		case int:
			l, _ := doc.([]any)
			if p >= len(l) {
				return nil
			}
			doc = l[p]
		}
	}
	return doc
}

func texts(v any) (out []string) {
	l, _ := v.([]any)
	for _, x := range l {
		s, _ := x.(string)
		out = append(out, s)
	}
	return out
}

func demand(t *testing.T, what string, doc any, want any, path ...any) {
	t.Helper()
	if got := at(doc, path...); !yamlEqual(got, want) {
		t.Errorf("%s: %v is %v, want %v", what, path, got, want)
	}
}

func yamlEqual(a, b any) bool {
	x, errX := yaml.Marshal(a)
	y, errY := yaml.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// parses reports what recoup says of arguments, without running them.
func parses(args []string) error {
	var c cli
	p, err := kong.New(&c, kong.Name("recoup"), kong.Writers(io.Discard, io.Discard), kong.Exit(func(int) {}))
	if err == nil {
		_, err = p.Parse(args)
	}
	return err
}

func TestOpsContainer(t *testing.T) {
	text := opsFile(t, "container/Containerfile")
	for _, want := range []string{"CGO_ENABLED=0", "FROM scratch AS serve", "USER 65532:65532\nWORKDIR /data", `ENTRYPOINT ["/usr/local/bin/recoup"]`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(text, "\nHEALTHCHECK") || strings.Contains(text, "USER root") {
		t.Error("a HEALTHCHECK that has no shell, or root")
	}
	cmds := regexp.MustCompile(`(?m)^CMD (\[.*\])$`).FindAllStringSubmatch(text, -1)
	if len(cmds) != 2 {
		t.Fatalf("%d commands", len(cmds))
	}
	var args []string
	if err := yaml.Unmarshal([]byte(cmds[0][1]), &args); err != nil {
		t.Fatal(err)
	} else if err := parses(args); err != nil {
		t.Errorf("%v: %v", args, err)
	}
	shellLines(t, cmds[1][1])
}

// shellLines demands that every recoup of a shell line is one that recoup takes.
func shellLines(t *testing.T, text string) {
	t.Helper()
	text = strings.NewReplacer(`"$(date -u +%F)"`, "2026-03-01", `"$(date -u +%%F)"`, "2026-03-01", `"${RECOUP_LEDGER_URL:-}"`, "postgres://x").Replace(strings.ReplaceAll(text, `\"`, `"`))
	found := regexp.MustCompile(`recoup ((?:nightly|serve|keys)[^'"\]\n]*)`).FindAllStringSubmatch(text, -1)
	if len(found) == 0 {
		t.Errorf("no recoup in %s", text)
	}
	for _, f := range found {
		if err := parses(strings.Fields(f[1])); err != nil {
			t.Errorf("recoup %s: %v", f[1], err)
		}
	}
}

func TestOpsCompose(t *testing.T) {
	docs := documents(t, "container/compose.yaml")
	if len(docs) != 1 {
		t.Fatal(len(docs))
	}
	doc := docs[0]
	services, _ := at(doc, "services").(map[string]any)
	if len(services) != 3 {
		t.Errorf("%d services", len(services))
	}
	for name, s := range services {
		demand(t, name, s, true, "read_only")
		demand(t, name, s, []string{"no-new-privileges:true"}, "security_opt")
		for _, secret := range texts(at(s, "secrets")) {
			if at(doc, "secrets", secret, "file") == nil {
				t.Errorf("%s: the secret %s is no file", name, secret)
			}
		}
		for _, volume := range texts(at(s, "volumes")) {
			if _, ok := at(doc, "volumes").(map[string]any)[strings.Split(volume, ":")[0]]; !ok {
				t.Errorf("%s: no volume %s", name, volume)
			}
		}
		for _, n := range texts(at(s, "networks")) {
			if _, ok := at(doc, "networks").(map[string]any)[n]; !ok {
				t.Errorf("%s: no network %s", name, n)
			}
		}
		if name == "db" {
			continue
		}
		demand(t, name, s, "65532:65532", "user")
		demand(t, name, s, []string{"ALL"}, "cap_drop")
		demand(t, name, s, "service_healthy", "depends_on", "db", "condition")
		file, _ := at(s, "build", "dockerfile").(string)
		if _, err := os.Stat(filepath.Join("../..", file)); err != nil {
			t.Error(err)
		}
		if target, _ := at(s, "build", "target").(string); !strings.Contains(opsFile(t, "container/Containerfile"), " AS "+target+"\n") {
			t.Errorf("%s: no target %s", name, target)
		}
	}
	if err := parses(texts(at(doc, "services", "recoup", "command"))); err != nil {
		t.Error(err)
	}
	shellLines(t, opsFile(t, "container/compose.yaml"))
	if at(doc, "services", "db", "healthcheck", "test") == nil || at(doc, "services", "db", "environment", "POSTGRES_PASSWORD_FILE") == nil || strings.Contains(opsFile(t, "container/compose.yaml"), "POSTGRES_PASSWORD:") {
		t.Error("the database has no health check, or its password no file")
	}
}

func TestOpsKubernetes(t *testing.T) {
	docs := documents(t, "kubernetes/deployment.yaml")
	if len(docs) != 3 {
		t.Fatal(len(docs))
	}
	pod := at(docs[0], "spec", "template", "spec")
	box := at(pod, "containers", 0)
	demand(t, "deployment", docs[0], "Recreate", "spec", "strategy", "type")
	demand(t, "liveness", box, "/livez", "livenessProbe", "httpGet", "path")
	demand(t, "readiness", box, "/readyz", "readinessProbe", "httpGet", "path")
	demand(t, "stop", box, 5, "lifecycle", "preStop", "sleep", "seconds")
	demand(t, "grace", pod, 40, "terminationGracePeriodSeconds")
	if err := parses(texts(at(box, "args"))); err != nil {
		t.Error(err)
	}
	jobs := documents(t, "kubernetes/cronjob.yaml")
	if len(jobs) != 1 {
		t.Fatal(len(jobs))
	}
	spec := at(jobs[0], "spec")
	job := at(spec, "jobTemplate", "spec")
	demand(t, "cron", spec, "Forbid", "concurrencyPolicy")
	demand(t, "cron", spec, "Asia/Kolkata", "timeZone")
	demand(t, "cron", spec, "0 6 * * *", "schedule")
	demand(t, "locked", job, "Ignore", "podFailurePolicy", "rules", 0, "action")
	demand(t, "locked", job, []int{3}, "podFailurePolicy", "rules", 0, "onExitCodes", "values")
	demand(t, "hopeless", job, "FailJob", "podFailurePolicy", "rules", 1, "action")
	demand(t, "hopeless", job, []int{2, 4, 5, 6, 7}, "podFailurePolicy", "rules", 1, "onExitCodes", "values")
	night := at(job, "template", "spec")
	demand(t, "night", night, "Never", "restartPolicy") // a pod failure policy wants it
	demand(t, "night", night, at(job, "podFailurePolicy", "rules", 0, "onExitCodes", "containerName"), "containers", 0, "name")
	shellLines(t, strings.Join(texts(at(night, "containers", 0, "command")), " "))
	for name, p := range map[string]any{"serve": pod, "night": night} {
		demand(t, name, p, true, "securityContext", "runAsNonRoot")
		demand(t, name, p, false, "automountServiceAccountToken")
		demand(t, name, p, "RuntimeDefault", "securityContext", "seccompProfile", "type")
		c := at(p, "containers", 0)
		demand(t, name, c, true, "securityContext", "readOnlyRootFilesystem")
		demand(t, name, c, false, "securityContext", "allowPrivilegeEscalation")
		demand(t, name, c, []string{"ALL"}, "securityContext", "capabilities", "drop")
	}
}

// unit is a unit file: its values by "Section.Key"; # and ; begin remarks.
func unit(t *testing.T, name string) map[string][]string {
	t.Helper()
	out, section := map[string][]string{}, ""
	for i, line := range strings.Split(opsFile(t, name), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if line[0] == '[' {
			section = strings.Trim(line, "[]")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || section == "" {
			t.Fatalf("%s:%d: %q", name, i+1, line)
		}
		out[section+"."+key] = append(out[section+"."+key], value)
	}
	return out
}

func TestOpsSystemd(t *testing.T) {
	for _, name := range []string{"systemd/recoup.service", "systemd/recoup-nightly.service"} {
		u := unit(t, name)
		for key, want := range map[string]string{"DynamicUser": "yes", "User": "recoup", "StateDirectory": "recoup", "ProtectSystem": "strict", "ProtectHome": "yes", "PrivateTmp": "yes", "NoNewPrivileges": "yes",
			"CapabilityBoundingSet": "", "MemoryDenyWriteExecute": "yes", "SystemCallFilter": "@system-service", "UMask": "0077"} {
			if got := u["Service."+key]; !slices.Equal(got, []string{want}) {
				t.Errorf("%s: %s is %q, want %q", name, key, got, want)
			}
		}
		shellLines(t, u["Service.ExecStart"][0])
	}
	timer := unit(t, "systemd/recoup-nightly.timer")
	if !slices.Equal(timer["Timer.Persistent"], []string{"true"}) || !slices.Equal(timer["Timer.OnCalendar"], []string{"*-*-* 06:00:00 Asia/Kolkata"}) {
		t.Errorf("%v", timer)
	}
}

// TestOpsSystemdVerifies asks systemd itself, where it is. The binary of the units must
// be there for it, so the units it sees name this test's.
func TestOpsSystemdVerifies(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze on this machine")
	}
	dir, binary := t.TempDir(), filepath.Join(t.TempDir(), "recoup")
	if err := os.WriteFile(binary, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	verify := func(change ...string) string {
		args := []string{"verify", "--man=no"}
		for _, name := range []string{"recoup.service", "recoup-nightly.service", "recoup-nightly.timer"} {
			text := strings.NewReplacer(append([]string{"/usr/local/bin/recoup", binary}, change...)...).Replace(opsFile(t, filepath.Join("systemd", name)))
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			args = append(args, path)
		}
		out, _ := exec.Command(analyze, args...).CombinedOutput()
		var says []string
		for line := range strings.SplitSeq(string(out), "\n") {
			if strings.Contains(line, "recoup") { // what it says of the machine's own units is not meant
				says = append(says, line)
			}
		}
		return strings.Join(says, "\n")
	}
	if says := verify(); says != "" {
		t.Error(says)
	}
	if says := verify("ProtectSystem", "ProtectSytem"); !strings.Contains(says, "ProtectSytem") {
		t.Errorf("a wrong key went through: %q", says)
	}
	if says := verify("06:00:00 Asia/Kolkata", "26:00:00 Asia/Kolkata"); says == "" {
		t.Error("an hour that is none went through")
	}
}
