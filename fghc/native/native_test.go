package native_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"whorl/fghc/testdata/nativetest"
	"whorl/fghc/testdata/programs"
	"whorl/sim/policy"
	"whorl/testdata/testenv"
)

// A query is a query of a program with a check of its answer.
type query struct {
	program int
	goal    string
	check   func(answer string) error // may be nil
	long    bool                      // it takes a second, in the arithmetic of numbers of millions of bits
}

// testPrograms returns the benchmarks with small sizes, and the language tests with all their queries.
func testPrograms() (texts []string, queries []query) {
	for _, b := range programs.Benchmarks() {
		queries = append(queries, query{program: len(texts), goal: b.Code.Goal(b.Small), check: func(answer string) error { return b.Check(b.Small, answer) }})
		texts = append(texts, b.Code.Source)
	}
	for _, file := range programs.Language() {
		if strings.HasSuffix(file.Name, ".fghc") {
			for _, q := range file.Queries {
				queries = append(queries, query{program: len(texts), goal: q.Goals, long: q.Goals == "square(3)"})
			}
			texts = append(texts, file.Text)
		}
	}
	return texts, queries
}

// Functions and bytecode give the same results: on one PE everything including the trace, on several PEs everything
// that does not depend on the schedule.
func TestSame(t *testing.T) {
	texts, queries := testPrograms()
	binary := nativetest.Build(t, texts)
	for n, q := range queries {
		for _, r := range []nativetest.Run{
			{}, {Traced: true}, {Poll: 1, Traced: true}, {Poll: 3}, {Collect: true, Traced: true}, {Step: 7}, {Policy: "breadth-first", Traced: true},
		} {
			r.Program, r.Goal = q.program, q.goal
			if testenv.Race { // one PE has no races
				break
			}
			if q.long && (r.Poll == 0 || !r.Traced) && !testenv.Soak() {
				continue
			}
			if q.check != nil { // it has many reductions
				r.Collect, r.Step = false, 100*r.Step
			}
			got := binary.Run(t, r)
			r.Bytecode = true
			if want := binary.Run(t, r); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v:\n%s", r, difference(got, want))
			}
		}
		want := binary.Run(t, nativetest.Run{Program: q.program, Goal: q.goal, Bytecode: true})
		for i, k := range policy.All {
			if q.check == nil && i%4 != n%4 { // a sample: there are many
				continue
			}
			r := nativetest.Run{Program: q.program, Goal: q.goal, Policy: k.Name, PEs: 2 + 6*(i%2), Seed: uint64(i), Traced: i%3 == 0, Poll: 20 * (i % 2), Collect: i == 1 && q.check == nil}
			got := binary.Run(t, r)
			if (got.Err == "") != (want.Err == "") || want.Err == "" && (got.Reductions != want.Reductions || !reflect.DeepEqual(got.Answers, want.Answers)) {
				t.Errorf("%+v:\n%s", r, difference(got, want))
			}
			if q.check != nil {
				var lines []string
				for _, b := range got.Answers {
					if b.Value != b.Name {
						lines = append(lines, b.Name+" = "+b.Value)
					}
				}
				if err := q.check(strings.Join(lines, "\n")); err != nil {
					t.Errorf("%+v: %v", r, err)
				}
			}
		}
	}
}

// difference describes the first event that differs, or the results if no event does.
func difference(got, want *nativetest.Result) string {
	for i := range min(len(got.Events), len(want.Events)) {
		if got.Events[i] != want.Events[i] {
			return fmt.Sprintf("event %d of %d: %s\nexpected %s, of %d", i, len(got.Events), got.Events[i], want.Events[i], len(want.Events))
		}
	}
	got.Events, want.Events = nil, nil
	return fmt.Sprintf("%+v\nexpected %+v", *got, *want)
}
