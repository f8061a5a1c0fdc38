package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"recoup/data"
	"recoup/data/ingest"
)

// suggest drafts a mapping: YAML on standard output or in a file, what was
// decided and what was not on standard error.
func (c *ingestCmd) suggest(ctx context.Context, e *env) error {
	if len(c.Files) > 0 || c.Mapping != "" || c.Webhooks || c.Dir != "" || c.Rejects != "" || c.IdentityKey != "" {
		return data.Faultf(data.ErrUsage, "ingest: --suggest %s stands alone but for --out and --json: it reads one file and ingests nothing", c.Suggest)
	}
	s, err := ingest.Suggest(ctx, c.Suggest)
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := writeDraft(c.Out, s.Mapping); err != nil {
			return err
		}
	}
	if c.JSON {
		return e.printJSON(struct {
			*ingest.Suggestion
			Out string `json:"out,omitempty"`
		}{s, c.Out})
	}
	if err := tellDraft(e.stderr, s); err != nil {
		return err
	}
	if c.Out == "" {
		_, err := io.WriteString(e.stdout, s.Mapping)
		return err
	}
	next := fmt.Sprintf("recoup ingest %s --mapping %s --dir mylog", quoted(c.Suggest), quoted(c.Out))
	if n := len(s.Undecided); n > 0 {
		_, err = fmt.Fprintf(e.stdout, "%s is written. First answer in it what is marked DECIDE (%d); then: %s\n", c.Out, n, next)
		return err
	}
	_, err = fmt.Fprintf(e.stdout, "%s is written. Next: %s\n", c.Out, next)
	return err
}

// writeDraft writes a draft where nothing stands yet, or the same draft.
func writeDraft(path, text string) error {
	switch old, err := os.ReadFile(path); {
	case err == nil && bytes.Equal(old, []byte(text)):
		return nil
	case err == nil:
		return data.Faultf(data.ErrUsage, "ingest: --out %s: it is there already, perhaps with your answers in it; name another file or remove it", path)
	}
	return data.WriteFile(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// tellDraft says for people how the draft came about.
func tellDraft(w io.Writer, s *ingest.Suggestion) error {
	var b strings.Builder
	whole := "the whole file"
	if !s.Whole {
		whole = "the file goes on"
	}
	fmt.Fprintf(&b, "%s (%s): looked at %d rows, %s\n\ndecided\n", s.File, s.Format, s.Rows, whole)
	for _, d := range s.Decided {
		from := strings.Join(d.From, " + ")
		if from != "" {
			from = " from " + from
		}
		mark := ""
		if d.Confidence == ingest.Assumed {
			mark = "assumed: "
		}
		fmt.Fprintf(&b, "  %s%s: %s%s\n", d.Field, from, mark, d.Why)
	}
	if len(s.Undecided) > 0 {
		b.WriteString("\nnot decided: the draft is refused until these are answered\n")
	}
	for _, u := range s.Undecided {
		fmt.Fprintf(&b, "  %s: %s\n", u.Field, u.Question)
		for _, c := range u.Choices {
			fmt.Fprintf(&b, "      %s\n", c)
		}
	}
	if len(s.Unused) > 0 {
		b.WriteString("\nnot used\n")
	}
	for _, u := range s.Unused {
		fmt.Fprintf(&b, "  %s: %s\n", u.Column, u.Why)
	}
	if t := s.Trial; t != nil {
		fmt.Fprintf(&b, "\ntried on the whole file: %d records read, %d would be put aside\n", t.Read, t.Rejected)
		for _, r := range t.Reasons {
			fmt.Fprintf(&b, "  %d rows: %s: %s, first in line %d (%q)\n", r.Rows, r.Column, r.Reason, r.Line, r.Value)
		}
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// quoted is an argument as a shell takes it.
func quoted(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:+=@%") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
