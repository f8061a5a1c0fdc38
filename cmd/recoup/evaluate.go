package main

import (
	"context"
	"errors"
)

type evaluateCmd struct{}

func (c *evaluateCmd) Run(ctx context.Context, e *env) error { return errors.New("evaluate: in the making") }
