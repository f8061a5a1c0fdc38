package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"recoup/data"
	"recoup/models"
	"recoup/score"
)

type scoreCmd struct {
	Case       string `arg:"" optional:"" placeholder:"CASE.json" help:"One case to decide: the body of /v1/decide. '-' reads standard input."`
	Dir        string `placeholder:"D" help:"Folder of the event log; its champion (D/models) and D/policy.yaml are used. With CASE.json only these two."`
	AsOf       string `name:"as-of" placeholder:"T" help:"Of the log: nothing known after it counts, and it is the time of the decisions. RFC 3339, or a date (its first instant in UTC)."`
	Out        string `placeholder:"F" help:"Of the log: write F.parquet and F.csv, one row a case; F.csv or F.parquet writes that one."`
	Candidates bool   `help:"Of the log: also write every allowed candidate, to F-candidates."`
	Policy     string `placeholder:"P" help:"Policy file; by default D/policy.yaml, and the one built in where there is none."`
	Model      string `placeholder:"M" help:"Registered model: its folder, or with --dir its id, the first digits of it, or an alias. By default the champion."`
	Workers    int    `placeholder:"N" help:"Goroutines; by default one a processor. The result does not depend on it."`
	JSON       bool   `name:"json" help:"Print one JSON object."`
}

// Help is what score --help adds.
func (*scoreCmd) Help() string {
	return "Examples:\n\nrecoup score --dir shop --as-of 2026-02-01 --out tonight\n\nrecoup score case.json --dir shop\n\n" +
		"A case is {\"as_of\": T, \"events\": [rows]}, a row {\"table\": \"attempts\", ...its columns}: what the customer's events were until then. " +
		"Without a model the rules arm answers, and says so."
}

func (c *scoreCmd) Run(ctx context.Context, e *env) error {
	switch {
	case c.Case == "" && c.Dir == "":
		return data.Faultf(data.ErrUsage, "score: what? Give --dir D --as-of T --out F for the open cases of a log, or CASE.json for one case; see recoup score --help")
	case c.Case != "" && (c.AsOf != "" || c.Out != "" || c.Candidates):
		return data.Faultf(data.ErrUsage, "score: %s: --as-of, --out and --candidates go with the log of --dir; a case file has its own as_of", c.Case)
	case c.Case == "" && (c.AsOf == "" || c.Out == ""):
		return data.Faultf(data.ErrUsage, "score: --dir %s: --as-of T and --out F are needed too", c.Dir)
	case c.Workers < 0:
		return data.Faultf(data.ErrUsage, "score: --workers %d: expected 1 or more", c.Workers)
	}
	engine, err := c.engine()
	if err != nil {
		return err
	}
	if c.Case != "" {
		return c.one(e, engine)
	}
	return c.batch(ctx, e, engine)
}

// engine makes the engine out of the policy and the model that the flags name.
func (c *scoreCmd) engine() (*score.Engine, error) {
	policy, err := score.FindPolicy(c.Policy, c.Dir)
	if err != nil {
		return nil, err
	}
	bundle, err := c.model()
	if err != nil {
		return nil, err
	}
	engine, err := score.New(policy, bundle)
	if err != nil || !policy.Divides() {
		return engine, err
	}
	salt, err := score.FindSalt(c.Dir)
	if err != nil {
		return nil, err
	}
	if salt == nil {
		return nil, data.Faultf(data.ErrUsage, "score: policy %s divides the cases over arms: %s in the folder of --dir keeps the salt for that; make one with head -c 32 /dev/urandom | base64", policy.ID(), score.KeyFile)
	}
	return engine.Explore(score.Explorer{Salt: salt})
}

// model finds the model; nil where there is no champion yet.
func (c *scoreCmd) model() (*models.Bundle, error) {
	if c.Model != "" {
		if info, err := os.Stat(c.Model); err == nil && info.IsDir() {
			return models.LoadFolder(c.Model)
		}
		if c.Dir == "" {
			return nil, data.Faultf(data.ErrUsage, "score: --model %s: no such folder; for an id or an alias give --dir D too", c.Model)
		}
	}
	if c.Dir == "" {
		return nil, nil
	}
	r, err := models.OpenRegistry(filepath.Join(c.Dir, "models"))
	if err != nil {
		return nil, err
	}
	if c.Model != "" {
		return r.Load(c.Model)
	}
	a, err := r.Aliases()
	if err != nil || a.Champion == "" {
		return nil, err
	}
	return r.Load(models.Champion)
}

// one decides the case of a file.
func (c *scoreCmd) one(e *env, engine *score.Engine) error {
	body, err := readCase(c.Case)
	if err != nil {
		return err
	}
	r, faults := score.ParseRequest(body)
	if len(faults) > 0 {
		lines := make([]string, len(faults))
		for i, f := range faults {
			lines[i] = f.String()
		}
		return data.Faultf(data.ErrContract, "score: %s:\n  %s", c.Case, strings.Join(lines, "\n  "))
	}
	d, err := engine.Answer(r)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(d)
	}
	return printDecision(e.stdout, &d)
}

// readCase reads a body, and no more of it than a request may have.
func readCase(path string) ([]byte, error) {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, fmt.Errorf("score: %w", err)
		}
		defer f.Close()
	}
	body, err := io.ReadAll(io.LimitReader(f, score.MaxBody+1))
	if err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	return body, nil
}

// batch decides the open cases of the log.
func (c *scoreCmd) batch(ctx context.Context, e *env, engine *score.Engine) error {
	asOf, err := parseAsOf("score", c.AsOf)
	if err != nil {
		return err
	}
	log, err := data.OpenLog(c.Dir)
	if err != nil {
		return err
	}
	o := score.BatchOptions{AsOf: asOf, Out: c.Out, Candidates: c.Candidates, Workers: c.Workers}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	done := func() {}
	if e.tty {
		o.Progress, done = progressOn(e.stderr, "score")
	}
	sum, err := engine.Batch(ctx, log, o)
	done()
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(sum)
	}
	_, err = io.WriteString(e.stdout, describeBatch(sum))
	return err
}
