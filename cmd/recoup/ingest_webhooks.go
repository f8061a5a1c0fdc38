package main

import (
	"context"
	"errors"
)

// webhooks turns archives of Razorpay webhooks into events of the log.
func (c *ingestCmd) webhooks(ctx context.Context, e *env) error {
	return errors.New("ingest: --webhooks is not built yet")
}
