package emulator

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"whorl/fghc/report"
	"whorl/fghc/testdata/programs"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
)

func answerOf(m *Machine) string {
	var lines []string
	for _, b := range m.Answer() {
		if b.Value != b.Name {
			lines = append(lines, b.Name+" = "+b.Value)
		}
	}
	return strings.Join(lines, "\n")
}

// A collection before every reduction changes no result and loses no goal.
func TestCollections(t *testing.T) {
	for _, b := range programs.Benchmarks() {
		most, numbers, names := int64(4), []int{1, 4}, []string{"on-demand", "random", "breadth-first"}
		if testenv.Race {
			most, numbers, names = 2, numbers[1:], names[1:2]
		}
		sizes := b.Bounded(most)
		prog, q := prepare(t, b.Code.Source, b.Code.Goal(sizes))
		for _, pes := range numbers {
			for _, name := range names {
				m := must.Get(New(prog, q, Options{
					PEs: pes, Policy: named(t, name), Collect: true,
					Lost: func(some []report.Pending, n int) { t.Errorf("%s/%s/%d lost %d goals: %v", b.Name, name, pes, n, some) },
				}))(t)
				if err := m.Run(t.Context()); err != nil {
					t.Errorf("%s/%s/%d: %v", b.Name, name, pes, err)
				} else if err := b.Check(sizes, answerOf(m)); err != nil {
					t.Errorf("%s/%s/%d: %v", b.Name, name, pes, err)
				}
				if s := m.Stats(); s.Collections < s.Reductions {
					t.Errorf("%s/%s/%d: %d collections in %d reductions", b.Name, name, pes, s.Collections, s.Reductions)
				}
			}
		}
	}
}

// Every benchmark has the right answer, the same number of reductions, and a tree of them, under every policy on 1, 2
// and 8 PEs.
func TestBenchmarks(t *testing.T) {
	for n, b := range programs.Benchmarks() {
		prog, q := prepare(t, b.Code.Source, b.Code.Goal(b.Small))
		want, numbers := int64(-1), []int{1, 2, 8}
		if testenv.Race {
			numbers = numbers[2:]
		}
		for _, pes := range numbers {
			for i, k := range policy.All {
				if testenv.Race && i%4 != n%4 { // a sample
					continue
				}
				name := fmt.Sprintf("%s/%s/%d", b.Name, k.Name, pes)
				mem := tracer.NewMemory()
				m, err := New(prog, q, Options{PEs: pes, Policy: k.New(), Seed: uint64(i), Recorder: mem, Poll: 20})
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
				err = m.Run(ctx)
				cancel()
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if err := b.Check(b.Small, answerOf(m)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				reductions := m.Stats().Reductions
				if want < 0 {
					want = reductions
				}
				if reductions != want {
					t.Errorf("%s: %d reductions, %d in other runs", name, reductions, want)
				}
				mem.Close()
				tree, err := spawntree.Grow(mem, nil, nil)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if got := mem.Counts()[tracer.Reduce]; got != reductions || int64(len(tree.Parent)) < reductions {
					t.Errorf("%s: %d reductions in the trace, %d in its tree, want %d", name, got, len(tree.Parent), reductions)
				}
			}
		}
	}
}
