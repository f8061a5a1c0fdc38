package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"recoup/data"
	"recoup/models"
)

// Models is the answer of /v1/models.
type Models struct {
	RequestID string       `json:"request_id"`
	InUse     *string      `json:"in_use" doc:"Id of the model that answers now; null = the rules arm answers"`
	Aliases   AliasList    `json:"aliases"`
	Unknown   *string      `json:"aliases_unknown" doc:"Why nobody knows which model has which part; null = it is known"`
	Models    []ModelEntry `json:"models" nullable:"false" doc:"Oldest as_of first"`
}

// AliasList says which model has which part; null = none.
type AliasList struct {
	Champion   *string `json:"champion"`
	Challenger *string `json:"challenger"`
	Previous   *string `json:"previous"`
}

// ModelEntry is one registered model.
type ModelEntry struct {
	ID       string      `json:"id"`
	Aliases  []string    `json:"aliases" nullable:"false"`
	Refused  bool        `json:"refused" doc:"Its folder is damaged or edited: it is never used"`
	AsOf     *string     `json:"as_of" doc:"Nothing known later taught it; null when refused"`
	TestRows *int64      `json:"test_rows"`
	Brier    *float64    `json:"brier" doc:"On its test slice, calibrated"`
	OverBase *float64    `json:"over_base" doc:"Brier score of the base rate minus its own: above 0 is better"`
	Interval *[2]float64 `json:"over_base_interval" doc:"95 %, by customer; null = not measured"`
}

// ReasonList is the answer of /v1/reasons.
type ReasonList struct {
	RequestID string        `json:"request_id"`
	Total     int           `json:"total" doc:"Of the table, before filters"`
	Reasons   []ReasonEntry `json:"reasons" nullable:"false"`
}

// ReasonEntry is one row of the reasons table.
type ReasonEntry struct {
	Reason    string     `json:"reason"`
	Class     *classWord `json:"class" nullable:"true" doc:"null = none: the gate sends it to human_review"`
	Cause     string     `json:"cause"`
	MinWait   float64    `json:"min_wait_hours" doc:"Least wait after the latest failure"`
	Families  []string   `json:"families" nullable:"false" doc:"Payment methods that show it, in Razorpay's words"`
	Note      string     `json:"note"`
	Rationale string     `json:"rationale" doc:"Why this class"`
	Source    string     `json:"source_url"`
	Recurring string     `json:"recurring_debit" doc:"documented, inferred or no: seen on a recurring debit?"`
}

type reasonsInput struct {
	Class classFilter `query:"class" doc:"Only this class"`
	Rail  railFilter  `query:"rail" doc:"Only reasons that this rail can show"`
	Q     string      `query:"q" maxLength:"100" doc:"Only those whose name, note or rationale holds this text"`
}

type (
	classFilter string
	railFilter  string
)

func (classFilter) Schema(r huma.Registry) *huma.Schema { return classWord("").Schema(r) }
func (railFilter) Schema(r huma.Registry) *huma.Schema  { return railWord("").Schema(r) }

func (s *Server) routeLists(api huma.API) {
	huma.Register(api, operation(http.MethodGet, "/v1/models", "models", "The registry: models, aliases, the one in use", "", BadQuery, Busy),
		func(ctx context.Context, _ *struct{}) (*struct{ Body Models }, error) {
			t := tenantOf(ctx)
			entries, aliases, err := t.shelf.list()
			damaged := errors.Is(err, models.ErrAliases)
			if err != nil && !damaged {
				return nil, err
			}
			out := modelList(requestID(ctx), t.champion.modelID(), aliases, entries)
			if damaged {
				out.Unknown = orNull("aliases.json cannot be read: " + models.ErrAliases.Error())
			}
			return &struct{ Body Models }{out}, nil
		})
	huma.Register(api, operation(http.MethodGet, "/v1/reasons", "reasons", "The reasons of failures and what each calls for", "", BadQuery, Busy),
		func(ctx context.Context, in *reasonsInput) (*struct{ Body ReasonList }, error) {
			return &struct{ Body ReasonList }{reasonList(requestID(ctx), in)}, nil
		})
}

// shelf remembers the list of models while their folder does not change: to list
// means to verify each. A model added, or an alias moved, changes the folder;
// damage within a model's own is noticed when it is loaded, or at the next change.
type shelf struct {
	registry *models.Registry

	mu      sync.Mutex
	at      time.Time // the folder's
	entries []models.Entry
	damaged bool // they were listed without their parts
}

// list is the models and who has which part; with an error that Is
// models.ErrAliases there are models, and none has a part.
func (s *shelf) list() ([]models.Entry, models.Aliases, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Stat(s.registry.Path(""))
	if os.IsNotExist(err) {
		return nil, models.Aliases{}, nil
	}
	if err != nil {
		return nil, models.Aliases{}, fmt.Errorf("api: models: %w", err)
	}
	aliases, err := s.registry.Aliases()
	if err != nil && !errors.Is(err, models.ErrAliases) {
		return nil, models.Aliases{}, err
	}
	if s.entries != nil && info.ModTime().Equal(s.at) && s.damaged == (err != nil) {
		return s.entries, aliases, err
	}
	entries, err := s.registry.List()
	if err != nil && !errors.Is(err, models.ErrAliases) {
		return nil, models.Aliases{}, err
	}
	s.at, s.entries, s.damaged = info.ModTime(), entries, err != nil
	return entries, aliases, err
}

func modelList(requestID string, inUse models.ID, a models.Aliases, entries []models.Entry) Models {
	out := Models{RequestID: requestID, InUse: text(inUse), Aliases: AliasList{text(a.Champion), text(a.Challenger), text(a.Previous)},
		Models: make([]ModelEntry, 0, len(entries))}
	for _, e := range entries {
		m := ModelEntry{ID: string(e.ID), Aliases: e.Aliases, Refused: e.Manifest == nil}
		if e.Manifest != nil {
			j := &e.Manifest.Attempt
			m.AsOf, m.TestRows, m.Brier, m.OverBase = &e.Manifest.AsOf, &j.Rows, &j.Calibrated.Brier, &j.OverBase
			m.Interval = (*[2]float64)(j.OverBaseInterval)
		}
		out.Models = append(out.Models, m)
	}
	return out
}

// family is Razorpay's name of the method that a rail stands for.
func family(rail railFilter) string {
	if rail == railFilter(data.UPIAutopay.String()) {
		return "upi"
	}
	return string(rail)
}

func reasonList(requestID string, in *reasonsInput) ReasonList {
	out := ReasonList{RequestID: requestID, Total: len(data.Reasons()), Reasons: []ReasonEntry{}}
	q := strings.ToLower(strings.TrimSpace(in.Q))
	for _, r := range data.Reasons() {
		i := r.Info()
		if in.Class != "" && i.Class.String() != string(in.Class) ||
			in.Rail != "" && !slices.Contains(i.Families, family(in.Rail)) ||
			q != "" && !strings.Contains(strings.ToLower(i.Name+"\n"+i.Note+"\n"+i.Rationale), q) {
			continue
		}
		e := ReasonEntry{Reason: i.Name, Class: named[classWord](i.Class), Cause: i.Cause.String(), MinWait: float64(i.MinWait) / float64(data.Hour),
			Families: i.Families, Note: i.Note, Rationale: i.Rationale, Source: i.SourceURL, Recurring: i.Recurring}
		if e.Families == nil {
			e.Families = []string{}
		}
		out.Reasons = append(out.Reasons, e)
	}
	return out
}
