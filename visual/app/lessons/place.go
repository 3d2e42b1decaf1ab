package lessons

import (
	"maps"

	"whorl/visual/ui"
)

// A Place says what a panel shows, so that others can see the same in panels of their own. The zero Place is that of a panel without a lesson.
type Place struct {
	Lesson string            `json:"lesson"`
	Set    string            `json:"set,omitempty"`    // of its parameters
	Values map[string]string `json:"values,omitempty"` // parameters with other values than those of the set
	Step   int               `json:"step,omitempty"`   // the block of the lesson at the top of the panel, from 0
}

// Equal reports whether two places are the same.
func (a Place) Equal(b Place) bool { return a.same(b) && a.Step == b.Step }

// same reports whether two places are in the same lesson with the same parameters.
func (a Place) same(b Place) bool {
	return a.Lesson == b.Lesson && a.Set == b.Set && maps.Equal(a.Values, b.Values)
}

// Place returns the place that the panel shows.
func (p *Panel) Place() Place {
	if !p.Open {
		return Place{}
	}
	return p.place
}

// Go shows a place that somebody else has chosen. The panel opens with another lesson. With another step of one that the learner has put away it stays
// as it is, unless the learner comes back.
func (p *Panel) Go(to Place, back bool) {
	to.Step = max(to.Step, 0)
	switch {
	case p.library == nil:
		return
	case to.Lesson == "":
		p.Open = false
		return
	case !p.place.same(to) || back && p.taken == nil && p.wanted == "":
		values := to.Values
		if p.fixed() {
			values = nil
		}
		p.load(to.Lesson, p.lang, to.Set, values)
		if len(values) < len(to.Values) {
			p.wrong = "The lesson is shown with other numbers here: this page has the answers for the sets of its parameters only."
		}
	}
	p.Open = p.Open || back
	p.place, p.jumps = to, true
}

// TakeChoice reports whether the learner has chosen another lesson, other parameters or the runs of the lesson since the last call.
func (p *Panel) TakeChoice() bool {
	chose := p.chose
	p.chose = false
	return chose
}

// choose opens a lesson that the learner has chosen.
func (p *Panel) choose(name, set string, values map[string]string) {
	p.chose = p.chose || !p.place.same(Place{Lesson: name, Set: set, Values: values})
	p.load(name, p.lang, set, values)
}

// track follows what the learner scrolls, or scrolls to the place that somebody else has chosen. at is how far the lesson is scrolled, most how far it
// can be, and tops are where its blocks begin. settled reports whether these are as they were in the pass before. It reports whether the panel has to be
// drawn again.
func (p *Panel) track(at *float64, most float64, tops []float32, settled bool) (again bool) {
	if p.wanted != "" || p.taken == nil || p.taken.l.Name != p.place.Lesson || len(tops) == 0 {
		return false
	}
	if p.jumps {
		to := min(float64(tops[min(p.place.Step, len(tops)-1)]), most)
		again = *at != to
		*at, p.scrolled = to, to
		p.jumps = !settled
		return again
	}
	if !settled || *at == p.scrolled { // a lesson that grows above the shown part does not turn pages
		return false
	}
	p.scrolled = *at
	p.place.Step = 0
	for i, top := range tops {
		if float64(top) <= *at+1 {
			p.place.Step = i
		}
	}
	return false
}

// scroll returns how far the lesson is scrolled.
func (d *drawing) scroll(name string) *float64 { return ui.Data[float64](d.Context, d.ID(name)) }
