package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync/atomic"

	"recoup/api/live"
	"recoup/data"
	"recoup/data/ledger"
	"recoup/models"
	"recoup/score"
)

// MainTenant is the tenant whose folder is D itself; the others are in D/tenants.
const MainTenant = "main"

// Tenant is what a server is told about one tenant.
type Tenant struct {
	Name     string
	Dir      string // a whole D: events, runs, webhook.secrets; "" = none, without a ledger
	Policy   *score.Policy
	Registry *models.Registry
	Salt     []byte // of the explorer; nil = the policy does not divide its cases
	// Draw is what the explorer draws by now and its formula's name, which changes with it.
	// It is asked again whenever the registry is looked at; nil = as the policy says.
	Draw func() (score.Proposal, string, error)
	// Identity gives the key of the hashes that stand for customers without an id; it
	// is asked by each webhook.
	Identity func() ([]byte, error)
}

// TenantDir is the folder of a tenant in D.
func TenantDir(dir, name string) string {
	if name == MainTenant {
		return dir
	}
	return filepath.Join(dir, "tenants", name)
}

// tenant is what belongs to one tenant and to nobody else: its folder, models,
// policy and present.
type tenant struct {
	name     string
	dir      string
	policy   *score.Policy
	registry *models.Registry
	champion *champion
	shelf    *shelf
	nights   *nights
	secrets  *secrets
	desk     *live.Desk  // nil = the service keeps no ledger
	away     atomic.Bool // at the last look the desk did not answer
	identity func() ([]byte, error)
	pages    http.Handler
}

// engine is what decides for the tenant now; a request takes it once.
func (t *tenant) engine() *score.Engine { return t.champion.engine.Load() }

// tenantOf is the tenant whose key the request of ctx came with. Every route under
// /v1 has one: a request without a key does not come so far.
func tenantOf(ctx context.Context) *tenant { return callOf(ctx).tenant }

// openTenant loads the tenant's model and rebuilds its present.
func (s *Server) openTenant(ctx context.Context, told Tenant) (*tenant, error) {
	if told.Policy == nil || told.Registry == nil {
		return nil, data.Faultf(data.ErrUsage, "api: tenant %s: a policy and a registry are missing", told.Name)
	}
	if told.Policy.Divides() && s.parts.Ledger == nil {
		return nil, data.Faultf(data.ErrUsage, "api: tenant %s: the policy divides the cases over several arms, and without a ledger nobody writes down what is drawn: "+
			"keep one (--ledger), or give all cases to the model (choice: arms: {model: 1})", told.Name)
	}
	t := &tenant{name: told.Name, dir: told.Dir, policy: told.Policy, registry: told.Registry, shelf: &shelf{registry: told.Registry},
		nights: &nights{}, secrets: &secrets{}, identity: told.Identity}
	if told.Dir != "" {
		t.nights.dir, t.secrets.path = filepath.Join(told.Dir, "runs"), filepath.Join(told.Dir, SecretFile)
	}
	if err := t.secrets.look(); err != nil {
		return nil, err
	}
	t.champion = &champion{tenant: told.Name, registry: told.Registry, name: s.parts.Model, policy: told.Policy, explorer: score.Explorer{Salt: told.Salt}, draw: told.Draw, metrics: s.metrics, log: s.parts.Log}
	if err := t.champion.first(); err != nil {
		return nil, err
	}
	if s.parts.Ledger == nil {
		return t, nil
	}
	var err error
	if t.desk, err = live.Open(ctx, live.Config{Tenant: told.Name, Dir: told.Dir, Ledger: s.parts.Ledger, Engine: t.engine,
		Now: s.micros, Replay: s.parts.Replay, ReadOnly: s.parts.ReadOnly}); err != nil {
		return nil, fmt.Errorf("api: tenant %s: %w", told.Name, err)
	}
	return t, nil
}

func (s *Server) micros() data.Micros { return data.MicrosOf(s.parts.Now()) }

// now is the tenant's clock: in a replay, the latest known_at seen.
func (s *Server) now(t *tenant) data.Micros {
	if t.desk != nil {
		return t.desk.Now()
	}
	return s.micros()
}

// recorder is the tenant's desk where something may be recorded; else the problem
// says why not.
func (s *Server) recorder(t *tenant) (*live.Desk, *Problem) {
	switch {
	case s.parts.ReadOnly:
		return nil, problem(ReadOnly, "")
	case t.desk == nil:
		return nil, problem(NoLedger, "")
	}
	return t.desk, nil
}

// ledgerFault is the problem that an error of the desk or the ledger is to a
// caller; another error stays what it is.
func ledgerFault(err error) error {
	switch {
	case errors.Is(err, ledger.ErrReused):
		return problem(Reused, "")
	case errors.Is(err, ledger.ErrConflict):
		return problem(Conflict, err.Error())
	case errors.Is(err, ledger.ErrUnavailable):
		return problem(LedgerAway, "")
	case errors.Is(err, ledger.ErrBroken): // a secret that was rotated under a running server, a damaged file
		return problem(LedgerAway, "the chain cannot be gone on with; the server's log says why")
	case errors.Is(err, data.ErrUsage): // an id too long for a key, or the like
		return problem(Invalid, err.Error())
	case errors.Is(err, live.ErrUnknown):
		return problem(Unknown, err.Error())
	case errors.Is(err, live.ErrUndecidable):
		return problem(Undecidable, err.Error())
	case errors.Is(err, context.DeadlineExceeded):
		return problem(DeadlineExceeds, "it may have been recorded: send it again, with the same ids or Idempotency-Key")
	}
	return err
}
