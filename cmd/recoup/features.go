package main

import (
	"context"
	"errors"
)

type featuresCmd struct{}

func (c *featuresCmd) Run(ctx context.Context, e *env) error { return errors.New("features: in the making") }
