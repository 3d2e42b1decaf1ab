package fidelity

import (
	"fmt"
	"io"
	"testing"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
	"whorl/visual/layout/columns"
)

// graphOf runs a program of threads and returns its graph with the graph's layout.
func graphOf(t *testing.T, program string, args ...string) (*threadgraph.Graph, *columns.Columns) {
	t.Helper()
	r := experiment.Defaults(program)
	r.Args = args
	result, trace := run(t, r)
	if result.Outcome != tracer.Done {
		t.Fatalf("%s %v: %v", program, args, result.Err)
	}
	g := must.Get(threadgraph.Build(trace))(t)
	if n := g.Unjoined + g.Foreign + g.Again + g.Lost + g.Ignored + g.Backward; n != 0 {
		t.Errorf("%s %v: %d irregular events", program, args, n)
	}
	c := &columns.Graph{
		Parent: g.Parent, Size: g.Size, First: g.First, Fork: g.Fork, Join: g.Join, Order: g.Order,
		Length: make([]float64, g.Nodes()), Edge: make([]columns.Edge, g.Nodes()),
	}
	for v, ns := range g.Run {
		c.Length[v] = float64(ns)
	}
	must.Do(t, c.Check())
	return g, columns.Arrange(c, columns.NewRows(c, 0))
}

// threadFidelity measures the figures of the paper on DTS and TreVis.
func threadFidelity(t *testing.T, doc io.Writer) {
	fmt.Fprint(doc, `
## DTS and TreVis

Threads of simulated runs with the default arguments, and how they cross when they are drawn on two sides. The paper prints no
crossings: those beside it follow from its drawing rules. Twelve threads that all overlap each other are at best six on a side, which cross
pairwise: 2 x 15. What RSA shows in reverse is the control: the same threads, joined the other way round.

| | paper | here |
|---|---:|---:|
`)
	row := func(what, paper string, here any) { fmt.Fprintf(doc, "| %s | %s | %v |\n", what, paper, here) }
	fib, fibs := graphOf(t, "dts/fibonacci")
	row("threads of Fibonacci (Figure 3)", "729", figures.Count(int64(fib.Len())))
	rsa, rsas := graphOf(t, "dts/rsa")
	row("threads of RSA (Figure 4)", "13", rsa.Len())
	sort, _ := graphOf(t, "dts/bubblesort")
	row("threads of bubble merge sort (Figure 5)", "1,024", figures.Count(int64(sort.Len())))
	yes := map[bool]string{false: "no", true: "yes"}
	row("Fibonacci is series-parallel; its crossings", "no; 0", fmt.Sprintf("%s; %d", yes[fibs.SeriesParallel()], fibs.Crossings))
	row("RSA is series-parallel; its crossings", "no; 30", fmt.Sprintf("%s; %d", yes[rsas.SeriesParallel()], rsas.Crossings))
	_, reverse := graphOf(t, "dts/rsa", "12", "1024", "1")
	row("joined in reverse", "yes; 0", fmt.Sprintf("%s; %d", yes[reverse.SeriesParallel()], reverse.Crossings))
}
