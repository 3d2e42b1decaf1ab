package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// sampled returns a trace of samples. values gives for each process the exclusive samples of main, main > work and main > wait.
func sampled(t *testing.T, metric string, values ...[3]int64) tracer.Source {
	t.Helper()
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: len(values)})
	d := m.Dict()
	ticks := d.Add(tracer.Code{Type: tracer.Metric, Name: metric, Unit: metric, Scale: 2})
	main := d.AddContext(tracer.Context{Code: d.Add(tracer.Code{Type: tracer.Function, Name: "main"})})
	at := [3]uint32{main}
	for i, name := range []string{"work", "wait"} {
		at[i+1] = d.AddContext(tracer.Context{Parent: main, Code: d.Add(tracer.Code{Type: tracer.Function, Name: name})})
	}
	s := m.Stream(tracer.StreamInfo{})
	for p, row := range values {
		for i, v := range row {
			*s.Slot() = tracer.Event{Kind: tracer.Sample, PE: int32(p), Ref: uint64(at[i]), Code: ticks, Value: v}
		}
	}
	must.Do(t, m.Close())
	return m
}

func TestCompareRuns(t *testing.T) {
	a := sampled(t, "ticks", [3]int64{1, 10, 0}, [3]int64{1, 30, 4})
	b := sampled(t, "ticks", [3]int64{1, 10, 0}, [3]int64{1, 10, 0}, [3]int64{1, 10, 30})
	c := must.Get(CompareRuns([2]string{"a", "b"}, [2]tracer.Source{a, b}, ""))(t)
	// The means of main, work and wait are 1, 20, 2 in a and 1, 10, 10 in b; a value of 1 is 2 units.
	if c.Groups[0].Mean != 46 || c.Groups[1].Mean != 42 || len(c.Contexts) != 2 {
		t.Fatalf("%+v", c)
	}
	want := []ContextPart{{"main > work", 40, 20, 20, 20.0 / 44}, {"main > wait", 4, 20, -16, -16.0 / 44}}
	for i, x := range want {
		got := c.Contexts[i]
		if got.Context != x.Context || got.Mean != x.Mean || math.Abs(got.Other-x.Other) > 1e-9 || math.Abs(got.Difference-x.Difference) > 1e-9 || math.Abs(got.Share-x.Share) > 1e-9 {
			t.Errorf("%+v, want %+v", got, x)
		}
	}
	back, err := CompareRuns([2]string{"b", "a"}, [2]tracer.Source{b, a}, "ticks")
	if err != nil || back.Contexts[0].Difference != -c.Contexts[0].Difference {
		t.Errorf("%+v, %v", back, err)
	}
	var out bytes.Buffer
	if err := c.WriteTable(&out); err != nil || !strings.Contains(out.String(), "main > wait   4  20    -16  -36.4 %") {
		t.Errorf("%v\n%s", err, &out)
	}
	same, err := CompareRuns([2]string{"a", "again"}, [2]tracer.Source{a, a}, "")
	out.Reset()
	if err != nil || same.WriteTable(&out) != nil || out.String() != "a and again spend the same ticks in all calling contexts\n" {
		t.Errorf("%v\n%s", err, &out)
	}
}

func TestCompareProcesses(t *testing.T) {
	a := sampled(t, "ticks", [3]int64{1, 10, 0}, [3]int64{1, 30, 4}, [3]int64{1, 10, 2})
	c := must.Get(CompareProcesses(a, "2-2 0", ""))(t)
	if c.Groups[0] != (ContextGroup{"0,2", 2, 24}) || c.Groups[1] != (ContextGroup{"the rest", 1, 70}) || c.Contexts[0].Difference != -40 || c.Contexts[1].Difference != -6 {
		t.Errorf("%+v", c)
	}
	for _, c := range []struct{ some, says string }{{"", "numbers and ranges"}, {"x", "numbers and ranges"}, {"5-1", "processes 0 to 2"}, {"1-3", "processes 0 to 2"}, {"-1", "numbers and ranges"}, {"0-2", "all processes of the trace"}} {
		if _, err := CompareProcesses(a, c.some, ""); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.some, err)
		}
	}
	if _, err := CompareProcesses(a, "1", "tocks"); err == nil || !strings.Contains(err.Error(), "ticks") {
		t.Errorf("%v", err)
	}
	b := sampled(t, "bytes", [3]int64{1, 1, 1})
	if _, err := CompareRuns([2]string{"a", "b"}, [2]tracer.Source{a, b}, ""); err == nil || !strings.Contains(err.Error(), "a has ticks, b has bytes") {
		t.Errorf("%v", err)
	}
	if _, err := CompareRuns([2]string{"a", "b"}, [2]tracer.Source{a, sampled(t, "ticks")}, ""); err == nil || !strings.Contains(err.Error(), "b: the trace has no calling contexts") {
		t.Errorf("%v", err)
	}
}

func TestProcessKinds(t *testing.T) {
	for _, c := range []struct {
		values [][3]int64
		want   string
	}{
		{[][3]int64{{1, 50, 50}}, ""},
		{[][3]int64{{1, 50, 50}, {1, 50, 51}}, "processes|all alike"},
		{[][3]int64{{1, 90, 10}, {1, 10, 90}, {1, 10, 90}, {1, 90, 11}, {1, 10, 90}}, "processes|2 kinds,  3|1-2,4, work -79.0 %, wait +78.5 %,  2|0,3, work +79.0 %, wait -78.5 %"},
	} {
		k := must.Get(processKinds(sampled(t, "ticks", c.values...)))(t)
		var rows []string
		kindRows(k, func(name, value string) { rows = append(rows, name+"|"+value) })
		if got := strings.Join(rows, ","); got != c.want {
			t.Errorf("%v: %q, want %q", c.values, got, c.want)
		}
	}
	if got := shortened("0-9,20-29,40", 9); got != "0-9,..." {
		t.Error(got)
	}
}
