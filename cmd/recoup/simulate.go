package main

import (
	"context"
	"errors"
)

type simulateCmd struct{}

func (c *simulateCmd) Run(ctx context.Context, e *env) error { return errors.New("simulate: in the making") }
