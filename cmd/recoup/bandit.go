package main

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"recoup/data"
	"recoup/ope/bandit"
)

type banditCmd struct {
	Probs   banditProbsCmd   `cmd:"" help:"The probability of each arm to be drawn by Thompson sampling, exactly."`
	Learn   banditLearnCmd   `cmd:"" help:"Learn a bandit's posterior from the decisions and outcomes of a log, for the explorer to draw by."`
	Compare banditCompareCmd `cmd:"" help:"Bandits beside a ladder, tuned rules and the model, in worlds that move away from what they were tuned on."`
}

// Help is what bandit --help adds.
func (*banditCmd) Help() string {
	return "Examples:\n\nrecoup bandit probs --arms \"3,9;50,200\"\n\nrecoup bandit probs --arms \"212,1388;198,1202;61,389;4,16\" --floor 0.02 --illegal 1 --json\n\n" +
		"An arm is alpha,beta: the Beta posterior of its chance of success, prior and counts together. " +
		"The probabilities are integrals, not frequencies of draws: right to 1e-9 for counts up to ten million."
}

type banditProbsCmd struct {
	Arms    string  `required:"" placeholder:"A" help:"alpha,beta;alpha,beta;... of the arms' posteriors."`
	Floor   float64 `placeholder:"E" help:"The least probability of a legal arm: p' = (1 - K E) p + E over the K legal arms."`
	Illegal string  `placeholder:"I" help:"Arms that may not be drawn, by index from 0, with commas: they are no part of the integral."`
	JSON    bool    `name:"json" help:"Print one JSON object."`
}

func (c *banditProbsCmd) Run(e *env) error {
	arms, err := bandit.ParseArms(c.Arms)
	if err != nil {
		return err
	}
	legal, err := legalArms(c.Illegal, len(arms))
	if err != nil {
		return err
	}
	s, err := bandit.Select(arms, legal, c.Floor)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(s)
	}
	tw := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "arm\talpha\tbeta\tmean\tp\t")
	for k, a := range arms {
		fmt.Fprintf(tw, "%d\t%v\t%v\t%.6f\t%.9f\t\n", k, a.Alpha, a.Beta, a.Mean(), s.Probs[k])
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.stdout, "\nBefore they were divided by their sum, the integrals summed to 1 within %.1e.\n", s.SumError)
	return err
}

// legalArms marks the arms that are not listed as illegal.
func legalArms(illegal string, n int) ([]bool, error) {
	out := make([]bool, n)
	for i := range out {
		out[i] = true
	}
	if illegal == "" {
		return out, nil
	}
	for _, s := range strings.Split(illegal, ",") {
		k, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || k < 0 || k >= n {
			return nil, data.Faultf(data.ErrUsage, "bandit: %s: --illegal %q: expected indices of arms, 0 to %d", bandit.IllegalIndex, s, n-1)
		}
		out[k] = false
	}
	return out, nil
}
