package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whorl/fghc/compile"
	"whorl/fghc/engine"
	"whorl/fghc/report"
	"whorl/fghc/syntax"
	"whorl/fghc/testdata/reference"
	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
)

// A fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// A schedule is a configuration of the simulated machine.
type schedule struct {
	policy, net string
	pes         int
	seed        uint64
	collect     bool // before every step
	slow        bool // messages take long, so that many are in flight
}

func (s schedule) String() string {
	return fmt.Sprintf("%s, %s, %d PEs, seed %d, collecting %t, slow %t", s.policy, s.net, s.pes, s.seed, s.collect, s.slow)
}

// An outcome holds the results that all implementations must agree on.
type outcome struct {
	kind    string   // "", deadlock, failed, stopped
	answers []string // of each variable of the query
	waiting []string // positions of goals that wait forever
	shape   string   // see reference.Result.Shape
	nodes   int
	err     error
}

// expect returns the outcome of a run of the reference.
func expect(r *reference.Result) outcome {
	o := outcome{kind: "failed", shape: r.Shape(), nodes: len(r.Nodes), err: r.Err}
	switch {
	case r.Err == nil:
		o.kind = ""
	case errors.Is(r.Err, reference.ErrDeadlock):
		o.kind = "deadlock"
	case errors.Is(r.Err, reference.ErrStopped):
		o.kind = "stopped"
	}
	for _, a := range r.Answers {
		o.answers = append(o.answers, a.Name+" = "+renamed(syntax.Format(a.Value)))
	}
	for _, g := range r.Waiting {
		o.waiting = append(o.waiting, g.Term.Position().String())
	}
	return o
}

// renamed numbers the unnamed variables of an answer from 1, in order of occurrence.
func renamed(s string) string {
	var b strings.Builder
	names := map[string]string{}
	for i := 0; i < len(s); {
		j := i + 1
		if s[i] == '_' && (i == 0 || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz", rune(s[i-1]))) {
			for j < len(s) && s[j] >= '0' && s[j] <= '9' {
				j++
			}
			if names[s[i:j]] == "" {
				names[s[i:j]] = fmt.Sprintf("_%d", len(names)+1)
			}
			b.WriteString(names[s[i:j]])
		} else {
			b.WriteByte(s[i])
		}
		i = j
	}
	return b.String()
}

// compiled is a compiled program with a query.
type compiled struct {
	prog  *compile.Program
	query *compile.Query
}

func build(t fataler, f *syntax.File, goals []syntax.Goal) compiled {
	t.Helper()
	prog, errs := compile.Compile(f)
	if err := errs.Err(); err != nil {
		t.Fatalf("%v\n%s", err, f.Source)
	}
	query, errs := prog.Query(goals)
	if err := errs.Err(); err != nil {
		t.Fatalf("%v\n%s", err, f.Source)
	}
	return compiled{prog, query}
}

// run runs a program on the engine.
func (c compiled) run(t fataler, s schedule) outcome {
	t.Helper()
	pol := must.Get(policy.Named(s.policy))(t)
	net := must.Get(sim.NetworkNamed(s.net, s.pes))(t)
	mem := tracer.NewMemory()
	e := engine.New(c.prog, c.query, engine.Options{Collect: s.collect})
	var model sim.Model
	if s.slow {
		model = sim.Model{InstructionPs: 1000, Latency: 20000}
	}
	m := must.Get(sim.New(sim.Config{PEs: s.pes, Policy: pol, PolicyName: s.policy, Network: net, Seed: s.seed, Recorder: mem, Model: model}, e))(t)
	var o outcome
	if o.err = e.Boot(m, mem.Dict()); o.err == nil {
		_, o.err = m.Advance(context.Background(), 1<<40)
	}
	o.nodes = int(e.Stats().Reductions)
	o.shape = shape(t, mem)
	for _, b := range e.Answer() {
		o.answers = append(o.answers, b.Name+" = "+renamed(b.Value))
	}
	if !o.judged() {
		t.Fatal(o.err)
	}
	return o
}

// judged sets the kind of an outcome by the error of the run. It returns false for an error that the program has not caused.
func (o *outcome) judged() bool {
	var failed *report.Error
	switch {
	case o.err == nil:
	case errors.As(o.err, &failed) && failed.Kind == "deadlock":
		o.kind = "deadlock"
		places := make([]syntax.Goal, len(failed.Goals))
		for i, g := range failed.Goals {
			places[i].Term = &syntax.Atom{Pos: g.Pos}
		}
		slices.SortFunc(places, reference.ByPlace)
		for _, g := range places {
			o.waiting = append(o.waiting, g.Term.Position().String())
		}
	case failed != nil:
		o.kind = "failed"
	default:
		return false
	}
	return true
}

// shape formats the tree of a trace like reference.Result.Shape.
func shape(t fataler, src tracer.Source) string {
	t.Helper()
	type node struct {
		code     tracer.Code
		children []uint64
	}
	nodes := map[uint64]*node{0: {}}
	at := func(id uint64) *node {
		if nodes[id] == nil {
			nodes[id] = &node{}
		}
		return nodes[id]
	}
	must.Do(t, src.Scan(tracer.Kinds(tracer.Reduce), func(events []tracer.Event) error {
		for _, e := range events {
			at(e.Task).code = src.Dict().Code(e.Code)
			parent := at(e.Ref)
			parent.children = append(parent.children, e.Task)
		}
		return nil
	}))
	var b strings.Builder
	type visit struct {
		task  uint64
		level int
	}
	stack := []visit{{0, -1}}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := nodes[v.task]
		if v.task != 0 {
			fmt.Fprintf(&b, "%d %s %d\n", v.level, n.code.Name, n.code.Line)
		}
		slices.Sort(n.children)
		for _, c := range slices.Backward(n.children) {
			stack = append(stack, visit{c, v.level + 1})
		}
	}
	return b.String()
}

// differs describes the difference from an expected outcome, "" for none.
func (o outcome) differs(want outcome) string {
	switch {
	case o.kind != want.kind:
		return fmt.Sprintf("ends with %q (%v), expected %q (%v)", o.kind, o.err, want.kind, want.err)
	case o.kind == "failed":
		return "" // the state at the error depends on the schedule
	case !slices.Equal(o.answers, want.answers):
		return fmt.Sprintf("answers %v, expected %v", o.answers, want.answers)
	case !slices.Equal(o.waiting, want.waiting):
		return fmt.Sprintf("waiting goals at %v, expected %v", o.waiting, want.waiting)
	case o.nodes != want.nodes:
		return fmt.Sprintf("%d reductions, expected %d", o.nodes, want.nodes)
	case o.shape != want.shape:
		a, b := strings.Split(o.shape, "\n"), strings.Split(want.shape, "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				return fmt.Sprintf("node %d of the tree is %s, expected %s", i, a[i], b[i])
			}
		}
		return "the trees differ in their sizes"
	}
	return ""
}
