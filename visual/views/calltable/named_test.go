package calltable

import (
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/view"
)

// renderers returns a profile of two processes whose functions main ran 2 ms and 8.83 µs. A thread of the function idle only waited, in nap.
func renderers() *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "browser", PEs: 2})
	d := m.Dict()
	for _, c := range []tracer.Code{
		{Type: tracer.Metric, Name: tracer.RegionTime, Unit: "ns", Scale: 1},
		{Type: tracer.Metric, Name: "waiting", Unit: "ns", Scale: 1},
		{Type: tracer.Name, Name: "Renderer 2"},
		{Type: tracer.Name, Name: "Renderer 3"},
		{Type: tracer.Function, Name: "main", Parent: 3},
		{Type: tracer.Function, Name: "main", Parent: 4},
		{Type: tracer.Function, Name: "idle"},
		{Type: tracer.Function, Name: "nap"},
	} {
		d.Add(c)
	}
	for _, code := range []uint32{5, 6, 7} {
		d.AddContext(tracer.Context{Code: code})
	}
	d.AddContext(tracer.Context{Parent: 3, Code: 8})
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range []tracer.Event{
		{Kind: tracer.Sample, Time: 1, PE: 0, Ref: 1, Code: 1, Value: 2_000_000},
		{Kind: tracer.Sample, Time: 2, PE: 1, Ref: 2, Code: 1, Value: 8830},
		{Kind: tracer.Fork, Time: 2, PE: 1, Task: 1, Code: 7},
		{Kind: tracer.Start, Time: 2, PE: 1, Task: 1, Code: 7},
		{Kind: tracer.End, Time: 2, PE: 1, Task: 1, Code: 7},
		{Kind: tracer.Sample, Time: 3, PE: 1, Ref: 4, Code: 2, Value: 500},
	} {
		*s.Slot() = e
	}
	_ = m.Close() // of a trace in memory
	return m
}

// TestNoWay: no path leads to a context without a row.
func TestNoWay(t *testing.T) {
	for metric, want := range map[string]bool{"waiting": true, tracer.RegionTime: false} {
		g, _ := shown(t, Tree(), renderers(), 900, 300, "open", "101", "metric", metric)
		if _, ok := g.way(0, g.node("idle › nap")); ok != want {
			t.Errorf("a way to nap by %s: %v", metric, ok)
		}
	}
}

// TestNamed: functions of one name in two processes have the names of their processes, rows without a value are left out and counted, and small times
// keep their digits.
func TestNamed(t *testing.T) {
	for _, k := range []*view.Kind{Tree(), Functions()} {
		noun := "context"
		if k.Name == "functions" {
			noun = "function"
		}
		for _, c := range []struct {
			params []string
			want   string
			note   string
		}{
			{nil, "main of Renderer 2, main of Renderer 3", "2 " + noun + "s without a value have no row."},
			{[]string{"find", "idle"}, "main of Renderer 2, main of Renderer 3, idle", "1 " + noun + " without a value has no row."},
			{[]string{"sort", "visits"}, "idle, main of Renderer 2, main of Renderer 3", "1 " + noun + " without a value has no row."},
			{[]string{"metric", "waiting", "sort", "name"}, "idle, nap", "2 " + noun + "s without a value have no row."},
		} {
			g, f := shown(t, k, renderers(), 900, 300, c.params...)
			names := g.names()
			if k.Name == "contexts" {
				names = names[1:] // the program
			}
			if got := strings.ReplaceAll(strings.Join(names, ", "), ".", ""); got != c.want {
				t.Errorf("%s %v: rows %q, want %q", k.Name, c.params, got, c.want)
			}
			var notes []string
			for _, b := range g.Legend(f).Blocks {
				notes = append(notes, b.Notes...)
			}
			if !slices.Contains(notes, c.note) {
				t.Errorf("%s %v: notes %q, want %q", k.Name, c.params, notes, c.note)
			}
		}
		g, _ := shown(t, k, renderers(), 900, 300)
		for _, c := range []struct {
			ns   int64
			want string
		}{{2_000_000, "2.000 ms"}, {10_000, "0.010 ms"}, {8830, "8.83 µs"}, {-8830, "-8.83 µs"}, {0, "0"}} {
			if got := g.short(c.ns); got != c.want {
				t.Errorf("%d ns are %q, want %q", c.ns, got, c.want)
			}
		}
	}
}
