package play

import (
	"context"
	"time"

	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/rhythm"
	"whorl/visual/documents"
	"whorl/visual/flow"
	"whorl/visual/sound"
	"whorl/visual/view"
)

// A Hearing makes the sounds of the focused pane while the pictures play. A view with sounds of its own (view.Sounder) is heard from where
// it is seen. Any other trace is heard by its reductions (package rhythm).
type Hearing struct {
	model   *panes.Model
	cameras *panes.Cameras
	player  *Player
	window  *panes.Window
	out     *outbox.Outbox

	On    bool
	tones []sound.Tone // of this step
	ear   sound.Ear    // of the last step with tones
	hearable
}

// A hearable holds the sounds prepared for a trace, and the part of them that has been heard.
type hearable struct {
	mute   string                       // why the picture that was heard last has no sounds
	doc    *documents.Document          // the trace that is heard by its reductions
	data   *view.Data                   // that the reader reads
	reader *flow.Reader[*rhythm.Rhythm] // nil if nothing of it can be heard
	rhythm *rhythm.Rhythm               // nil while it is computed
	follow follow
}

// A follow is the part of a growing picture that has been heard.
type follow struct {
	pane     int    // 0 for none
	until    int64  // the time of the trace up to which it has been heard
	revision uint64 // of the picture
	since    time.Duration
}

// NewHearing returns a hearing that is switched off.
func NewHearing(m *panes.Model, cs *panes.Cameras, p *Player, w *panes.Window, out *outbox.Outbox) *Hearing {
	return &Hearing{model: m, cameras: cs, player: p, window: w, out: out}
}

// Toggle switches the sound on or off.
func (h *Hearing) Toggle() {
	if h.On = !h.On; h.On {
		h.out.Ask(outbox.Ask{Do: outbox.SoundOn})
		h.out.Redraw()
	} else {
		h.silence()
	}
}

// silence switches the sound off and releases its stages.
func (h *Hearing) silence() {
	h.out.Ask(outbox.Ask{Do: outbox.SoundOff})
	h.listenTo(nil)
	h.On = false
	h.out.Redraw()
}

// NoSound handles the answer of a shell that cannot make sounds.
func (h *Hearing) NoSound(why string) {
	if h.On {
		h.silence()
		h.out.Warn(outbox.AboutSound, "There is no sound: "+why)
	}
}

// listenTo prepares the sound of the reductions of a trace, nil for none.
func (h *Hearing) listenTo(d *documents.Document) {
	if h.reader != nil {
		h.reader.Rest()
	}
	h.hearable = hearable{doc: d}
}

// sounder returns the focused pane if its view has sounds of its own, nil otherwise, and the pane's picture, nil while there is none.
func (h *Hearing) sounder() (*panes.Pane, view.Sounder) {
	p := h.model.Panes[h.model.Focus]
	if p == nil || !view.Implements[view.Sounder](p.Kind) {
		return nil, nil
	}
	v, _ := p.Picture().(view.Sounder)
	return p, v
}

// Ready prepares the sound of the focused pane. It reports false while that is not done. It warns once if nothing can be heard.
func (h *Hearing) Ready() bool {
	d := h.model.Focused()
	if !h.On || d == nil {
		return true
	}
	if p, v := h.sounder(); p != nil {
		return h.readySounder(p, v)
	}
	if h.doc != d || h.data != d.Data {
		h.listenTo(d)
		if d.Data == nil {
			d.Supply(h.window.Now)
		}
		if err := rhythm.CanHear(d.Source); err != nil {
			h.out.Warn(outbox.AboutSound, d.Name+" makes no sound: "+err.Error())
		} else {
			h.reader = view.Read(d.Data, rhythm.Stage)
		}
		h.data = d.Data
	}
	if h.reader == nil {
		return true
	}
	r, err := h.reader.Get(context.Background(), panes.WorkTime())
	if err != nil {
		h.out.Fail(outbox.AboutSound, err)
		h.silence()
		return true
	}
	if r.Value != nil {
		h.rhythm = r.Value
	}
	return h.rhythm != nil
}

// readySounder reports whether a pane with sounds of its own can be heard, or never will be.
func (h *Hearing) readySounder(p *panes.Pane, v view.Sounder) bool {
	if h.reader != nil {
		h.listenTo(nil)
	}
	if v == nil {
		return p.Err != nil || !p.Open()
	}
	if why := v.Mute(); why != h.mute {
		if h.mute = why; why != "" {
			h.out.Warn(outbox.AboutSound, p.Trace+" makes no sound: "+why)
		}
	}
	return true
}

// addTones adds the tones of the events after one time and until another, for a step of a given length.
func (h *Hearing) addTones(after, until int64, lasts time.Duration) {
	if p, v := h.sounder(); h.On && p != nil {
		if v != nil {
			d := h.model.Document(p)
			h.tones = append(h.tones, v.Sounds(h.cameras.Frame(p), h.model.Clock.OnTrace(after, d), h.model.Clock.OnTrace(until, d), lasts)...)
		}
		return
	}
	if !h.On || h.rhythm == nil || h.doc != h.model.Focused() {
		return
	}
	tones := h.rhythm.Tones(h.model.Clock.OnTrace(after, h.doc), h.model.Clock.OnTrace(until, h.doc), h.doc.Source.Meta().PEs, lasts)
	h.tones = append(h.tones, tones...)
}

// Animate moves a time that plays, and plays its sounds.
func (h *Hearing) Animate() {
	p := h.player
	if !p.On {
		return
	}
	passed := h.window.Now - p.last
	if passed <= 0 {
		return
	}
	if !h.Ready() {
		p.last = h.window.Now
		p.shown-- // the play begins anew when the sound is ready
		return
	}
	after, until, over := p.advance()
	p.ShowUntil(until, true)
	h.addTones(after, until, passed)
	if over {
		p.On = false
	}
}

// Overhear adds the tones of new events in the picture of a run that goes on, while nothing plays and the whole run is shown.
func (h *Hearing) Overhear() {
	p, v := h.sounder()
	if !h.On || v == nil || h.player.On || h.model.State.Shared.Until != nil || h.model.Document(p) == nil || h.model.Document(p).Live == nil {
		h.follow.pane = 0
		return
	}
	f := &h.follow
	if f.pane == p.ID && f.revision == p.Revision() {
		return
	}
	known := v.Known()
	if f.pane == p.ID && known > f.until {
		h.tones = append(h.tones, v.Sounds(h.cameras.Frame(p), f.until, known, min(max(h.window.Now-f.since, PlayEvery), time.Second))...)
	}
	if f.pane != p.ID || known != f.until { // a run that has begun again knows less
		f.until, f.since = known, h.window.Now
	}
	f.pane, f.revision = p.ID, p.Revision()
}

// Sounds returns the tones of this step and their listener, nil if that has not changed and there are no tones.
func (h *Hearing) Sounds() ([]sound.Tone, *sound.Ear) {
	tones := h.tones
	h.tones = nil
	p, v := h.sounder()
	if !h.On || v == nil {
		return tones, nil
	}
	e := v.Ear(h.cameras.Frame(p))
	if e == h.ear && len(tones) == 0 {
		return tones, nil
	}
	h.ear = e
	return tones, &e
}
