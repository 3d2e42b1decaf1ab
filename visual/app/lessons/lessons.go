// Package lessons shows lessons in a panel beside the panes: the list of them, and one as a text with its questions, whose answers it checks. The window
// starts the runs of a lesson and arranges its panes; the panel says when.
package lessons

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"whorl/lesson"
	"whorl/visual/app/gallery"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// A Keeper keeps the progress of a learner from one window to the next.
type Keeper interface {
	Load() (lesson.Progress, error)
	Save(p *lesson.Progress) error
}

// English is the language of lessons that are not translated.
const English = "en"

// A Panel shows lessons. Only one goroutine uses it.
type Panel struct {
	Open   bool
	Crowds map[string]Crowd // what others have answered, by LESSON/QUESTION, for somebody who teaches
	Text   bool             // only the text is wanted: somebody else arranges the panes

	library  lesson.Library // nil without lessons
	keeper   Keeper         // nil to keep nothing
	progress lesson.Progress
	keeps    bool // the progress was read, and may be written
	kinds    []*view.Kind

	lang   string
	heads  []lesson.Head
	wanted string // the lesson that is being opened, "" for none
	wrong  string // why the last one could not be opened
	loads  chan loaded
	asked  bool // for the heads
	cancel context.CancelFunc

	answered map[string]Answer // since TakeAnswers
	taken    *taking           // the lesson that is shown, nil for the list
	starts   bool              // the runs of the lesson are to be started
	height   float32           // of the scrolled text, in the last pass
	place    Place             // the place shown or being opened
	jumps    bool              // the panel has to scroll to place
	scrolled float64           // how far it was scrolled when place was found
	chose    bool              // since TakeChoice
	replied  string            // the question whose reply is to come into sight, "" for none
}

// A loaded is the result of a library.
type loaded struct {
	heads  []lesson.Head
	lesson *lesson.Lesson
	err    error
	keep   context.Context // of the request
}

// A taking is a lesson with the answers and choices of the learner since it was opened.
type taking struct {
	l          *lesson.Lesson
	state      *lesson.State
	texts      map[string]string
	chosen     map[string]int
	curves     map[string][]float64 // heights at the points of the true curve, NaN where nothing is drawn
	curvePoint map[string]int       // the point of a curve that the keys move
	last       map[string]int       // the point of a curve that the pointer moved last, -1 for none
	verdicts   map[string]lesson.Verdict
	missing    map[string]string // what a task still needs
	opened     map[string]bool   // hints in the text that are shown
	pictures   map[*lesson.Picture]*gallery.Thumb
	order      []*lesson.Picture // those that are not drawn yet
	laid       map[layoutKey]layout
	offer      map[string]string // parameters of the lesson as a run is tried with them
	changed    map[string]string // parameters whose fields were changed
	made       bool              // Enter was pressed in one of them
	place      Place             // as it was opened
}

// New returns a panel with the lessons of a library, nil for none. kinds are the views for pictures.
func New(l lesson.Library, k Keeper, kinds []*view.Kind) *Panel {
	p := &Panel{library: l, keeper: k, kinds: kinds, lang: English, loads: make(chan loaded, 4), keeps: true}
	if k != nil {
		var err error
		if p.progress, err = k.Load(); err != nil {
			p.keeps = false // what cannot be read is not overwritten
		}
	}
	return p
}

// Available reports whether there are lessons.
func (p *Panel) Available() bool { return p.library != nil }

// Close ends the work in the background.
func (p *Panel) Close() {
	if p.cancel != nil {
		p.cancel()
	}
	p.stopPictures()
}

// Heads lists the lessons, nil until they are read.
func (p *Panel) Heads() []lesson.Head {
	if p.library != nil && !p.asked {
		p.asked = true
		lang := p.lang
		go func() {
			heads, err := p.library.Heads(lang)
			p.loads <- loaded{heads: heads, err: err}
		}()
	}
	return p.heads
}

// Listed returns the lessons as far as they are read.
func (p *Panel) Listed() []lesson.Head { return p.heads }

// Progress says how much of a lesson is done.
func (p *Panel) Progress(h *lesson.Head) string {
	return lesson.Say(h.Lang, "%d of %d done", p.progress.State(h.Name).Count(h), len(h.Asks))
}

// Show opens a lesson.
func (p *Panel) Show(name string) { p.load(name, p.lang, "", nil) }

// load opens a lesson for a set of its parameters, with other values of some. It makes the runs of the lesson in the background.
func (p *Panel) load(name, lang, set string, values map[string]string) {
	if p.library == nil {
		return
	}
	if p.cancel != nil {
		p.cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	p.Open, p.wanted, p.wrong, p.jumps = true, name, "", false
	if place := (Place{Lesson: name, Set: set, Values: values}); !place.same(p.place) {
		p.place, p.scrolled = place, -1
	}
	go func() {
		l, err := p.library.Open(ctx, name, lang, set, values)
		p.loads <- loaded{lesson: l, err: err, keep: ctx}
	}()
}

// Waits reports whether something is being read or computed in the background.
func (p *Panel) Waits() bool { return p.wanted != "" || p.asked && p.heads == nil && p.wrong == "" }

// Receive takes over what was read or computed. It reports whether there was something.
func (p *Panel) Receive() (changed bool) {
	for {
		select {
		case got := <-p.loads:
			changed = true
			p.receive(got)
		default:
			return changed
		}
	}
}

func (p *Panel) receive(got loaded) {
	if got.keep != nil && got.keep.Err() != nil { // another one is wanted meanwhile
		return
	}
	if got.keep != nil {
		p.wanted = ""
	}
	switch {
	case got.err != nil:
		p.wrong = got.err.Error()
		if got.keep != nil && !p.jumps && p.taken != nil { // what the learner wanted is not there
			p.place = p.taken.place
		}
	case got.lesson != nil:
		p.show(got.lesson)
	default:
		p.heads, p.wrong = got.heads, ""
	}
}

// show shows a lesson with the answers that the learner has given to it.
func (p *Panel) show(l *lesson.Lesson) {
	again := p.taken != nil && p.taken.l.Name == l.Name
	p.stopPictures()
	p.starts = !p.jumps // whoever has chosen the place has started the runs
	t := &taking{
		l: l, state: p.progress.State(l.Name), texts: map[string]string{}, chosen: map[string]int{}, curves: map[string][]float64{}, curvePoint: map[string]int{},
		last: map[string]int{}, verdicts: map[string]lesson.Verdict{}, missing: map[string]string{}, opened: map[string]bool{},
		pictures: map[*lesson.Picture]*gallery.Thumb{}, laid: map[layoutKey]layout{}, place: p.place,
	}
	p.taken = t
	for _, id := range l.Asks {
		b := l.Find(id)
		if b == nil || b.Question == nil {
			continue
		}
		t.chosen[id] = -1
		r, ok := t.state.Responses[id]
		if !ok {
			continue
		}
		v := check(b, r)
		if b.Kind == lesson.Ask && !v.Right { // the answer to another choice of parameters, or one that was wrong
			continue
		}
		t.verdicts[id] = v
		t.texts[id], t.chosen[id] = r.Text, r.Choice
		if b.Question.Kind == lesson.CurveAnswer && len(r.Curve) > 0 {
			heights := empty(b.Question)
			for i, at := range b.Question.Curve.Points {
				heights[i] = lesson.Height(r.Curve, at.X)
			}
			t.curves[id] = heights
		}
	}
	if !again {
		p.height = 0
	}
}

// check checks an answer, or compares a prediction.
func check(b *lesson.Block, r lesson.Response) lesson.Verdict {
	if b.Kind == lesson.Predict {
		return b.Question.Compare(r)
	}
	return b.Question.Judge(r)
}

// empty returns the heights of a curve that is not drawn.
func empty(q *lesson.Question) []float64 {
	heights := make([]float64, len(q.Curve.Points))
	for i := range heights {
		heights[i] = math.NaN()
	}
	return heights
}

// Lesson returns the lesson that is shown, nil for none.
func (p *Panel) Lesson() *lesson.Lesson {
	if p.taken == nil {
		return nil
	}
	return p.taken.l
}

// Covered returns the traces that give away predictions which the learner has yet to make, until the learner leaves the lesson. Putting the panel away
// gives nothing away.
func (p *Panel) Covered() []string {
	if p.taken == nil {
		return nil
	}
	return p.taken.l.Covered(p.taken.state)
}

// TakeStart returns the lesson whose runs are to be started, once; nil for none.
func (p *Panel) TakeStart() *lesson.Lesson {
	if !p.starts || p.taken == nil {
		return nil
	}
	p.starts = false
	return p.taken.l
}

// Leave shows the list of lessons.
func (p *Panel) Leave() {
	p.stopPictures()
	p.taken, p.height, p.wrong = nil, 0, ""
}

// respond checks an answer and keeps it.
func (p *Panel) respond(b *lesson.Block) {
	t := p.taken
	r := t.response(b)
	v := check(b, r)
	if b.Question.Kind == lesson.ChoiceAnswer && t.chosen[b.ID] < 0 {
		v = b.Question.Judge(lesson.Response{Choice: -1})
	}
	t.verdicts[b.ID] = v
	t.state.Note(b, r, v)
	p.tell(b, r, v)
	p.keep()
}

// response returns what the learner has entered.
func (t *taking) response(b *lesson.Block) (r lesson.Response) {
	switch b.Question.Kind {
	case lesson.ChoiceAnswer:
		r.Choice = t.chosen[b.ID]
	case lesson.CurveAnswer:
		for i, y := range t.curves[b.ID] {
			if !math.IsNaN(y) {
				r.Curve = append(r.Curve, lesson.Point{X: b.Question.Curve.Points[i].X, Y: y})
			}
		}
	default:
		r.Text = t.texts[b.ID]
	}
	return r
}

// keep writes the progress.
func (p *Panel) keep() {
	if p.keeper == nil || !p.keeps {
		return
	}
	if err := p.keeper.Save(&p.progress); err != nil {
		p.wrong = "What you have done is not kept: " + err.Error()
	}
}

// Check ticks the tasks that the state of the window fulfils. It reports whether the panel looks different.
func (p *Panel) Check(s *view.Shared, own *view.Personal) (changed bool) {
	t := p.taken
	if t == nil || !p.Open {
		return false
	}
	for _, id := range t.l.Asks {
		b := t.l.Find(id)
		if b == nil || b.Task == nil || t.state.Completed(id) {
			continue
		}
		v := b.Task.Done(s, own)
		if t.missing[id] != v.Text {
			t.missing[id], changed = v.Text, true
		}
		if v.Right {
			t.state.Note(b, lesson.Response{}, v)
			p.keep()
			changed = true
		}
	}
	offer := t.tried(s)
	if len(offer) != len(t.offer) || slices.ContainsFunc(t.l.Parameters, func(q lesson.Parameter) bool { return offer[q.Name] != t.offer[q.Name] }) {
		t.offer, changed = offer, true
	}
	return changed
}

// tried returns the parameters of the lesson with which one of its runs is tried in the panel of settings, as far as they differ.
func (t *taking) tried(s *view.Shared) map[string]string {
	offer := map[string]string{}
	for _, trial := range s.Trials {
		if !slices.ContainsFunc(t.l.Runs, func(r lesson.Run) bool { return r.Name == trial.Trace }) {
			continue
		}
		for _, q := range t.l.Parameters {
			if v, ok := trial.Settings[q.Name]; ok && v != q.Value {
				offer[q.Name] = v
			}
		}
	}
	return offer
}

// fixed reports whether the lessons are there for the sets of their parameters only.
func (p *Panel) fixed() bool {
	switch p.library.(type) {
	case *lesson.Bundle, *Fetched:
		return true
	}
	return false
}

// next returns the lesson after the one that is shown, nil for none.
func (p *Panel) next() *lesson.Head {
	all := p.Heads() // which are not read yet where the lesson was opened by its name
	for i := range all {
		if all[i].Name == p.taken.l.Name && i+1 < len(all) {
			return &all[i+1]
		}
	}
	return nil
}

// minutes says how long a lesson takes.
func minutes(h *lesson.Head) string { return fmt.Sprintf("%d min", h.Minutes) }

// spoken describes a text for assistive technology.
func (d *drawing) spoken(role ui.Role, r ui.Rect, text string) {
	d.count++
	d.Describe(d.ID("text"+strconv.Itoa(d.count)), r, ui.Accessible{Role: role, Name: text})
}
