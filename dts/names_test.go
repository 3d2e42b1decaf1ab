package dts_test

import (
	"context"
	"testing"

	"whorl/dts"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// The trace names functions like the registry and the options, and contains the source texts of the options.
func TestNames(t *testing.T) {
	for _, mode := range []string{dts.Live, dts.Sim} {
		var reg dts.Registry
		double := dts.Register(&reg, "double", func(_ *dts.Worker, n int) int { return 2 * n })
		mem := tracer.NewMemory()
		opts := dts.Options{
			Mode: mode, PEs: 2, Recorder: mem, Funcs: &reg, Program: "some/program",
			Sources: []tracer.SourceFile{{Name: "folder/names_test.go", Text: "its text"}},
		}
		main := dts.Register(&reg, "main", func(w *dts.Worker, n int) int { return double.Fork(w, n).Join(w) })
		n, err := main.Run(context.Background(), opts, 4)
		if err != nil || n != 8 {
			t.Fatal(n, err)
		}
		seen := map[string]string{}
		for _, e := range tracertest.Events(t, mem, tracer.Kinds(tracer.Start, tracer.JoinBegin)) {
			c := mem.Dict().Code(e.Code)
			seen[c.Name] = c.File
		}
		names := []string{"main", "double"}
		if mode == dts.Sim { // live, the thread may run inside its join, without join events
			names = append(names, "") // the line of the join
		}
		for _, name := range names {
			if seen[name] != "folder/names_test.go" {
				t.Errorf("%s: %q has file %q: %v", mode, name, seen[name], seen)
			}
		}
		if m := mem.Meta(); m.Program != "some/program" || len(m.Source) != 1 || m.Source[0].Text != "its text" {
			t.Errorf("%s: %+v", mode, m)
		}
	}
}
