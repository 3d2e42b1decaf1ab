// Package nativetest runs programs as Go functions and as bytecode, for tests that compare the two. A test builds one
// binary for many programs, which answers questions.
package nativetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"whorl/fghc/check"
	"whorl/fghc/compile"
	"whorl/fghc/emulator"
	"whorl/fghc/report"
	"whorl/fghc/world"
	"whorl/sim/policy"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// A Run is a question: the query to run and how.
type Run struct {
	Program  int
	Goal     string
	Bytecode bool // without functions
	PEs      int
	Policy   string // "" is the policy of one PE
	Seed     uint64
	Slice    int
	Poll     int
	Collect  bool
	Traced   bool
	Step     int // reductions between two inspections of the run, 0 for none
	Input    string
	Timed    bool // measure the time of the run; the recording is discarded
}

// A Result is the answer to a Run.
type Result struct {
	Answers                 []report.Binding
	Err                     string
	Output                  string
	Reductions, Suspensions int64
	Events                  []string      // of all streams, without times, costs and interruptions
	Processor               time.Duration // processor time of the run
}

// compiled returns a compiled program and query. It keeps those of the question before.
func (s *server) compiled(text, goal string) (*compile.Program, *compile.Query, error) {
	if s.text == text && s.goal == goal {
		return s.prog, s.query, nil
	}
	file, errs := check.Program("p.fghc", text)
	if errs.Failed() {
		return nil, nil, errs
	}
	prog, errs := compile.Compile(file)
	if errs.Failed() {
		return nil, nil, errs
	}
	goals, errs := check.Files{file}.Query("goal", goal)
	if errs.Failed() {
		return nil, nil, errs
	}
	query, errs := prog.Query(goals)
	s.text, s.goal, s.prog, s.query = text, goal, prog, query
	return prog, query, errs.Err()
}

type server struct {
	text, goal string
	prog       *compile.Program
	query      *compile.Query
}

// Serve answers the questions on standard input. The main function of a binary calls it with the texts of the programs
// and their functions.
func Serve(texts []string, natives []*emulator.Native) {
	s := new(server)
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var r Run
		if in.Decode(&r) != nil {
			return
		}
		result, err := s.answer(r, texts[r.Program], natives[r.Program])
		if err == nil {
			err = out.Encode(result)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%+v: %v\n", r, err)
			os.Exit(1)
		}
	}
}

func (s *server) answer(r Run, text string, native *emulator.Native) (*Result, error) {
	prog, query, err := s.compiled(text, r.Goal)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	o := emulator.Options{
		PEs: r.PEs, Seed: r.Seed, Slice: r.Slice, Poll: r.Poll, Collect: r.Collect, Native: native, MaxWords: 1 << 26,
		World: &world.World{Stdin: strings.NewReader(r.Input), Stdout: &out},
	}
	if r.Policy != "" {
		if o.Policy, err = policy.Named(r.Policy); err != nil {
			return nil, err
		}
	}
	if r.Bytecode {
		o.Native = nil
	}
	mem := tracer.NewMemory()
	switch {
	case r.Traced && r.Timed:
		o.Recorder = new(testenv.Recycler)
	case r.Traced:
		o.Recorder = mem
	}
	m, err := emulator.New(prog, query, o)
	if err != nil {
		return nil, err
	}
	result, began := new(Result), testenv.CPUTime()
	if err := r.run(m); err != nil {
		result.Err = err.Error()
	}
	if r.Timed {
		result.Processor = testenv.CPUTime() - began
	}
	o.World.Flush()
	stats := m.Stats()
	result.Answers, result.Output, result.Reductions, result.Suspensions = m.Answer(), out.String(), stats.Reductions, stats.Suspensions
	if err := mem.Close(); err != nil {
		return nil, err
	}
	err = mem.ScanStreams(tracer.AllKinds, func(stream int, es []tracer.Event) error {
		for _, e := range es {
			why := mem.Dict().Code(e.Code).Name
			if e.Kind == tracer.Busy || why == "off cpu" || why == "stop" || e.Kind == tracer.Overhead && why == "" {
				continue // how often a PE is interrupted, and has no step between two readings of the clock, depends on the load
			}
			e.Time, e.Value = 0, 0
			result.Events = append(result.Events, fmt.Sprintf("%d: %v", stream, e))
		}
		return nil
	})
	return result, err
}

// run runs the program, for up to 20 seconds.
func (r Run) run(m *emulator.Machine) error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), 20*time.Second, errors.New("timeout"))
	defer cancel()
	if r.Step == 0 {
		return m.Run(ctx)
	}
	if err := m.Start(); err != nil {
		return err
	}
	for m.Advance(ctx, int64(r.Step), time.Minute) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		look := m.Inspect()
		for pe := range max(1, r.PEs) {
			look.Queue(pe, 10)
		}
		look.Waiting(10)
	}
	return m.Err()
}
