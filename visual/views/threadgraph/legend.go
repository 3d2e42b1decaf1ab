package threadgraph

import (
	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

var subtitles = map[string]string{
	byPE: "Thread graph by PE", byHost: "Thread graph by host", byProcedure: "Thread graph by ", byLoad: "Thread graph by run time",
}

// Legend explains colours and signs, and gives the figures of the graph and the run and the notes on the drawing.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	by := subtitles[g.colours.by]
	if g.colours.by == byProcedure {
		by += g.run.Unit()
	}
	l := g.run.Legend(by + ", time downwards")
	b := newBrush(f, g)
	l.Blocks = []view.Block{g.colours.legend, b.signs()}
	if g.withPath && g.wakes != nil {
		l.Blocks = append(l.Blocks, timeplot.PathBlock(g.run, g.wakes, f.Style.Dark))
	}
	l.Blocks = append(l.Blocks, view.Block{Title: "Run", Facts: append(g.facts(), g.run.Facts()...)})
	if notes := g.notes(b); len(notes) > 0 {
		l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: notes})
	}
	return l
}

// signs is the block about the signs of nodes and the lines.
func (b *brush) signs() view.Block {
	g, s := b.g, b.Style
	ink := []scene.Color{s.Muted}
	block := view.Block{Title: "Nodes and edges"}
	add := func(s view.Swatch) { block.Swatches = append(block.Swatches, s) }
	sign := func(label string, k int) {
		add(view.Swatch{Colors: ink, Label: label, Sign: &view.Sign{Shape: signShapes[k], Size: float32(signSizes[k])}})
	}
	sign("start", startSign)
	sign("fork", forkSign)
	woken := g.run.Counts[tracer.Wake] > 0
	switch {
	case g.graph.Goal != nil:
		sign("begins to wait for a value", beginSign)
		sign("woken", joinSign)
		sign("next goal", stepSign)
	case woken:
		sign("begins to wait", beginSign)
		sign("goes on", joinSign)
	default:
		sign("begins to wait in a join", beginSign)
		sign("join", joinSign)
	}
	sign("end", endSign)
	if b.X.Scale < dashes {
		add(view.Swatch{Colors: []scene.Color{s.Muted.Mix(s.Ground, pale)}, Label: "waits", Sign: &view.Sign{Line: true}})
	} else {
		add(view.Swatch{Colors: ink, Label: "waits", Sign: &view.Sign{Line: true, Dash: true}})
	}
	if g.withPath {
		label := "critical path"
		if g.wakes != nil {
			label = "path of wake-ups"
		}
		add(view.Swatch{Colors: []scene.Color{pathColour(s.Dark)}, Label: label})
	}
	if g.withFree && len(g.Free) > 0 {
		label := "joined by another thread, or again"
		if g.graph.Goal != nil || woken {
			label = "wakes"
		}
		add(view.Swatch{Colors: []scene.Color{freeColour(s.Dark)}, Label: label, Sign: &view.Sign{Line: true}})
	}
	return block
}

// facts returns the figures of the graph.
func (g *Geometry) facts() []view.Fact {
	n := g.work.threads[g.graph.Len()]
	sum := g.work.sum[g.graph.Len()]
	facts := []view.Fact{{Label: "Threads", Value: figures.Count(n)}}
	if sum > 0 && g.work.whole > 0 {
		longest := figures.Duration(int64(g.work.whole))
		facts = append(facts, view.Fact{Label: view.Capital(g.timeNoun()), Value: figures.Duration(sum)}, view.Fact{Label: view.Capital(g.pathNoun()), Value: longest})
		if g.graph.Goal == nil {
			facts = append(facts, view.Fact{Label: "Parallelism", Value: figures.Fixed(float64(sum)/g.work.whole, 2)})
		}
	}
	if g.graph.Bulk == nil {
		facts = append(facts, view.Fact{Label: "Columns", Value: figures.Count(int64(g.cols.N))})
	}
	if g.graph.Goal == nil {
		facts = append(facts, view.Fact{Label: "Crossings", Value: figures.Count(g.cols.Crossings)})
		shape := "no"
		if g.cols.SeriesParallel() && len(g.graph.Free) == 0 {
			shape = "yes"
		}
		facts = append(facts, view.Fact{Label: "Series-parallel", Value: shape})
	}
	count := func(label string, n int64) {
		if n > 0 {
			facts = append(facts, view.Fact{Label: label, Value: figures.Count(n)})
		}
	}
	if g.graph.Goal == nil {
		count("Never joined", g.graph.Unjoined)
		count("Joined by others", g.graph.Foreign)
		count("Joined again", g.graph.Again)
	} else if c := g.graph.Condensed; c != nil {
		count("Wake-ups", c.Wakes)
	} else {
		count("Wake-ups", int64(len(g.graph.Free)))
	}
	return facts
}

// pathNoun returns the name of the length of the longest path in the picture. In a logic program that is not the span of package workspan, which
// leaves out tries that suspend and takes typical costs where reductions share measured times.
func (g *Geometry) pathNoun() string {
	if g.graph.Goal != nil {
		return "longest path"
	}
	return "span"
}

// timeNoun returns the name of the time of all threads in the picture. In a logic program that is not the work of the run, which includes the time
// of PEs between the steps of goals.
func (g *Geometry) timeNoun() string {
	if g.graph.Goal != nil {
		return "run time"
	}
	return "work"
}

// notes returns what a reader has to know about the drawing: matches, folded threads, layout, density and damage.
func (g *Geometry) notes(b *brush) (notes []string) {
	add := func(s string) { notes = append(notes, s) }
	if g.sought != "" && g.wrong == nil {
		n := int64(len(g.found))
		add("“" + g.sought + "”: " + figures.Count(n) + " of " + figures.Count(int64(g.graph.Len())) + " threads found; n goes to the next one.")
	}
	if hidden := int64(g.graph.Len() - g.Len()); hidden > 0 {
		shut := int64(0)
		for _, is := range g.shut {
			if is {
				shut++
			}
		}
		add(figures.Count(hidden) + " threads are folded into " + figures.Count(shut) + ".")
	}
	if g.cols.Guessed > 0 {
		add("Where more than 40 threads overlap, fewer crossings may be possible.")
	}
	if g.graph.Goal != nil {
		add("A thread is a sequence of goals, each of which replaced the one before it on a PE.")
		note := "The longest path counts suspended tries"
		if e, shared := g.run.Meta.CostError(); shared {
			note += ", and times ± " + figures.Share(e, 0)
		}
		add(note + ".")
	}
	if g.graph.Bulk != nil {
		note := "Small subtrees are drawn as areas, without the wake-ups in them"
		if !b.Still {
			note += "; a double click opens one"
		}
		add(note + ".")
	}
	switch n := b.count(); {
	case n == 1:
		add("1 thread is too thin for a line and is drawn as a trace of its colour.")
	case n > 1:
		add(figures.Count(n) + " threads are too thin for lines and are drawn as the mixture of their colours.")
	}
	if g.withFree && len(g.Free) > 0 {
		if seen, stride := b.freeSeen(); stride > 1 {
			add("One in " + figures.Count(int64(stride)) + " of the " + figures.Count(int64(len(seen))) + " edges other than forks and joins is drawn.")
		}
	}
	if n := g.graph.Lost; n > 0 {
		add(figures.Counted(n, "thread") + " without a start: the trace is damaged.")
	}
	if n := g.graph.Backward; n > 0 {
		add(figures.Counted(n, "edge") + " from later to earlier nodes: the trace or its clocks are damaged.")
	}
	return notes
}

// count returns the number of visible threads too thin for lines.
func (b *brush) count() (n int64) {
	g := b.g
	var list []stack
	for t := int32(0); t < int32(g.Len()); {
		box := b.box(t)
		switch {
		case !box.Meets(b.In):
			t += g.Size[t]
		case b.isThin(box):
			a, z := (&lit{g: g}).span(t, t+g.Size[t])
			n += g.work.threads[z] - g.work.threads[a]
			t += g.Size[t]
		case g.bulk(t) != nil:
			n += g.bulk(t).Threads
			t++
		default:
			list = b.appendStack(list, t)
			t++
		}
	}
	_, crowd := b.separate(list)
	for _, s := range crowd {
		n += int64(s.n)
	}
	return n
}
