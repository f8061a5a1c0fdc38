package main

import (
	"context"
	"errors"
)

type predictCmd struct{}

func (c *predictCmd) Run(ctx context.Context, e *env) error { return errors.New("predict: in the making") }
