package reference_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"pgregory.net/rapid"

	"whorl/fghc/check"
	"whorl/fghc/internal/reference"
	"whorl/fghc/syntax"
	"whorl/sim"
	"whorl/sim/policy"
)

var programs = flag.Int("programs", 500, "random programs to try")

// limit is the number of reductions from which a random program is not looked at.
const limit = 3000

// judge runs a program on the reference under several schedules, which must agree. It says what is right, unless that depends on what the
// language leaves open, or takes too long.
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

// try holds the engine against the reference on one random program, and returns what became of it.
func try(t fataler, choose func(from, to int) int) (kind string, size int) {
	src, query := program(choose)
	f, errs := check.Program("random.fghc", src)
	goals, more := check.Query(f, "query", query)
	if err := errors.Join(errs.Err(), more.Err()); err != nil {
		t.Fatalf("%v\n%s\n?- %s.", err, src, query)
	}
	want, decided, err := judge(f, goals)
	if err != nil {
		t.Fatalf("%v\n%s\n?- %s.", err, src, query)
	}
	if !decided {
		return "undecided", want.nodes
	}
	for range 3 {
		s := schedule{
			policy: policy.All[choose(0, len(policy.All)-1)].Name,
			net:    sim.Networks[choose(0, len(sim.Networks)-1)].Name,
			pes:    choose(1, 9),
			seed:   uint64(choose(0, 99)),

			collect: choose(0, 1) == 1,
			slow:    choose(0, 1) == 1,
		}
		if d := attempt(t, f, goals, s).differs(want); d != "" {
			t.Fatalf("%v: %s\n%s\n?- %s.", s, d, src, query)
		}
	}
	return want.kind, want.nodes
}

// attempt runs a program; a panic of the engine becomes an outcome that is never right.
func attempt(t fataler, f *syntax.File, goals []syntax.Goal, s schedule) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = outcome{kind: "panic", err: fmt.Errorf("%v\n%s", p, debug.Stack())}
		}
	}()
	return build(t, f, goals).run(t, s)
}

// TestRandomPrograms holds the engine against the reference on random programs, machines and schedules.
func TestRandomPrograms(t *testing.T) {
	kinds, large := map[string]int{}, 0
	for seed := range uint64(*programs) {
		random := rand.New(rand.NewPCG(seed, 0))
		kind, size := try(t, func(from, to int) int { return from + random.IntN(to-from+1) })
		if kinds[kind]++; size > 20 {
			large++
		}
	}
	t.Logf("%d programs: %v, %d of more than 20 reductions", *programs, kinds, large)
	// A generator of which nothing ever works, waits or fails would test nothing.
	for _, kind := range []string{"", "deadlock", "failed"} {
		if kinds[kind] < *programs/50 {
			t.Errorf("only %d random programs end with %q", kinds[kind], kind)
		}
	}
	if large < *programs/10 {
		t.Errorf("only %d random programs have more than 20 reductions", large)
	}
}

// TestSmallRandomPrograms does the same with choices that rapid can make smaller when something is found.
func TestSmallRandomPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		try(t, func(from, to int) int { return rapid.IntRange(from, to).Draw(t, "choice") })
	})
}

// FuzzPrograms does the same with choices made of bytes.
func FuzzPrograms(f *testing.F) {
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
