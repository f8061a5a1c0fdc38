package main

import (
	"fmt"
	"path/filepath"

	"recoup/cmd/recoup/thompson"
	"recoup/data"
	"recoup/score"
)

type banditLearnCmd struct {
	Dir  string `required:"" placeholder:"D" help:"Folder of the event log."`
	AsOf string `required:"" name:"as-of" placeholder:"T" help:"What became known later is not looked at."`
	Kind string `default:"beta" enum:"beta,logistic" placeholder:"K" help:"beta: Beta-Bernoulli over actions and parts of the month, contexts share strength; logistic: how the world differs from the model's probabilities."`
	Out  string `placeholder:"F" help:"File of the state; by default D/bandit.json."`
	JSON bool   `name:"json" help:"Print one JSON object."`
}

// Help is what bandit learn --help adds.
func (*banditLearnCmd) Help() string {
	return "Examples:\n\nrecoup bandit learn --dir shop --as-of 2026-03-01\n\nrecoup serve --dir shop --bandit shop/bandit.json\n\n" +
		"recoup simulate --dir next --cases 2000 --seed 2 --policy explorer --bandit shop/bandit.json\n\n" +
		"--kind beta needs no model: it counts what each action and part of the month brought. --kind logistic begins as the model and learns how the world differs from it. " +
		"recoup bandit compare shows what either kind of learning is worth in worlds that move.\n\n" +
		"Only decisions whose windows are closed teach: an open one is neither a success nor a failure. " +
		"The explorer draws inside the gate, with the policy's floor under every candidate; the posterior's version stands in the logger of each decision."
}

func (c *banditLearnCmd) Run(e *env) error {
	asOf, err := parseAsOf("bandit learn", c.AsOf)
	if err != nil {
		return err
	}
	log, err := data.OpenLog(c.Dir)
	if err != nil {
		return err
	}
	f, err := thompson.Learn(log, thompson.Kind(c.Kind), asOf)
	if err != nil {
		return err
	}
	_, formula, err := f.Propose() // what cannot be used is not written
	if err != nil {
		return err
	}
	path := c.Out
	if path == "" {
		path = filepath.Join(c.Dir, thompson.StateFile)
	}
	if err := f.Write(path); err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(map[string]any{"kind": f.Kind, "trials": f.N, "formula": formula, "file": path})
	}
	_, err = fmt.Fprintf(e.stdout, "%s: %s, of %d decisions whose windows are closed\n", path, formula, f.N)
	return err
}

// proposalOf reads a bandit's state for the explorer of a policy.
func proposalOf(verb, path string, p *score.Policy) (score.Proposal, string, error) {
	if !p.Divides() {
		return nil, "", data.Faultf(data.ErrUsage, "%s: --bandit %s: policy %s gives all cases to the model, so nothing is drawn: give the explorer a share (choice: arms)", verb, path, p.ID())
	}
	f, err := thompson.Read(path)
	if err != nil {
		return nil, "", err
	}
	return f.Propose()
}
