package models

import (
	"fmt"

	"recoup/models/lightgbm"
)

type loaded struct {
	Model  *lightgbm.Model
	Forest *lightgbm.Forest
}

func load(text []byte, answers []ForestAnswer) (*loaded, error) {
	m, err := lightgbm.Parse(text)
	if err != nil {
		return nil, err
	}
	f, err := lightgbm.Compile(m)
	if err != nil {
		return nil, err
	}
	for i, a := range answers {
		raw, err := f.Raw(a.Row)
		if err != nil || !sameBits(raw, a.Raw) {
			return nil, fmt.Errorf("row %d: %v, want %v (%v)", i, raw, a.Raw, err)
		}
	}
	return &loaded{m, f}, nil
}
