package main

import (
	"context"
	"errors"
)

type ingestCmd struct{}

func (c *ingestCmd) Run(ctx context.Context, e *env) error { return errors.New("ingest: in the making") }
