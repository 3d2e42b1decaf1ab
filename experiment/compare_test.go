package experiment

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer/report"
	"whorl/tracer/testdata/tracertest"
)

func smallPascal() Run {
	r := Defaults("pascal")
	r.Args = []string{"20"}
	return r
}

func compareAll(t *testing.T, g Grid, keep bool) *report.Comparison {
	t.Helper()
	return must.Get(Compare(context.Background(), g, keep, nil))(t)
}

// TestCompareIsTheRuns compares each cell with the numbers of a single run.
func TestCompareIsTheRuns(t *testing.T) {
	base := smallPascal()
	base.Network, base.Machine = "mesh2d", "cenju3"
	g := Grid{Base: base, PEs: []int{4, 2}, Policies: []string{"steal", "round-robin"}}
	calls := 0
	c := must.Get(Compare(context.Background(), g, true, func(over, all int) {
		if calls++; over != calls || all != 6 { // each policy also runs on 1 PE
			t.Errorf("%d of %d runs are over at call %d", over, all, calls)
		}
	}))(t)
	if len(c.Cells) != 4 || calls != 6 || c.Failed() != nil {
		t.Fatalf("%d cells, %d calls, failed %v", len(c.Cells), calls, c.Failed())
	}
	i := 0
	for _, policy := range g.Policies {
		one := base
		one.Policy, one.PEs = policy, 1
		_, trace := run(t, one)
		alone := must.Get(report.Summarise(trace))(t)
		for _, pes := range g.PEs {
			x := &c.Cells[i]
			if i++; x.Policy != policy || x.PEs != pes {
				t.Fatalf("cell %d is %s", i, x.Name())
			}
			one.PEs = pes
			_, trace := run(t, one)
			s := must.Get(report.Summarise(trace))(t)
			speedup := float64(alone.ElapsedNs) / float64(s.ElapsedNs)
			got := []any{x.TimeNs, x.Reductions, x.Suspensions, x.Messages, x.Bytes, *x.IdleShare, *x.Speedup, *x.Efficiency, x.Outcome}
			want := []any{s.ElapsedNs, s.Reductions, s.Suspensions, s.Messages, s.Bytes, *s.IdleShare, speedup, speedup / float64(pes), *s.Outcome}
			if !reflect.DeepEqual(got, want) || x.Messages == 0 || x.Suspensions == 0 {
				t.Errorf("%s: %v, want %v", x.Name(), got, want)
			}
			if tracertest.Text(t, x.Trace) != tracertest.Text(t, trace) {
				t.Errorf("%s: the trace is not the one of the run", x.Name())
			}
		}
	}
	if *c.Cells[0].Speedup == *c.Cells[1].Speedup {
		t.Error("2 PEs are as fast as 4")
	}
}

// TestCompareDoesNotDependOnTheComputer compares the results of one run at a time with those of several at a time.
func TestCompareDoesNotDependOnTheComputer(t *testing.T) {
	g := Grid{Base: smallPascal(), PEs: []int{1, 3, 8}, Policies: []string{"on-demand", "random", "steal"}}
	var texts []string
	for _, procs := range []int{1, 4} {
		old := runtime.GOMAXPROCS(procs)
		c := compareAll(t, g, false)
		runtime.GOMAXPROCS(old)
		var b bytes.Buffer
		for _, write := range []func() error{
			func() error { return c.WriteTable(&b) }, func() error { return c.WriteCSV(&b) }, func() error { return c.WriteJSON(&b) },
		} {
			must.Do(t, write())
		}
		texts = append(texts, b.String())
	}
	if texts[0] != texts[1] {
		t.Errorf("%s\n%s", texts[0], texts[1])
	}
}

func TestCompareWrites(t *testing.T) {
	c := compareAll(t, Grid{Base: smallPascal(), PEs: []int{2}, Policies: []string{"on-demand", "static"}}, false)
	var table, lines, object bytes.Buffer
	must.Do(t, c.WriteTable(&table))
	must.Do(t, c.WriteCSV(&lines))
	must.Do(t, c.WriteJSON(&object))
	records, err := csv.NewReader(&lines).ReadAll()
	if err != nil || len(records) != 3 || records[2][0] != "static" || records[2][4] != "1.0000" || records[2][5] != "0.5000" {
		t.Errorf("%v %v", records, err)
	}
	var got struct {
		Program string
		Args    []string
		Runs    []report.Cell
	}
	if err := json.Unmarshal(object.Bytes(), &got); err != nil || got.Program != "fghc/pascal" || got.Args[0] != "20" || !reflect.DeepEqual(got.Runs, c.Cells) {
		t.Errorf("%+v %v", got, err)
	}
	width := 0
	for _, l := range strings.Split(strings.TrimSpace(table.String()), "\n")[3:] {
		if width == 0 {
			width = len(l)
		}
		if len(l) != width || strings.HasSuffix(l, " ") {
			t.Errorf("%q has another width than %d", l, width)
		}
	}
}

func TestCompareWhatFails(t *testing.T) {
	base := smallPascal()
	base.Limits.Reductions = 30
	c := compareAll(t, Grid{Base: base, PEs: []int{1, 2}, Policies: []string{"on-demand"}}, false)
	if f := c.Failed(); len(f) != 2 || f[0].Outcome != "limited" || f[0].Speedup != nil || !strings.Contains(f[0].Err, "30 reductions") {
		t.Errorf("%+v", f[0])
	}
	var b bytes.Buffer
	if err := c.WriteTable(&b); err != nil || !strings.Contains(b.String(), "limited\n") {
		t.Errorf("%v\n%s", err, &b)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c, err := Compare(ctx, Grid{Base: smallPascal(), PEs: []int{1, 2}, Policies: []string{"on-demand"}}, true, nil)
	if err != nil || len(c.Failed()) != 2 || c.Cells[0].Outcome != "interrupted" {
		t.Errorf("%+v %v", c, err)
	}
	for _, g := range []struct {
		g    Grid
		want string
	}{
		{Grid{Base: smallPascal()}, "at least one"},
		{Grid{Base: smallPascal(), PEs: []int{2, 2}, Policies: []string{"steal"}}, "PEs 2 is listed twice"},
		{Grid{Base: smallPascal(), PEs: []int{2}, Policies: []string{"steal", "steal"}}, "steal is listed twice"},
		{Grid{Base: smallPascal(), PEs: []int{2}, Policies: []string{"stea"}}, "did you mean steal"},
		{Grid{Base: smallPascal(), PEs: []int{0}, Policies: []string{"steal"}}, "1 to 1,048,576"},
		{Grid{Base: smallPascal(), PEs: []int{OwnPEs}, Policies: []string{"steal"}}, "1 to 1,048,576"},
		{Grid{Base: Defaults("pascall"), PEs: []int{2}, Policies: []string{"steal"}}, "did you mean"},
		{Grid{Base: smallPascal(), PEs: make([]int, maxCells+1), Policies: []string{"steal"}}, "4,097 runs"},
	} {
		if _, err := Compare(context.Background(), g.g, false, nil); err == nil || !strings.Contains(err.Error(), g.want) {
			t.Errorf("%v, want %q", err, g.want)
		}
	}
}
