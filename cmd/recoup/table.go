package main

import (
	"context"
	"errors"
)

type tableCmd struct{}

func (c *tableCmd) Run(ctx context.Context, e *env) error { return errors.New("table: in the making") }
