package bracket

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"recoup/api/report"
	"recoup/data"
	"recoup/ope"
	"recoup/score"
)

// run is a bracket in the making.
type run struct {
	Config
	policy   *score.Policy
	on       *data.Log
	log      *Log
	learners []learner
	replayed []Replayed
	judged   *Judged
	out      *report.Bracket
}

// Run judges the policies of a folder. A log that cannot carry an estimate gives a
// bracket with the live comparison alone, and says why; an error is a log or a
// model that cannot be trusted.
func Run(ctx context.Context, c Config) (*report.Bracket, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	r := &run{Config: c, out: &report.Bracket{AsOf: c.AsOf.String(), Seed: c.Seed, Draws: c.Draws, IntervalsBy: "customer, and by what the customers of a bank share in a week", Estimand: string(ope.OneDecision)}}
	for _, step := range []func(context.Context) error{r.open, r.read, r.live, r.estimate} {
		if err := step(ctx); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	r.out.Doubt()
	return r.out, nil
}

func (r *run) open(context.Context) (err error) {
	if r.policy, err = score.FindPolicy("", r.Dir); err != nil {
		return err
	}
	if r.on, err = data.OpenLog(r.Dir); err != nil {
		return err
	}
	m := r.on.Manifest()
	r.out.ManifestHash, r.out.PolicyID, r.out.HorizonDays = m.Hash, r.policy.ID(), float64(r.policy.Horizon())/float64(data.Day)
	if m.KnownAtAssumed {
		r.out.Warnings = append(r.out.Warnings, "known_at is assumed equal to occurred_at: the source does not say when an event could have been known")
	}
	var warnings []string
	r.learners, warnings, err = r.Config.learners(r.policy)
	r.out.Warnings = append(r.out.Warnings, warnings...)
	return err
}

func (r *run) read(context.Context) (err error) {
	from := r.From
	if from == 0 {
		for _, l := range r.learners {
			if l.test > from {
				from, r.out.FromWhy = l.test, "the models that take part learned from what came before"
			}
		}
	}
	if r.log, err = Read(r.on, Span{AsOf: r.AsOf, Horizon: r.policy.Horizon(), From: from}); err != nil {
		return err
	}
	if from > 0 {
		r.out.From = from.String()
	}
	c := r.log.Counts
	firsts := r.log.Firsts()
	r.out.Decided = report.Decided{Known: int64(c.Decisions), Before: int64(c.Before), Open: int64(c.Open), Fallback: int64(c.Fallback),
		Unreported: int64(c.Unreported), Judged: int64(c.Judged), Cases: int64(c.Cases), Customers: int64(c.Customers), Rows: int64(len(firsts)), FellBack: int64(c.FellBack),
		Measured: int64(len(r.log.Given)), MeasuredOf: customersOf(r.log.Given)}
	seen := make([]Decision, 0, len(firsts))
	for _, i := range firsts {
		seen = append(seen, r.log.Decisions[i])
	}
	r.out.Decided.RowsOf = customersOf(seen)
	if g := r.log.Given; len(g) > 0 {
		r.out.Decided.First, r.out.Decided.Last = g[0].At.String(), g[len(g)-1].At.String()
	}
	loggers, posteriors := map[string]int{}, map[string]bool{}
	for i := range r.log.Decisions {
		loggers[r.log.Decisions[i].Logger]++
	}
	for i := range seen { // what the lines are computed from
		posteriors[posteriorOf(seen[i].Logger)] = true
	}
	if len(posteriors) > 1 {
		r.out.Warnings = append(r.out.Warnings, fmt.Sprintf("Adaptive logging: the explorer learned from this log, %d times. The usual interval need not hold then; that of dr_adaptive, among the estimators, is weighted so that it does (Zhan et al. 2021), and a promotion rests on it", len(posteriors)-1))
	}
	names := slices.SortedFunc(maps.Keys(loggers), func(a, b string) int {
		return cmp.Or(cmp.Compare(loggers[b], loggers[a]), cmp.Compare(a, b))
	})
	r.out.Loggers = []string{}
	for _, name := range names[:min(10, len(names))] {
		r.out.Loggers = append(r.out.Loggers, fmt.Sprintf("%s: %d decisions", name, loggers[name]))
	}
	if c.Unreported > 0 {
		r.out.Warnings = append(r.out.Warnings, fmt.Sprintf("%d decisions have matured and no outcome says that their window is closed: they are left out, and what is left may be the luckier or the unluckier part", c.Unreported))
	}
	if w := r.log.fallbackSays(); w != "" {
		r.out.Warnings = append(r.out.Warnings, w)
	}
	return nil
}

func (r *run) live(context.Context) error {
	r.out.Live = Live(r.log)
	for _, a := range r.out.Live.Arms {
		if a.Share == nil && len(r.out.Live.Arms) > 1 {
			r.out.Warnings = append(r.out.Warnings, fmt.Sprintf("The share of arm %s changed over time: a plain difference of arms mixes periods; choose one with --from and --as-of", a.Arm))
		}
	}
	for _, s := range r.out.Live.Sample {
		if s.P != nil && *s.P < .001 {
			r.out.Warnings = append(r.out.Warnings, fmt.Sprintf("Sample-ratio mismatch under policy %s (p = %.2g): cases did not come into the arms as their shares say; no comparison of arms can be believed before that is understood", s.Policy, *s.P))
		}
	}
	return nil
}

// progress of a stage; nil-safe.
func (r *run) progress(stage string) func(done, total int64) {
	if r.Progress == nil {
		return nil
	}
	return func(done, total int64) { r.Progress(stage, done, total) }
}

// freely is at which decisions an engine's free choice is asked for too.
const freely = 5

func (r *run) estimate(ctx context.Context) error {
	if r.out.NotAssessed = r.log.Randomised(); r.out.NotAssessed != "" {
		if why, err := r.nothingYet(); err != nil || why != "" {
			r.out.NotAssessed, r.out.Live.NotAssessed = why, why
			return err
		}
		return nil
	}
	rules, err := score.New(r.policy, nil)
	if err != nil {
		return err
	}
	engines := []Engine{{Rules, rules}}
	for _, l := range r.learners {
		engines = append(engines, l.Engine)
	}
	if r.replayed, err = Replay(ctx, EventsOf(r.on, data.AsOf(r.AsOf)), r.log, engines, freely, r.progress("replay")); err != nil {
		return err
	}
	policies, focus, err := r.policies()
	if err != nil {
		return err
	}
	var registered []*Replayed
	for k, l := range r.learners {
		if r.log.From >= l.test && l.test > 0 && l.Name == Champion {
			registered = append(registered, &r.replayed[k+1])
		}
	}
	if r.Progress != nil {
		r.Progress("reward model", 0, 1)
	}
	if r.judged, err = Prepare(ctx, r.log, Settings{Seed: r.Seed, Draws: r.Draws, Workers: r.Workers}, registered...); err != nil {
		if few := (*tooFewCustomers)(nil); errors.As(err, &few) {
			r.out.NotAssessed = few.says()
			return nil
		}
		return err
	}
	for k, p := range policies {
		if r.Progress != nil {
			r.Progress("policies", int64(k), int64(len(policies)))
		}
		if err := r.judged.Judge(p); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return r.fill(policies, focus)
}

// policies are those of the bracket, in the order in which they are read; focus is
// the one that a reader wants to know most about.
func (r *run) policies() (out []Policy, focus string, err error) {
	for _, p := range FromLog() {
		if out = append(out, p); p.Moves {
			out = append(out, About(p))
		}
	}
	focus = Rules
	for k := range r.replayed {
		p := Choosing(r.replayed[k].Name, "", r.replayed[k].Choice)
		if k == 0 {
			p.Says = "the rules arm: the class table's hand-written timing"
			out = append(out, p, About(p))
			continue
		}
		l := &r.learners[k-1]
		focus = l.Name
		p.Says = fmt.Sprintf("model %s: the highest expected value", l.id)
		if r.log.From < l.test || l.test == 0 {
			p.Marks = "its model learned from some of these decisions: the value is too good"
		}
		out = append(out, p, About(p), Mixed(p, .1))
	}
	if r.Oracle != "" {
		p, err := Truth(r.log, r.Oracle, r.policy)
		if err != nil {
			return nil, "", err
		}
		out = append(out, p, About(p))
	}
	return out, focus, nil
}

func parseTime(s string) (data.Micros, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return 0, err
	}
	return data.MicrosOf(t), nil
}
