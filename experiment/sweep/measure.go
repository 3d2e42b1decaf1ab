package sweep

import (
	"bytes"
	"context"
	"runtime/debug"
	"time"

	"whorl/experiment"
	"whorl/sim"
	"whorl/sim/machines"
	"whorl/tracer"
)

// A task is a run to measure, on this host or on another one.
type task struct {
	Key    string         `json:"key"`
	Run    experiment.Run `json:"run"`
	Traces int64          `json:"traces,omitempty"` // keep a trace of at most so many bytes
}

// A measured is the result of a task. A trace that is not kept is empty.
type measured struct {
	Result *Result `json:"result"`
	Trace  []byte  `json:"trace,omitempty"`
}

// task returns the task of a run of the grid.
func (s *Sweep) task(index int64) task {
	return task{Key: s.keys[index], Run: s.Grid.Run(index), Traces: s.Grid.Traces}
}

// measure makes the run. It returns nil if the run was interrupted.
func (t *task) measure(ctx context.Context) (*measured, error) {
	result := &Result{Key: t.Key, Run: t.Run, Version: version()}
	began := time.Now()
	p, err := t.Run.Resolve()
	if err != nil { // such as a policy for other networks
		result.Outcome, result.Err = tracer.Failed.String(), err.Error()
		return &measured{Result: result}, nil
	}
	result.Run, result.Fixed = p.Description, !p.HasPolicy()
	result.Run.Read = nil
	if t.Run.Mode != experiment.Live {
		result.Machine = timesOf(p.Model())
	}
	kept := &bounded{most: t.Traces}
	numbers, _, err := p.Measure(ctx, kept)
	if err != nil {
		return nil, err
	}
	if numbers.Outcome == tracer.Interrupted.String() {
		return nil, nil
	}
	result.Outcome, result.Err, result.WallNs = numbers.Outcome, numbers.Err, int64(time.Since(began))
	result.setNumbers(numbers)
	return &measured{result, kept.text.Bytes()}, nil
}

// timesOf returns the times of a machine by the names of its options.
func timesOf(m sim.Model) map[string]*float64 {
	times := map[string]*float64{}
	for _, o := range machines.Options {
		ns := o.Ns(m)
		times[o.Name] = &ns
	}
	return times
}

// A bounded is a writer that keeps the bytes written to it, or nothing if there are more than its limit.
type bounded struct {
	text bytes.Buffer
	most int64
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.most -= int64(len(p)); b.most < 0 {
		b.text = bytes.Buffer{}
		return len(p), nil
	}
	return b.text.Write(p)
}

// version returns the version of whorl.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "unknown"
}
