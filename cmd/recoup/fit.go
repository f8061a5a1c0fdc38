package main

import (
	"context"
	"errors"
)

type fitCmd struct{}

func (c *fitCmd) Run(ctx context.Context, e *env) error { return errors.New("fit: in the making") }
