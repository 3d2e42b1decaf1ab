package threadgraph

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
	"whorl/visual/flow"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/view"
)

// TestCondensed draws a large run condensed and whole: both cover the same parts of the picture, and a double click opens a subtree.
func TestCondensed(t *testing.T) {
	r := experiment.Defaults("fghc/fibonacci")
	r.Args = []string{"26"}
	src := experimenttest.Trace(t, r)
	whole := Kind()
	whole.Picture = whole.Picture.With(flow.Instead(graphStage, flow.Derive("whole", "all threads", flow.In(view.Trace), nil,
		func(c *flow.Call[*threadgraph.Graph]) (*threadgraph.Graph, error) {
			return threadgraph.Build(view.Trace.In(c))
		})))
	cover := func(k *view.Kind) (g *Geometry, b *brush, blocks []float64) {
		g, f := kindtest.Shown[*Geometry](t, k, src, 900, 700)
		b = newBrush(f, g)
		b.collect()
		const side = 50
		d := b.dense
		blocks = make([]float64, (d.w/side+1)*(d.h/side+1))
		for x := range d.w {
			sum := float32(0)
			for y := range d.h {
				sum += d.down[x*(d.h+1)+y].cover
				blocks[x/side*(d.h/side+1)+y/side] += float64(min(sum, 1))
			}
		}
		return g, b, blocks
	}
	g, b, got := cover(Kind())
	all, _, want := cover(whole)
	var sum, off float64
	for i := range want {
		sum += want[i]
		off += math.Abs(got[i] - want[i])
	}
	if off > 0.2*sum {
		t.Errorf("the condensed picture covers %.0f of %.0f pixels elsewhere", off, sum)
	}
	if g.Len() > all.Len()/4 || g.rows.Exact[len(g.rows.Exact)-1] > all.rows.Height || g.work.whole != all.work.whole {
		t.Errorf("%d threads of %d, span %g, want %g", g.Len(), all.Len(), g.work.whole, all.work.whole)
	}
	if b.thinned != b.count() {
		t.Errorf("%d threads are density, %d in the legend", b.thinned, b.count())
	}
	if got, want := g.facts()[0].Value, figures.Count(int64(all.graph.Len())); got != want {
		t.Errorf("%s threads, want %s", got, want)
	}
	for i, s := range g.colours.legend.Swatches {
		if want := all.colours.legend.Swatches[i]; s.Label != want.Label || s.Values[0] != want.Values[0] || s.Values[1] != want.Values[1] {
			t.Errorf("legend %q %v, want %q %v", s.Label, s.Values, want.Label, want.Values)
		}
	}
	n := int32(0)
	for g.graph.Bulk[n].Threads < 30 {
		n++
	}
	task := strconv.FormatUint(g.graph.Task[n], 10)
	if acts := g.toggle(0, n); len(acts) != 1 || acts[0].Name != opened.Name || acts[0].Value != task {
		t.Errorf("a double click does %+v", acts)
	}
	more, _ := kindtest.Shown[*Geometry](t, Kind(), src, 900, 700, opened.Name, task)
	if k := more.graph.Numbered(g.graph.Task[n]); more.bulk(k) != nil || more.Len() <= g.Len() {
		t.Errorf("task %s stands for %+v, %d threads; before %d", task, more.graph.Bulk[k], more.Len(), g.Len())
	}
}

// TestLongestPath checks that the longest path of a logic program, whose tries that suspend count, is not called its span, and that the legend says
// what it counts.
func TestLongestPath(t *testing.T) {
	r := experiment.Defaults("fghc/queens")
	r.Args, r.PEs, r.Policy, r.Network = []string{"5"}, 16, "steal", "mesh2d"
	goals, live := experimenttest.Trace(t, r), experimenttest.Trace(t, r)
	meta := live.Meta()
	meta.SetCostError(0.1)
	live.SetMeta(meta)
	const note = "The longest path counts suspended tries"
	for _, c := range []struct {
		name string
		src  tracer.Source
		noun string
		note string
	}{
		{"threads", recorded(t, 3, fibonacci), "Span", ""},
		{"goals", goals, "Longest path", note + "."},
		{"live goals", live, "Longest path", note + ", and times ± 10 %."},
	} {
		g, f := kindtest.Shown[*Geometry](t, Kind(), c.src, 900, 700)
		var nouns []string
		for _, fact := range g.facts() {
			if fact.Value == figures.Duration(int64(g.work.whole)) {
				nouns = append(nouns, fact.Label)
			}
		}
		if len(nouns) != 1 || nouns[0] != c.noun {
			t.Errorf("%s: the longest path is called %q, want %q", c.name, nouns, c.noun)
		}
		notes := g.notes(newBrush(f, g))
		if i := slices.IndexFunc(notes, func(s string) bool { return strings.HasPrefix(s, note) }); i < 0 && c.note != "" || i >= 0 && notes[i] != c.note {
			t.Errorf("%s: notes %q, want %q", c.name, notes, c.note)
		}
	}
}
