package welcome

import (
	"slices"
	"strings"
	"time"

	"whorl/benchmarks"
	"whorl/experiment"
	"whorl/lesson"
	"whorl/visual/app/gallery"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Examples draws the pictures of the examples and of the lessons: it simulates them one after the other while the welcome page is shown, and keeps the
// pictures.
type Examples struct {
	Cards []gallery.Card   // of the examples, then of the lessons
	Index int              // the card whose run is simulated or drawn, or the next one
	Some  int              // examples
	runs  []experiment.Run // of the cards
	dark  bool
	shown time.Duration // since when the welcome page is shown, -1 if it is not

	set documents.Set
	Doc *documents.Document // the run of a card, nil between two
}

// The number of lines for the description of an example, and for the summary of a lesson.
const (
	exampleLines = 2
	lessonLines  = 4
)

// examplesAfter is how long the welcome page is shown before the first example is simulated, so that what the user opens at once is not delayed.
const examplesAfter = time.Second

// fill makes the cards, anew for another background. Those of the lessons follow when these are known.
func (p *Page) fill() {
	e := &p.Examples
	if e.Cards != nil && e.dark != p.model.Dark {
		e.stop()
		e.Cards = nil
	}
	kinds := p.model.Arranger.Kinds
	if e.Cards == nil {
		e.runs, e.dark, e.Index = nil, p.model.Dark, 0
		for _, b := range benchmarks.All {
			i := slices.IndexFunc(kinds, func(k *view.Kind) bool { return slices.Contains(k.Examples, b.Name) })
			if i < 0 {
				continue
			}
			short, _, _ := strings.Cut(b.Doc, ":")
			p.add(gallery.Card{Name: b.Name, Title: b.Name, Doc: short + ".", Tip: b.Doc}, experiment.Defaults(b.Name), kinds[i], nil)
		}
		e.Some = len(e.Cards)
	}
	if heads := p.lessons.Listed(); len(e.Cards) == e.Some {
		for i := range heads {
			h := &heads[i]
			cover := h.Cover
			if cover == nil {
				cover = &lesson.Cover{}
			}
			p.add(gallery.Card{Name: h.Name, Title: h.Title, Doc: h.Summary, Tip: h.Summary}, cover.Run, p.model.Arranger.Kind(cover.View), cover.Params)
		}
	}
}

// add adds a card with the picture of a run in a view, which is nil for none.
func (p *Page) add(card gallery.Card, run experiment.Run, k *view.Kind, params map[string]string) {
	if k != nil {
		t := gallery.NewThumb(k, params, p.model.Dark, p.model.State.Shared.Palette)
		card.Parts = []gallery.Part{{Place: scene.Rect{X1: 1, Y1: 1}, Thumb: t}}
	}
	p.Examples.Cards, p.Examples.runs = append(p.Examples.Cards, card), append(p.Examples.runs, run)
}

// stop ends the simulation of an example. It begins again when the welcome page is shown again.
func (e *Examples) stop() {
	e.set.Close()
	e.Doc, e.shown = nil, -1
}

// work goes on with the pictures while the page is shown and the user is not busy elsewhere. It returns the time of the next call, false for none.
func (p *Page) work(busy bool, budget time.Duration) (next time.Duration, more bool) {
	e, now := &p.Examples, p.window.Now
	if p.model.Root != nil || p.model.Docs.Runner == nil || p.model.Docs.Loading() || busy {
		if e.shown >= 0 {
			e.stop()
		}
		return 0, false
	}
	p.fill()
	if e.shown < 0 {
		e.shown = now
	}
	if now < e.shown+examplesAfter {
		return e.shown + examplesAfter, true
	}
	p.lessons.Heads()
	for e.Index < len(e.Cards) && e.Cards[e.Index].Parts == nil {
		e.Index++
	}
	if e.Index == len(e.Cards) {
		return 0, false
	}
	if e.Doc == nil {
		e.set.Runner = p.model.Docs.Runner
		d, err := e.set.Start(e.runs[e.Index])
		if err != nil { // its card keeps the icon of the view
			e.Index++
			return now, true
		}
		e.Doc = d
		e.set.Add(e.Cards[e.Index].Name, d)
	}
	e.set.Pump(now)
	if !e.Doc.Live.Over {
		next, more = e.set.Pumps(now)
		return next, more
	}
	if e.Cards[e.Index].Parts[0].Thumb.Work(e.Doc, p.window.Text, p.memory, now, budget) {
		return now, true
	}
	e.set.Close()
	e.Doc = nil
	e.Index++
	p.out.Redraw()
	return now, true
}
