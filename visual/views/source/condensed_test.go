package source

import (
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestCondensed compares the counts of a trace that is larger than memory with those of the whole spawn tree. They are the same as long as no single
// reductions are asked for, and the legend says what is left out.
func TestCondensed(t *testing.T) {
	src := viewtest.Small()
	whole, _ := kindtest.Shown[*Geometry](t, Kind(), src, 600, 300)
	brief, f := kindtest.Shown[*Geometry](t, Kind().Condensation.Kind(1<<20), src, 600, 300)
	if brief.tree.Len() > 0 || whole.tree.Len() == 0 || whole.brief || brief.count != whole.count || brief.cost != whole.cost {
		t.Fatalf("%d nodes in memory of %d, whose cost is %d, want %d", brief.tree.Len(), brief.count, brief.cost, whole.cost)
	}
	span := &view.Span{First: 0, Last: whole.run.To / 2}
	for _, q := range []query{{}, {s: view.Selection{Codes: []uint32{whole.parts[0].code}}}} {
		want := whole.sum(q)
		if got := brief.sum(q); !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", q, got, want)
		}
		q.time = span
		if got := brief.sum(q); !slices.Equal(got, want) {
			t.Errorf("until half of the run: %v, want those of the whole run, %v", got, want)
		}
	}
	for _, s := range []view.Selection{{PEs: []view.Span{{First: 0, Last: 9}}}, {Tasks: []view.Tasks{{First: 1, Last: 9}}}, {Time: span}} {
		if got := brief.sum(query{s: s}); slices.ContainsFunc(got, func(n total) bool { return n != total{} }) {
			t.Errorf("of %+v it shows %v", s, got)
		}
	}
	text := ""
	for _, b := range brief.Legend(f).Blocks {
		text += strings.Join(b.Notes, " ")
	}
	if !strings.Contains(text, "single reductions are left out") {
		t.Errorf("the legend says %q", text)
	}
	kindtest.AnyFrame(t, Kind().Condensation.Kind(1<<20), brief)
}

// TestMemory: a trace of 48 million reductions is condensed to some megabytes; one of samples is not condensed.
func TestMemory(t *testing.T) {
	var d view.Demand
	d.Counts[tracer.Reduce] = 48e6
	if k := Kind(); k.Within(1<<30, d) == k || k.Holds(1<<30, d) {
		t.Error("a tree of 48 million nodes is taken to fit into 1 GB")
	}
	if whole, counted := memoryOf(d); whole < 3e9 || counted > 64<<20 {
		t.Errorf("the tree takes %d bytes, the counts %d", whole, counted)
	}
	d.Counts[tracer.Sample] = 1
	if whole, counted := memoryOf(d); whole != counted {
		t.Errorf("a trace of samples takes %d bytes, or %d", whole, counted)
	}
}
