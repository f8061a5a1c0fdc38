package compare

import (
	"recoup/data"
	"recoup/models"
	"recoup/ope/bandit"
	"recoup/score"
)

// logistic is Thompson sampling with a logistic posterior on top of the model: the
// logit of what the model expects (the chance that the case is paid in the end if this
// slot is taken, with the attempts that can follow) is an offset, and what is learned is
// how the world differs. So it shares all the model's features, and what the tuned rules say
// of a slot and the own pay day are more of them.
type logistic struct {
	tracker
	engine *score.Engine
	advice *adviser
	post   *bandit.Logistic
	draws  *bandit.Draws
	rows   map[string]input // by trial
	last   input
}

// input is a row and its offset.
type input struct {
	row    []float64
	offset float64
}

// Settings of the logistic bandit.
const (
	drawPairs     = 192   // of coefficients, a night
	logisticFloor = .0001 // of each slot, of which there are some fifty
	logisticKeep  = .99   // a day
	logisticSD    = .3    // of each coefficient, before anything is learned
	boldness      = .25   // it tries as if its deviations were this share of what they are
)

// columns of corrections.
var columns = 11 + 2*len(windows)

// corrections are: level, the model's logit, days until the slot, its hour, whether it
// lies within two days, whether it is the tuned rules' or the own pay day's or near
// these, and the part of the month it lies in, alone and for those who are out of money.
// own is -1 where none is known.
func corrections(s *scene, i, rules, own int, logit float64) []float64 {
	at := s.at(i)
	days := float64(at-s.turn.Now) / float64(data.Day)
	row := make([]float64, columns)
	row[0], row[1], row[2] = 1, logit/2, days/7
	if quarter := int(at.ISTTimeOfDay() / (6 * data.Hour)); quarter > 0 {
		row[2+quarter] = 1
	}
	row[6] = one(days < 2)
	row[7], row[8] = one(i == rules), one(i == own)
	row[9], row[10] = one(gap(at, s.at(rules)) <= beside), one(own >= 0 && gap(at, s.at(max(0, own))) <= beside)
	row[11+window(at)] = 1
	if s.d.Class == data.RetryScheduled {
		row[11+len(windows)+window(at)] = 1
	}
	return row
}

// beside is how far apart two slots are that are much the same.
const beside = 18 * data.Hour

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// inputs are the rows of all retries.
func inputs(e *score.Engine, a *adviser, s *scene) ([]input, error) {
	values, err := ask(e, s)
	if err != nil {
		return nil, err
	}
	rules, err := a.rules(s)
	if err != nil {
		return nil, err
	}
	own, err := a.own(s)
	if err != nil {
		return nil, err
	}
	out := make([]input, len(values))
	for i, c := range values {
		out[i].offset = models.Logit(min(max(s.worth(c), .01), .99))
		out[i].row = corrections(s, i, rules, own, out[i].offset)
	}
	return out, nil
}

// newLogistic knows nothing but the model.
func newLogistic() (*bandit.Logistic, error) {
	sd := make([]float64, columns)
	for i := range sd {
		sd[i] = logisticSD
	}
	return bandit.NewLogistic(make([]float64, columns), sd, logisticKeep)
}

// logisticBandit begins with what is known.
func logisticBandit(e *score.Engine, a *adviser, known []byte) (*logistic, error) {
	p, err := bandit.DecodeLogistic(known)
	return &logistic{engine: e, advice: a, post: p, rows: map[string]input{}}, err
}

func (l *logistic) hand() hand {
	return hand{name: LogisticT, pick: l.pick, seen: l.seen, dawn: l.dawn, plan: func(s *scene) error {
		id := trialID(s.turn.CaseID, s.turn.AttemptNo)
		l.rows[id] = l.last
		return l.plan(bandit.Trial{ID: id, Cell: bandit.Cell(id), Closes: s.turn.FirstFailedAt + judged})
	}}
}

func (l *logistic) dawn(midnight data.Micros) error {
	var rows [][]float64
	var success []bool
	var offset []float64
	for _, o := range l.book.Close(midnight) {
		in := l.rows[string(o.Cell)]
		rows, success, offset = append(rows, in.row), append(success, o.Success), append(offset, in.offset)
	}
	if err := l.post.Learn(rows, success, offset, midnight); err != nil {
		return err
	}
	n, err := l.post.Normal()
	if err != nil {
		return err
	}
	if n, err = n.Narrowed(boldness); err != nil {
		return err
	}
	l.draws = n.Draws(drawPairs, append([]byte(midnight.String()), salt...))
	return nil
}

func (l *logistic) pick(s *scene) (int, error) {
	all, err := inputs(l.engine, l.advice, s)
	if err != nil {
		return 0, err
	}
	rows, offset := make([][]float64, len(all)), make([]float64, len(all))
	for i, in := range all {
		rows[i], offset[i] = in.row, in.offset
	}
	p, err := l.draws.Select(rows, offset, nil, min(logisticFloor, 1/float64(len(rows))))
	if err != nil {
		return 0, err
	}
	i := bandit.Draw(salt, LogisticT+"/"+s.turn.DecisionID, p)
	l.last = all[i]
	return i, nil
}
