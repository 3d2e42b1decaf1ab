package conformance_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"pgregory.net/rapid"

	"whorl/fghc/check"
	"whorl/fghc/syntax"
	"whorl/fghc/testdata/reference"
	"whorl/sim"
	"whorl/sim/policy"
)

var samples = flag.Int("programs", 400, "random programs to try")

// limit is the number of reductions at which a random program is discarded.
const limit = 3000

// judge runs a program on the reference under several schedules, which must agree, and returns the expected outcome. It
// returns false if that is undefined by the language or takes too long to compute.
func judge(f *syntax.File, goals []syntax.Goal) (want outcome, decided bool, err error) {
	for _, lazy := range []bool{false, true} {
		var first outcome
		for i, cfg := range []reference.Config{{}, {Order: reference.BreadthFirst}, {Order: reference.Random, Seed: 7}} {
			cfg.Lazy, cfg.MaxReductions = lazy, limit
			o := expect(reference.Run(f, goals, cfg))
			if o.kind == "stopped" {
				return o, false, nil
			}
			if i == 0 {
				first = o
			} else if d := o.differs(first); d != "" {
				return o, false, fmt.Errorf("the reference disagrees with itself, %v after depth-first, lazy %v: %s", cfg.Order, lazy, d)
			}
		}
		if lazy && first.differs(want) != "" {
			return want, false, nil
		}
		want = first
	}
	return want, true, nil
}

// A sample is a random program with its outcome on the reference.
type sample struct {
	file    *syntax.File
	goals   []syntax.Goal
	text    string // the program and its query, for messages
	want    outcome
	decided bool
}

func pose(t fataler, choose func(from, to int) int) (r sample) {
	src, query := program(choose)
	r.text = fmt.Sprintf("%s\n?- %s.", src, query)
	f, errs := check.Program("random.fghc", src)
	goals, more := check.Files{f}.Query("query", query)
	if err := errors.Join(errs.Err(), more.Err()); err != nil {
		t.Fatalf("%v\n%s", err, r.text)
	}
	r.file, r.goals = f, goals
	var err error
	if r.want, r.decided, err = judge(f, goals); err != nil {
		t.Fatalf("%v\n%s", err, r.text)
	}
	return r
}

// kind returns the kind of the outcome.
func (r sample) kind() string {
	if !r.decided {
		return "undecided"
	}
	return r.want.kind
}

// try compares the engine with the reference on a random program.
func try(t fataler, choose func(from, to int) int) sample {
	r := pose(t, choose)
	for range 3 {
		if !r.decided {
			break
		}
		s := schedule{
			policy: simulated(choose),
			net:    sim.Networks[choose(0, len(sim.Networks)-1)].Name,
			pes:    choose(1, 9),
			seed:   uint64(choose(0, 99)),

			collect: choose(0, 1) == 1,
			slow:    choose(0, 1) == 1,
		}
		if d := attempt(func() outcome { return build(t, r.file, r.goals).run(t, s) }).differs(r.want); d != "" {
			t.Fatalf("%v: %s\n%s", s, d, r.text)
		}
	}
	return r
}

// simulated chooses a policy, with options if it is on-demand.
func simulated(choose func(from, to int) int) string {
	name := policy.All[choose(0, len(policy.All)-1)].Name
	if name == policy.Default {
		for _, o := range policy.Options {
			name += ":" + o.Name + "=" + o.Values[choose(0, len(o.Values)-1)].Name
		}
	}
	return name
}

// attempt calls run. A panic becomes an outcome that is never expected.
func attempt(run func() outcome) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = outcome{kind: "panic", err: fmt.Errorf("%v\n%s", p, debug.Stack())}
		}
	}()
	return run()
}

// TestRandomPrograms compares the engine with the reference on random programs, machines and schedules.
func TestRandomPrograms(t *testing.T) { trySamples(t, *samples, 0, try) }

// trySamples tries a number of random programs, and checks that they have all kinds of outcomes.
func trySamples(t *testing.T, n int, salt uint64, try func(fataler, func(from, to int) int) sample) {
	kinds, large := map[string]int{}, 0
	for seed := range uint64(n) {
		random := rand.New(rand.NewPCG(seed, salt))
		r := try(t, func(from, to int) int { return from + random.IntN(to-from+1) })
		if kinds[r.kind()]++; r.want.nodes > 20 {
			large++
		}
	}
	t.Logf("%d programs: %v, %d of more than 20 reductions", n, kinds, large)
	// Without programs that succeed, wait and fail the test would be useless.
	for _, kind := range []string{"", "deadlock", "failed"} {
		if kinds[kind] < n/50 {
			t.Errorf("only %d random programs end with %q", kinds[kind], kind)
		}
	}
	if large < n/10 {
		t.Errorf("only %d random programs have more than 20 reductions", large)
	}
}

// TestSmallRandomPrograms does the same with choices that rapid can shrink.
func TestSmallRandomPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		try(t, func(from, to int) int { return rapid.IntRange(from, to).Draw(t, "choice") })
	})
}

// FuzzPrograms does the same with fuzzed choices.
func FuzzPrograms(f *testing.F) { fuzz(f, try) }

func fuzz(f *testing.F, try func(fataler, func(from, to int) int) sample) {
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 1))
		data := make([]byte, 100*(seed+1))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		try(t, func(from, to int) int {
			if len(data) == 0 {
				return from
			}
			b := data[0]
			data = data[1:]
			return from + int(b)%(to-from+1)
		})
	})
}
