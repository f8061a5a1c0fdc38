package main

import (
	"context"
	"errors"
)

type modelsCmd struct{}

func (c *modelsCmd) Run(ctx context.Context, e *env) error { return errors.New("models: in the making") }
