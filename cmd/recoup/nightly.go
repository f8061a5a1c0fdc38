package main

import (
	"context"
	"errors"
)

type nightlyCmd struct{}

func (c *nightlyCmd) Run(ctx context.Context, e *env) error { return errors.New("nightly: in the making") }
