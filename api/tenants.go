package api

import (
	"context"

	"recoup/data/ledger"
	"recoup/models"
	"recoup/score"
)

// MainTenant is the tenant whose folder is D itself; the others are in D/tenants.
const MainTenant = "main"

// tenant is what belongs to one tenant and to nobody else: its folder, models,
// policy, ledger book and present.
type tenant struct {
	name     string
	dir      string // a whole D
	policy   *score.Policy
	registry *models.Registry
	champion *champion
	shelf    *shelf
	nights   *nights
	book     *ledger.Book // nil = the service keeps no ledger
}

// engine is what decides for the tenant now; a request takes it once.
func (t *tenant) engine() *score.Engine { return t.champion.engine.Load() }

// tenantOf is the tenant whose key the request of ctx came with. Every route under
// /v1 has one: a request without a key does not come so far.
func tenantOf(ctx context.Context) *tenant {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c.tenant
	}
	return nil
}
