//go:build !js

package screen

import (
	"context"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/tracer"
	"whorl/visual/documents"
)

// NewRunner returns the runner of programs for the viewer. It runs each program on a goroutine.
func NewRunner() documents.Runner { return runner{} }

type runner struct{}

func (runner) Run(r experiment.Run) (documents.Session, error) { return session.Start(r) }

// Read reads the program in a trace.
func (runner) Read(src tracer.Source, name string) (experiment.Run, func(), error) {
	run, err := experiment.ReplayOf(context.Background(), src, name)
	return run, func() {}, err
}

// Rank ranks the parts of a program that Read has read.
func (runner) Rank(ctx context.Context, r experiment.Run, watch func(over, all int)) (elapsed int64, gains []*experiment.Gain, err error) {
	return experiment.WhatIf(ctx, r, r.Recorded.Parts(experiment.MostRanked), watch)
}
