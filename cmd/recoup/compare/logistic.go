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
// how the world differs. So it begins as the model, and shares all its features.
type logistic struct {
	tracker
	engine *score.Engine
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

const (
	drawPairs     = 192  // of coefficients, a night
	logisticFloor = .001 // of each slot
	logisticKeep  = .99  // a day
)

// corrections are the columns: level, the model's logit, days until the slot, its hour,
// and the part of the month it lies in, alone and for those who are out of money.
func corrections(s *scene, at data.Micros, logit float64) []float64 {
	days := float64(at-s.turn.Now) / float64(data.Day)
	row := make([]float64, 7, 7+2*len(windows))
	row[0], row[1], row[2] = 1, logit/2, days/7
	switch tod := at.ISTTimeOfDay(); {
	case tod < 6*data.Hour:
	case tod < 12*data.Hour:
		row[3] = 1
	case tod < 18*data.Hour:
		row[4] = 1
	default:
		row[5] = 1
	}
	if days < 2 {
		row[6] = 1
	}
	month := make([]float64, 2*len(windows))
	month[window(at)] = 1
	if s.d.Class == data.RetryScheduled {
		month[len(windows)+window(at)] = 1
	}
	return append(row, month...)
}

func logisticBandit(e *score.Engine) (*logistic, error) {
	n := 7 + 2*len(windows)
	mean, sd := make([]float64, n), make([]float64, n)
	for i := range sd {
		sd[i] = .35
	}
	p, err := bandit.NewLogistic(mean, sd, logisticKeep)
	return &logistic{engine: e, post: p, rows: map[string]input{}}, err
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
	l.draws = n.Draws(drawPairs, append([]byte(midnight.String()), salt...))
	return nil
}

func (l *logistic) pick(s *scene) (int, error) {
	values, err := ask(l.engine, s)
	if err != nil {
		return 0, err
	}
	rows, offset := make([][]float64, len(values)), make([]float64, len(values))
	for i, c := range values {
		offset[i] = models.Logit(min(max(s.worth(c), .01), .99))
		rows[i] = corrections(s, c.At, offset[i])
	}
	p, err := l.draws.Select(rows, offset, nil, min(logisticFloor, 1/float64(len(rows))))
	if err != nil {
		return 0, err
	}
	i := bandit.Draw(salt, LogisticT+"/"+s.turn.DecisionID, p)
	l.last = input{rows[i], offset[i]}
	return i, nil
}
