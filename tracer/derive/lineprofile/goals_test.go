package lineprofile

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestBuiltins checks that a builtin called by a clause takes no lines from the procedure of the clause.
func TestBuiltins(t *testing.T) {
	m := tracer.NewMemory()
	d := m.Dict()
	p := d.Add(tracer.Code{Type: tracer.Procedure, Name: "p/1", File: "p.fghc", Line: 3})
	d.Add(tracer.Code{Type: tracer.Procedure, Name: ":=/2", File: "p.fghc", Line: 4, Column: 9})
	q := d.Add(tracer.Code{Type: tracer.Procedure, Name: "q/0", File: "p.fghc", Line: 9})
	for _, c := range []tracer.Code{{Line: 3, Parent: p}, {Line: 6, Parent: p}, {Line: 9, Parent: q}} {
		c.Type, c.File = tracer.Clause, "p.fghc"
		d.Add(c)
	}
	prof := grow(t, m)
	var got []string
	for _, f := range prof.Functions {
		got = append(got, fmt.Sprint(f.Name, " ", f.First, "-", f.Last))
	}
	if d := cmp.Diff([]string{"p/1 3-8", ":=/2 4-4", "q/0 9-9"}, got); d != "" {
		t.Error(d)
	}
	for _, line := range []int32{3, 4, 5, 8} {
		if f := prof.FunctionAt(Line{0, line}); f != 0 {
			t.Errorf("line %d is of function %d, want p/1", line, f)
		}
	}
}

// TestGoals has reductions of clauses, suspensions of procedures and threads.
func TestGoals(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 2})
	d := m.Dict()
	p := d.Add(tracer.Code{Type: tracer.Procedure, Name: "p/1", File: "p.fghc", Line: 3})
	c1 := d.Add(tracer.Code{Type: tracer.Clause, Name: "p/1", File: "p.fghc", Line: 3, Parent: p, Children: 4})
	c2 := d.Add(tracer.Code{Type: tracer.Clause, Name: "p/1", File: "p.fghc", Line: 8, Parent: p})
	st := m.Stream(tracer.StreamInfo{})
	for _, e := range []tracer.Event{
		{Kind: tracer.Start, Task: 1, PE: 0, Code: p},
		{Kind: tracer.Reduce, Task: 1, PE: 0, Code: c1, Value: 30},
		{Kind: tracer.Suspend, Task: 2, Ref: 1, PE: 1, Code: p, Value: 5},
		{Kind: tracer.Reduce, Task: 3, Ref: 1, PE: 1, Code: c2, Value: 1},
		{Kind: tracer.Reduce, Task: 4, Ref: 1, PE: 1, Code: c2, Value: 7},
		{Kind: tracer.Reduce, Task: 5, Ref: 1, PE: 2, Code: c2, Value: 7},  // unknown PE
		{Kind: tracer.Reduce, Task: 6, Ref: 1, PE: 0, Code: 77, Value: 7},  // unknown clause
		{Kind: tracer.Sample, Task: 6, Ref: 12, PE: 0, Code: 99, Value: 7}, // unknown context
	} {
		*st.Slot() = e
	}
	must.Do(t, m.Close())
	prof := grow(t, m)
	var names []string
	for _, m := range prof.Metrics {
		names = append(names, fmt.Sprint(m.Name, " ", m.Total, m.Unit))
	}
	if d := cmp.Diff([]string{"reductions 3", "time 38ns", "suspensions 1", "threads 1"}, names); d != "" {
		t.Error(d)
	}
	if prof.Dropped != 3 || prof.Stacks {
		t.Errorf("%d dropped, want 3; stacks %v", prof.Dropped, prof.Stacks)
	}
	for _, c := range []struct{ metric, want string }{
		{"reductions", "p.fghc:3 [1 0] = 1, 0 on 1 to 1 on 0, 0.50, 0.25\np.fghc:8 [0 2] = 2, 0 on 0 to 2 on 1, 1.00, 1.00\nmost 2, total 3, rest 0"},
		{"time", "p.fghc:3 [30 0] = 30, 0 on 1 to 30 on 0, 15.00, 225.00\np.fghc:8 [0 8] = 8, 0 on 0 to 8 on 1, 4.00, 16.00\nmost 30, total 38, rest 0"},
		{"suspensions", "p.fghc:3 [0 1] = 1, 0 on 0 to 1 on 1, 0.50, 0.25\nmost 1, total 1, rest 0"},
		{"threads", "p.fghc:3 [1 0] = 1, 0 on 1 to 1 on 0, 0.50, 0.25\nmost 1, total 1, rest 0"},
	} {
		if d := cmp.Diff(c.want, written(prof, prof.Sum(ByLine, Query{Metric: metric(t, prof, c.metric)}))); d != "" {
			t.Errorf("%s: %s", c.metric, d)
		}
	}
}
