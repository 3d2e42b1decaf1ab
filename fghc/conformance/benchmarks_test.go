package conformance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/benchmarks"
	"whorl/fghc/check"
	"whorl/fghc/testdata/programs"
	"whorl/fghc/testdata/reference"
	"whorl/sim/policy"
	"whorl/testdata/testenv"
)

// sizes holds the sizes for each benchmark in addition to its defaults: zero and one, odd and even, and special cases.
var sizes = map[string][][]int64{
	"fghc/pascal":     {{0}, {1}, {2}, {3}, {4}, {9}, {40}},
	"fghc/semigroup":  {{0, 3}, {1, 0}, {1, 1}, {1, 4}, {2, 16}, {3, 5}, {2, 40}},
	"fghc/qsort":      {{0}, {1}, {2}, {33}},
	"fghc/nrev":       {{0}, {1}, {2}, {20}},
	"fghc/primes":     {{0}, {1}, {2}, {3}, {50}},
	"fghc/queens":     {{0}, {1}, {2}, {3}, {4}, {5}},
	"fghc/fibonacci":  {{0}, {1}, {2}, {9}},
	"fghc/hanoi":      {{0}, {1}, {2}, {5}},
	"fghc/life":       {{0, 3}, {1, 2}, {2, 2}, {3, 0}, {3, 5}, {6, 7}},
	"fghc/matmul":     {{0}, {1}, {2}, {5}},
	"fghc/rsa":        {{0, 1}, {1, 1}, {2, 2}, {3, 3}},
	"fghc/mastermind": {{0, 0}, {0, 2}, {1, 2}, {2, 1}, {2, 2}, {3, 2}},
}

func TestSizesAreForBenchmarks(t *testing.T) {
	for _, b := range programs.Benchmarks() {
		if len(sizes[b.Name]) == 0 {
			t.Errorf("%s has no sizes for this test", b.Name)
		}
	}
}

// each calls f for every benchmark in FGHC.
func each(t *testing.T, f func(t *testing.T, b *benchmarks.Benchmark, p benchmarks.FGHC)) {
	for _, b := range programs.Benchmarks() {
		t.Run(b.Bare(), func(t *testing.T) { f(t, b.Benchmark, b.Code) })
	}
}

func TestProgramsAreClean(t *testing.T) {
	each(t, func(t *testing.T, b *benchmarks.Benchmark, p benchmarks.FGHC) {
		f, errs := check.Program(p.File, p.Source)
		if len(errs) > 0 {
			t.Error(errs)
		}
		if _, errs = (check.Files{f}).Query("query", p.Goal(b.Defaults())); len(errs) > 0 {
			t.Error(errs)
		}
	})
}

// TestAnyOrder runs every benchmark in several sizes under several orders: the answer is right, and the tree is the same.
func TestAnyOrder(t *testing.T) {
	testenv.Sequential(t)
	each(t, func(t *testing.T, b *benchmarks.Benchmark, p benchmarks.FGHC) {
		all := sizes[b.Name]
		if testenv.Soak() {
			all = append(slices.Clip(all), b.Defaults())
		}
		for i, size := range all {
			f, goals := load(t, p.File, p.Source, p.Goal(size))
			configs := orders()
			if i == len(sizes[b.Name]) {
				configs = configs[:2]
			}
			var first *reference.Result
			for _, cfg := range configs {
				r := reference.Run(f, goals, cfg)
				if r.Err != nil {
					t.Fatalf("%v, %v: %v", size, cfg.Order, r.Err)
				}
				if err := b.Check(size, r.String()); err != nil {
					t.Errorf("%v, %v: %v", size, cfg.Order, err)
				}
				if first == nil {
					first = r
				} else if r.Shape() != first.Shape() {
					t.Errorf("%v: the tree of %v differs from that of depth-first", size, cfg.Order)
				}
			}
		}
	})
}

// same runs a benchmark on the engine under every policy and compares the outcomes with the reference. Of the numbers of PEs each policy takes
// one, another one for the next case, unless tests take their large sizes. The number 0 leaves the policy out.
func same(t *testing.T, b *benchmarks.Benchmark, p benchmarks.FGHC, size []int64, which int, pes []int, nets ...string) {
	t.Helper()
	f, goals := load(t, p.File, p.Source, p.Goal(size))
	want := expect(reference.Run(f, goals, reference.Config{}))
	for _, net := range nets {
		for i, pol := range policy.All {
			here := pes
			if !testenv.Soak() {
				k := (i + which) % len(pes)
				here = pes[k : k+1]
			}
			for _, n := range here {
				if n == 0 {
					continue
				}
				s := schedule{policy: pol.Name, net: net, pes: n, seed: 1}
				got := build(t, f, goals).run(t, s)
				if d := got.differs(want); d != "" {
					t.Errorf("%v on %v: %s", size, s, d)
				}
				if err := b.Check(size, strings.Join(got.answers, "\n")); err != nil {
					t.Errorf("%v on %v: %v", size, s, err)
				}
			}
		}
	}
}

// TestEngine runs every benchmark under every policy on few and on many PEs, each size on one of two networks. Answer, reductions and tree are
// those of the reference.
func TestEngine(t *testing.T) {
	testenv.Sequential(t)
	nets := []string{"bus", "all"}
	each(t, func(t *testing.T, b *benchmarks.Benchmark, p benchmarks.FGHC) {
		for i, size := range sizes[b.Name] {
			here := nets[i%len(nets):][:1]
			if testenv.Soak() {
				here = nets
			}
			same(t, b, p, size, i, []int{1, 4, 64}, here...)
		}
		if testenv.Soak() {
			same(t, b, p, b.Defaults(), 0, []int{4}, "bus")
		}
	})
}

// TestManyPEs is TestEngine on 4,096 PEs, most of them without work.
func TestManyPEs(t *testing.T) {
	testenv.Sequential(t)
	which := 0
	each(t, func(t *testing.T, b *benchmarks.Benchmark, p benchmarks.FGHC) {
		last := sizes[b.Name][len(sizes[b.Name])-1]
		same(t, b, p, last, which, []int{4096, 0, 0}, "torus2d")
		which++
	})
}

// TestDifferenceIsSeen tests the comparison itself, with programs that differ in one point.
func TestDifferenceIsSeen(t *testing.T) {
	const src = `p(X, Y) :- q(X, Z), r(Z, Y). q(1, Z) :- Z = 2. q(2, Z) :- Z = 3. r(2, Y) :- Y = a. r(3, Y) :- Y = b.`
	at := func(src, query string) outcome {
		f, goals := load(t, "test.fghc", src, query)
		return expect(reference.Run(f, goals, reference.Config{}))
	}
	base := at(src, `p(1, Y)`)
	for _, c := range []struct{ what, src, query, want string }{
		{"another answer", src, `p(2, Y)`, "answers"},
		{"a failure", src, `p(3, Y)`, "ends with"},
		{"a deadlock", src, `p(_, Y)`, "ends with"},
		{"a reduction more", strings.Replace(src, "r(2, Y) :- Y = a.", "r(2, Y) :- s(Y).", 1) + " s(Y) :- Y = a.", `p(1, Y)`, "reductions"},
		{"the goals the other way round", strings.Replace(src, "q(X, Z), r(Z, Y)", "r(Z, Y), q(X, Z)", 1), `p(1, Y)`, "node 1"},
	} {
		if d := at(c.src, c.query).differs(base); !strings.Contains(d, c.want) {
			t.Errorf("%s: %q; expected %s", c.what, d, c.want)
		}
	}
	if d := at(src, `p(1, Y)`).differs(base); d != "" {
		t.Error(d)
	}
	a, b := at(src, `p(_, Y)`), at(src+"\n", `q(_, Y)`)
	b.kind, b.answers = a.kind, a.answers
	if d := a.differs(b); !strings.HasPrefix(d, "waiting") {
		t.Errorf("goals that wait elsewhere: %q", d)
	}
	if got := renamed("f(_7,x_3,_2,_7,_)"); got != fmt.Sprintf("f(_1,x_3,_2,_1,%s)", "_3") {
		t.Error(got)
	}
}
