package main

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"recoup/cmd/recoup/experiment"
	"recoup/data"
	"recoup/score"
)

type experimentCmd struct {
	Out      string `default:"experiment" placeholder:"DIR" help:"Folder of the files; what it holds already is not made again."`
	Seeds    int    `placeholder:"N" help:"Worlds of a kind at most; by default 40, with --quick 4."`
	Cases    int    `placeholder:"N" help:"Failed charges in each world; by default 400, with --quick 200."`
	Train    int    `placeholder:"N" help:"Failed charges in the world that the model learns from; by default 12000, with --quick 7000."`
	Ablation bool   `help:"Also play without each rule of the gate in turn."`
	LightGBM bool   `name:"lightgbm" help:"Also a LightGBM model of the explorer's log, through Python; without Python it is not assessed, and the report says why."`
	Python   string `placeholder:"P" help:"Python that has the package lightgbm; by default an environment is made."`
	Quick    bool   `help:"A small experiment, in under three minutes on two processors."`
	Policy   string `placeholder:"P" help:"Policy file; by default the one built in."`
	JSON     bool   `name:"json" help:"Print one JSON object."`
}

// Help is what experiment --help adds.
func (*experimentCmd) Help() string {
	return "Examples:\n\nrecoup experiment --quick\n\nrecoup experiment --ablation --out arms\n\nrecoup experiment --lightgbm --python venv/bin/python --out arms\n\n" +
		"Asks what learning is worth. Many hands play the same simulated worlds with the same dice: the ladder outside the gate, and at the gate the ladder, the rules, the rules on the customer's own pay day, models, bandits, the explorer and an oracle who knows the truth. " +
		"One model learns from a log of the explorer in a world of its own, one from the rules' log there, one has learned nothing: what the engine's arithmetic gains without knowledge is no merit of learning. " +
		"A bandit draws when the rules retry, another corrects the model as it plays.\n\n" +
		"The report says what each part is worth, with paired intervals and p values; what a model can know of timing when nobody explores; how well each model tells the times of one case apart, which is what a choice lives on; " +
		"how many explored cases it takes, from none up, where a night refuses to make a model, and what exploring costs meanwhile; where the model loses, and up to which price recoup pays. Breaches of law are counted by code of its own.\n\n" +
		"It goes on in worlds of outages and in shifted ones, chooses numbers of the policy on frozen worlds and judges them on others (what does not hold there is not taken over), and moves ten constants of the world by a quarter.\n\n" +
		"A world that was played is not played again: a killed run goes on where it stopped, and comes to the same bytes. The report is DIR/report.html, .md and .json."
}

func (c *experimentCmd) Run(ctx context.Context, e *env) error {
	cfg := experiment.Full()
	if c.Quick {
		cfg = experiment.Quick()
	}
	cfg.Dir, cfg.Ablation, cfg.Workers = c.Out, c.Ablation, runtime.GOMAXPROCS(0)
	cfg.LightGBM, cfg.Python = c.LightGBM, c.Python
	if c.Seeds != 0 {
		cfg = cfg.Fewer(c.Seeds)
	}
	if c.Cases != 0 {
		cfg.Cases = c.Cases
	}
	if c.Train != 0 {
		cfg.TrainCases = c.Train
	}
	if c.Policy != "" {
		text, err := os.ReadFile(c.Policy)
		if err != nil {
			return data.Faultf(data.ErrUsage, "experiment: policy: %w", err)
		}
		if cfg.Policy, err = score.ParsePolicy(c.Policy, text); err != nil {
			return err
		}
		cfg.PolicyText = text
	}
	if e.tty {
		cfg.Progress = stageProgress(e)
	}
	s, err := experiment.Run(ctx, cfg)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(s)
	}
	_, err = fmt.Fprint(e.stdout, s)
	return err
}
