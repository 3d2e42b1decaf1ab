// Package nativetest runs programs whose procedures are Go functions beside the same programs in bytecode. A test has one binary built for
// many programs, which answers questions.
package nativetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"whorl/fghc/builtin"
	"whorl/fghc/check"
	"whorl/fghc/compile"
	"whorl/fghc/emulator"
	"whorl/sim/policy"
	"whorl/tracer"
)

// A Run is a question: what becomes of a query.
type Run struct {
	Program  int
	Goal     string
	Bytecode bool // and no functions
	PEs      int
	Policy   string // "" is that of one PE
	Seed     uint64
	Slice    int
	Poll     int
	Collect  bool
	Traced   bool
	Step     int // reductions after which somebody looks at the run, 0 for never
	Input    string
	Timed    bool // the result says how long the run took; recording it goes nowhere
}

// A Result is the answer.
type Result struct {
	Answers                 []emulator.Binding
	Err                     string
	Output                  string
	Reductions, Suspensions int64
	Events                  []string      // of all streams, less times and costs
	Processor               time.Duration // that the run took
}

// compiled is a program with its query. That of the question before is kept.
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

// Serve answers the questions on standard input. The main of the binary calls it with the texts of the programs and their functions.
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
		World: &builtin.World{Stdin: strings.NewReader(r.Input), Stdout: &out},
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
		o.Recorder = new(recycler)
	case r.Traced:
		o.Recorder = mem
	}
	m, err := emulator.New(prog, query, o)
	if err != nil {
		return nil, err
	}
	result, began := new(Result), processorTime()
	if err := r.run(m); err != nil {
		result.Err = err.Error()
	}
	if r.Timed {
		result.Processor = processorTime() - began
	}
	o.World.Flush()
	stats := m.Stats()
	result.Answers, result.Output, result.Reductions, result.Suspensions = m.Answer(), out.String(), stats.Reductions, stats.Suspensions
	if err := mem.Close(); err != nil {
		return nil, err
	}
	err = mem.ScanStreams(tracer.AllKinds, func(stream int, es []tracer.Event) error {
		for _, e := range es {
			e.Time, e.Value = 0, 0
			result.Events = append(result.Events, fmt.Sprintf("%d: %v", stream, e))
		}
		return nil
	})
	return result, err
}

// run carries the program out, as long as that takes a short while.
func (r Run) run(m *emulator.Machine) error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), 20*time.Second, errors.New("no end"))
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

// A recycler records into the same segments again and again, one for each stream: what it costs to record, without what becomes of it.
type recycler struct{ dict tracer.Dict }

func (r *recycler) Dict() *tracer.Dict  { return &r.dict }
func (r *recycler) SetMeta(tracer.Meta) {}
func (r *recycler) Close() error        { return nil }
func (r *recycler) Stream(tracer.StreamInfo) *tracer.Stream {
	segment := tracer.Segment{Rows: make([]tracer.Event, 1<<14), Fill: new(tracer.Fill)}
	return tracer.NewStream(segment, func(full tracer.Segment) tracer.Segment { return full })
}
