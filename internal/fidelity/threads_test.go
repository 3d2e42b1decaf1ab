package fidelity

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"whorl/dts"
	"whorl/experiment"
	"whorl/internal/fidelity/testdata/nested"
	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/formats/dtslog"
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
	g, c := placed(t, trace)
	return g, columns.Arrange(c, columns.NewRows(c, 0))
}

// placed returns the graph of a trace, and what the layout reads of it.
func placed(t *testing.T, trace tracer.Source) (*threadgraph.Graph, *columns.Graph) {
	t.Helper()
	g := must.Get(threadgraph.Build(trace))(t)
	if n := g.Unjoined + g.Foreign + g.Again + g.Lost + g.Ignored + g.Backward; n != 0 {
		t.Errorf("%d irregular events", n)
	}
	c := &columns.Graph{
		Parent: g.Parent, Size: g.Size, First: g.First, Fork: g.Fork, Join: g.Join, Order: g.Order,
		Length: make([]float64, g.Nodes()), Edge: make([]columns.Edge, g.Nodes()),
	}
	for v, ns := range g.Run {
		c.Length[v] = float64(ns)
	}
	must.Do(t, c.Check())
	return g, c
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
	nestedFidelity(t, row)
	shareFidelity(t, row)
}

// shareFidelity measures what a thread is charged in a log with the time of a process alone: a part of the time that it shares with others, and all of
// the time in which they wait.
func shareFidelity(t *testing.T, row func(what, paper string, here any)) {
	log := must.Get(os.Open("../../testdata/traces/two-nodes.dtslog"))(t)
	defer log.Close()
	trace := tracer.NewMemory()
	must.Do(t, dtslog.Read([]dtslog.File{{R: log}}, trace))
	must.Do(t, trace.Close())
	g := must.Get(threadgraph.Build(trace))(t)
	ran := int64(0) // by the thread "work" on node 0, which runs from 10 to 60 us, to 40 together with the main thread
	for v := g.First[1]; v < g.First[2]; v++ {
		ran += g.Run[v]
	}
	row("time of a thread that shares 30 µs with another one and then has 20 µs alone", "not printed; 30 / 2 + 20", figures.Duration(ran))
	if ran != 35_000 {
		t.Errorf("the thread is charged %d ns", ran)
	}
}

// nestedFidelity measures the drawing of a program like that of Figure 2.
func nestedFidelity(t *testing.T, row func(what, paper string, here any)) {
	trace := tracer.NewMemory()
	must.Get(dts.Run(t.Context(), dts.Options{Mode: dts.Sim, PEs: 8, Recorder: trace, Program: "nested", Seed: 1}, nested.Main))(t)
	must.Do(t, trace.Close())
	_, c := placed(t, trace)
	const share = 0.03 // of the height, the least length
	rows := columns.Labelled(c, share)
	shortest, longest, drawn := math.Inf(1), 0.0, math.Inf(1)
	for thread := range c.Parent {
		for v := c.First[thread] + 1; v < c.First[thread+1]; v++ {
			if s := c.Length[v] / 1e9; s > 0 {
				shortest, longest, drawn = min(shortest, s), max(longest, s), min(drawn, rows.Y[v]-rows.Y[v-1])
			}
		}
	}
	row("shortest and longest edge of Figure 2, in s", "0.01; 3.14", fmt.Sprintf("%.2f; %.2f", shortest, longest))
	if drawn < rows.Least*0.99 || rows.Least < 0.02*rows.Height {
		t.Errorf("an edge is drawn %g long, the least is %g of %g", drawn, rows.Least, rows.Height)
	}
	a := columns.Arrange(c, rows)
	var sides []string
	for thread := range c.Parent {
		if c.Parent[thread] != 0 {
			continue
		}
		side := "right"
		if a.X[thread] < a.X[0] {
			side = "left"
		}
		sides = append(sides, fmt.Sprintf("%s %d", side, a.Right[thread]-a.Left[thread]+1))
	}
	row("sides and columns of its subthreads, the outermost first", "left 4, right 2, right", strings.Join(sides, ", "))
	late, joins := 0, 0
	for thread, join := range c.Join {
		if join < 0 {
			continue
		}
		joins++
		end := c.First[thread+1] - 1
		if y := rows.Exact; y[join] == max(y[end], y[join-1]+c.Length[join]) {
			late++
		}
	}
	row("its joins that lie at the later of both predecessors", "all", fmt.Sprintf("%d of %d", late, joins))
}
