package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"recoup/cmd/recoup/experiment"
	"recoup/cmd/recoup/thompson"
	"recoup/data"
	"recoup/data/sim"
	"recoup/models"
	"recoup/score"
)

type simulateCmd struct {
	Dir    string `required:"" placeholder:"D" help:"Folder of the event log; it must not hold one yet."`
	Cases  int    `required:"" placeholder:"N" help:"How many charges fail at their first attempt; those that succeed at once come on top, as history."`
	Seed   uint64 `required:"" placeholder:"S" help:"The world's seed: the same seed gives the same bytes."`
	Policy string `required:"" enum:"ladder,uniform,control,rules,model,explorer" placeholder:"P" help:"Who decides: ladder (a day after each failure, three times), uniform (waiting and every slot that notice, window and budget leave, alike); or one of the arms at the gate: control (the ladder, inside the gate), rules (hand-written timing), model (the highest expected value), explorer (drawn from what the gate allows)."`
	Model  string `placeholder:"M" help:"Of model: the registered model's folder, such as shop/models/3f3d96961240."`
	Gate   string `placeholder:"F" help:"Of the arms at the gate: the policy file; by default the one built in."`
	Bandit string `placeholder:"F" help:"Of explorer: the state of a bandit (recoup bandit learn) that it draws by, in place of the policy's formula."`
	Months int    `default:"14" help:"Length of the log in months, the first two as warm-up."`
	Start  string `default:"2025-01-01" placeholder:"DATE" help:"First day of the log, in India."`
	Oracle string `placeholder:"D2" help:"Folder for the truth (p_true and outcome of every candidate, hazards of cure); apart from D."`
	JSON   bool   `help:"Print one JSON object."`
}

func (c *simulateCmd) Run(ctx context.Context, e *env) error {
	start, err := time.Parse(time.DateOnly, c.Start)
	if err != nil {
		return data.Faultf(data.ErrUsage, "simulate: --start %q: expected a date such as 2025-01-01", c.Start)
	}
	write, err := c.writer()
	if err != nil {
		return err
	}
	y, m, d := start.Date()
	cfg := sim.Config{Seed: c.Seed, Cases: c.Cases, Start: data.IST(y, m, d, 0, 0), Months: c.Months}
	done := func() {}
	if e.tty {
		cfg.Progress, done = progressOn(e.stderr, "cases")
	}
	s, err := write(ctx, cfg)
	done()
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(s)
	}
	var t strings.Builder
	fmt.Fprintf(&t, "%s: %d cases of %d customers, from %s to %s\n", c.Dir, s.Cases, s.Customers, s.Start, s.End)
	fmt.Fprintf(&t, "%d charges, %.1f %% failed at first:", s.Charges, 100*s.FirstFailed)
	for _, r := range s.Reasons[:min(5, len(s.Reasons))] {
		fmt.Fprintf(&t, " %s %.1f %%,", r.Reason, 100*r.Share)
	}
	fmt.Fprintf(&t, " ...\n%d retries, %d captured; paid within 21 days: %.1f %% (retries %.1f %%, customers %.1f %%) of %d mature cases\n",
		s.Retries, s.Captured, 100*s.Recovery.All, 100*s.Recovery.ByRetry, 100*s.Recovery.ByCure, s.Recovery.Cases)
	if c.Oracle != "" {
		fmt.Fprintf(&t, "%s: the truth about %d candidates; nothing that learns may read it\n", c.Oracle, s.Rows.Candidates)
	}
	_, err = fmt.Fprint(e.stdout, t.String())
	return err
}

// writer is how the policy writes its world: the ladder and the uniform draw live
// customer by customer, the arms at the gate event by event.
func (c *simulateCmd) writer() (func(context.Context, sim.Config) (sim.Summary, error), error) {
	if atGate := c.Policy != "ladder" && c.Policy != "uniform"; !atGate {
		if c.Model != "" || c.Gate != "" || c.Bandit != "" {
			return nil, data.Faultf(data.ErrUsage, "simulate: --policy %s asks neither a model nor the gate: leave --model, --gate and --bandit out", c.Policy)
		}
		b := sim.Ladder()
		if c.Policy == "uniform" {
			b = sim.Uniform()
		}
		return func(ctx context.Context, cfg sim.Config) (sim.Summary, error) {
			return sim.Write(ctx, cfg, b, c.Dir, c.Oracle)
		}, nil
	}
	if (c.Policy == experiment.Model) != (c.Model != "") {
		return nil, data.Faultf(data.ErrUsage, "simulate: --policy %s, --model %q: a model's folder goes with --policy model, and with nothing else", c.Policy, c.Model)
	}
	policy := score.Default()
	if c.Gate != "" {
		var err error
		if policy, err = score.LoadPolicy(c.Gate); err != nil {
			return nil, err
		}
	}
	var bundle *models.Bundle
	if c.Model != "" {
		var err error
		if bundle, err = models.LoadFolder(c.Model); err != nil {
			return nil, err
		}
	}
	p, err := experiment.PlayerOf(c.Policy, policy, bundle)
	if err != nil {
		return nil, err
	}
	if c.Bandit != "" {
		if c.Policy != experiment.Explorer {
			return nil, data.Faultf(data.ErrUsage, "simulate: --policy %s draws nothing: --bandit goes with --policy explorer", c.Policy)
		}
		f, err := thompson.Read(c.Bandit)
		if err != nil {
			return nil, err
		}
		x := score.Explorer{Salt: []byte("everybody may know the salt of a simulated world"), Only: data.ArmExplorer}
		if x.Proposal, x.Formula, err = f.Propose(); err != nil {
			return nil, err
		}
		if p.Engine, err = p.Engine.Explore(x); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, cfg sim.Config) (sim.Summary, error) {
		return sim.WritePlay(ctx, cfg, p.Decider(nil), c.Dir, c.Oracle)
	}, nil
}
