package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/schollz/progressbar/v3"

	"recoup/api"
	"recoup/cmd/recoup/nightly"
	"recoup/cmd/recoup/thompson"
	"recoup/data"
)

type nightlyCmd struct {
	Dir      string `required:"" placeholder:"D" help:"Folder that holds the event log (D/events); features, models and runs go beside it."`
	AsOf     string `required:"" placeholder:"T" help:"Every event known by T counts, none after it: a date (its start, UTC) or an RFC 3339 time. There is no default."`
	Oracle   string `placeholder:"D2" help:"Folder of a simulation's truth: the report then shows how much of what is achievable was reached."`
	Seed     uint64 `default:"1" help:"Seed of the bootstrap draws."`
	Draws    int    `default:"2000" help:"Bootstrap draws of whole customers behind every interval."`
	Lightgbm bool   `name:"lightgbm" help:"Train a LightGBM model too, through its official Python package, and judge it beside the logistic one. The first time an environment with the pinned packages is made in D/venv."`
	Python   string `placeholder:"P" help:"With --lightgbm: an interpreter that has the packages already."`
	Bandit   string `placeholder:"K" enum:",beta,logistic" default:"" help:"beta or logistic: begin a bandit of that kind for the explorer, D/bandit.json. One that is there is learned anew by every night."`
	Ledger   string `placeholder:"URL" help:"What it has recorded up to T is added to the event log first: a file, postgres://..., or none; by default D/ledger.db where there is one."`
	Tenant   string `default:"main" placeholder:"T" help:"Whose night it is: main works in D, another tenant in D/tenants/T."`
	JSON     bool   `help:"Print one JSON object."`
}

// Help is what nightly --help adds.
func (nightlyCmd) Help() string {
	return `Builds the feature tables as of T, fits the attempt model and the cure model on the older slices of time, judges them on the youngest, promotes the new model if it is surely better than the champion, and writes a report.

Where the log's decisions carry their probabilities, the policies of the new model and of the champion are valued on those of the test slice (runs/T/ope.html): one that may bring less than the champion's by more than the margin, or of which the log cannot tell, is not promoted, and the report says so in one sentence. The margin is the policy file's choice: promotion: {margin_paise: N, source: "..."}, 50 rupees a case where it says nothing. The gate is asked again about what the new model would have done at every failure of the test slice: one choice that it refuses ends the night with exit code 5.

With --lightgbm there are two new models, and a model that recoup models add brought in is a third: all are judged on the same rows by the same rule, and the best that passes is promoted.

Where there is a ledger it is verified first, a checkpoint on it is signed (D/checkpoints: keep copies elsewhere), and what it has recorded up to T goes to the event log.

Where D/bandit.json holds the state of a bandit that the explorer draws by (recoup bandit learn, or --bandit), it is learned anew from the decisions whose windows have closed by T, before any training, and a copy stays in the run's folder. recoup serve --bandit D/bandit.json takes it over by itself, each tenant's its own.

A second run does nothing. A killed run goes on where it stopped and comes to the same bytes.

Exit codes: 0 done (promoted or kept), 2 usage, 3 another job works in D, 4 too little mature data (recoup doctor --dir D says what there is), 5 a safety check failed, 6 the log is not what its manifest says, 7 the ledger is not what was written (recoup verify names the entry), 1 anything else.`
}

func (c *nightlyCmd) Run(ctx context.Context, e *env) error {
	asOf, err := parseAsOf("nightly", c.AsOf)
	if err != nil {
		return err
	}
	dir := api.TenantDir(c.Dir, c.Tenant)
	cfg := nightly.Config{Dir: dir, Export: c.recorded(e, asOf), AsOf: asOf, Oracle: c.Oracle, Bandit: thompson.Kind(c.Bandit), Seed: c.Seed, Draws: c.Draws, Workers: runtime.GOMAXPROCS(0)}
	if cfg.LightGBM, err = lightgbmOf("nightly", c.Lightgbm, c.Python, e); err != nil {
		return err
	}
	if e.tty {
		cfg.Progress = stageProgress(e)
	}
	s, err := nightly.Run(ctx, cfg)
	if errors.Is(err, data.ErrTooLittle) {
		return fmt.Errorf("%w\nWhat the log can and cannot support, slice by slice: recoup doctor --dir %s --as-of %s", err, dir, c.AsOf)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(s)
	}
	if s.Nothing {
		fmt.Fprintf(e.stdout, "Nothing to do: the night of %s is done.\n", s.AsOf)
	}
	fmt.Fprintf(e.stdout, "%s: model %s (%s): %s.\n\n", s.Outcome, s.Model, s.Kind, s.Why)
	for _, h := range s.Headlines {
		fmt.Fprintf(e.stdout, "%s\n", h)
	}
	printRecorded(e.stdout, s.Ledger)
	if b := s.Bandit; b != nil {
		why := fmt.Sprintf("learned anew from %d decisions", b.Trials)
		if b.Why != "" {
			why = "left as it was: " + b.Why
		}
		fmt.Fprintf(e.stdout, "Bandit: %s, %s.\n", b.Formula, why)
	}
	_, err = fmt.Fprintf(e.stdout, "\nReport:      %s\nModel:       %s\nPredictions: %s\n\nNext: open the report in a browser; recoup models show champion --dir %s prints the model; recoup predict --model %s --rows F scores a file.\n",
		s.HTML, s.ModelDir, s.Scores, dir, s.ModelDir)
	return err
}

// stageProgress shows a bar a stage on standard error.
func stageProgress(e *env) func(string, int64, int64) {
	var bar *progressbar.ProgressBar
	var now string
	return func(stage string, done, total int64) {
		if stage != now {
			now = stage
			bar = progressbar.NewOptions64(max(1, total), progressbar.OptionSetWriter(e.stderr), progressbar.OptionSetDescription(stage),
				progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
		}
		if total > 0 && bar.GetMax64() != total {
			bar.ChangeMax64(total)
		}
		bar.Set64(min(done, max(1, total)))
	}
}
