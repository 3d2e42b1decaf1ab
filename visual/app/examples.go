package app

import (
	"slices"
	"strings"
	"time"

	"whorl/benchmarks"
	"whorl/experiment"
	"whorl/visual/app/gallery"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// An example is a benchmark on the welcome page, and the view in which its picture shows it.
type example struct {
	benchmark, view string
}

// exampleRuns are a wave, an uneven tree, a search and a pipeline of goals, threads that fork and join, and programs with arrays.
var exampleRuns = []example{
	{"fghc/pascal", "kaleidoscope"},
	{"fghc/qsort", "kaleidoscope"},
	{"fghc/queens", "kaleidoscope"},
	{"fghc/primes", "timeline"},
	{"dts/quicksort", "threadgraph"},
	{"dts/mandelbrot", "utilisation"},
	{"hpf/jacobi", "bodies"},
	{"hpf/heat", "overview"},
}

// examples draws the pictures of the examples: it simulates them one after the other while the welcome page is shown, and keeps the pictures.
type examples struct {
	cards []gallery.Card
	dark  bool
	shown time.Duration // since when the welcome page is shown, -1 if it is not

	set   documents.Set
	doc   *documents.Document // of the example that is simulated or drawn, nil for none
	index int                 // of doc, or of the next example
}

// exampleLines is the number of lines for the description of an example.
const exampleLines = 2

// examplesAfter is how long the welcome page is shown before the first example is simulated, so that what the user opens at once is not delayed.
const examplesAfter = time.Second

// fill makes the cards, anew for another background.
func (e *examples) fill(a *App) {
	if e.cards != nil && e.dark == a.model.Dark {
		return
	}
	e.stop()
	e.cards, e.dark, e.index = nil, a.model.Dark, 0
	for _, x := range exampleRuns {
		k := a.model.Arranger.Kind(x.view)
		i := slices.IndexFunc(benchmarks.All, func(b *benchmarks.Benchmark) bool { return b.Name == x.benchmark })
		if k == nil || i < 0 {
			continue
		}
		b := benchmarks.All[i]
		short, _, _ := strings.Cut(b.Doc, ":")
		t := gallery.NewThumb(k, a.thumbParams(&view.Pane{View: x.view}))
		e.cards = append(e.cards, gallery.Card{Name: b.Name, Title: b.Name, Doc: short + ".", Tip: b.Doc, Parts: []gallery.Part{{Place: scene.Rect{X1: 1, Y1: 1}, Thumb: t}}})
	}
}

// stop ends the simulation of an example. It begins again when the welcome page is shown again.
func (e *examples) stop() {
	e.set.Close()
	e.doc, e.shown = nil, -1
}

// work goes on with the pictures while the welcome page is shown. It returns the time of the next call, false for none.
func (e *examples) work(a *App, budget time.Duration) (next time.Duration, more bool) {
	now := a.window.Now
	if a.model.Root != nil || a.model.Docs.Runner == nil || a.model.Docs.Loading() || a.runs.Open {
		if e.shown >= 0 {
			e.stop()
		}
		return 0, false
	}
	e.fill(a)
	if e.index == len(e.cards) {
		return 0, false
	}
	if e.shown < 0 {
		e.shown = now
	}
	if now < e.shown+examplesAfter {
		return e.shown + examplesAfter, true
	}
	if e.doc == nil {
		e.set.Runner = a.model.Docs.Runner
		d, err := e.set.Start(experiment.Defaults(e.cards[e.index].Name))
		if err != nil { // its card keeps the icon of the view
			e.index++
			return now, true
		}
		e.doc = d
		e.set.Add(e.cards[e.index].Name, d)
	}
	e.set.Pump(now)
	if !e.doc.Live.Over {
		next, more = e.set.Pumps(now)
		return next, more
	}
	if e.cards[e.index].Parts[0].Thumb.Work(e.doc, a.window.Text, a.memory, now, budget) {
		return now, true
	}
	e.set.Close()
	e.doc = nil
	e.index++
	a.out.Redraw()
	return now, true
}

// drawExamples draws the cards of the examples and runs the one that is chosen.
func (a *App) drawExamples(c *ui.Context, r ui.Rect) {
	a.examples.fill(a)
	if i := gallery.Cards(c, r, a.examples.cards, exampleLines); i >= 0 {
		a.runs.Choose(a.examples.cards[i].Name)
		a.start(false)
	}
}
