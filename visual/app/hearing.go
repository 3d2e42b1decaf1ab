package app

import (
	"context"
	"time"

	"whorl/visual/flow"
	"whorl/visual/sound"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// Hearing: while the pictures play, the focused pane is heard. A view that has sounds of its own (view.Sounder) is heard from where it is seen.
// Of others it is what is reduced in the trace, each reduction as a short tone: its pitch tells how deep it is in the tree, its side on which
// PE it was.

// hearing is what the sound is made from.
type hearing struct {
	on     bool
	doc    *document
	reader *flow.Reader[*rhythm] // nil where nothing of the trace can be heard
	rhythm *rhythm
	tones  []sound.Tone // of this step
	ear    sound.Ear    // the last one
	mute   string       // why the pane that was heard last has no sounds

	// Of a run that goes on: the pane that follows it, how far it has been heard, of which revision of the picture, and when that was.
	follows  int
	known    int64
	revision uint64
	since    time.Duration
}

// Of the tones: how many begin in a step at most, the pitch of a root, the steps of the scale from it to the deepest level, and how long
// they sound.
const (
	mostTones  = 8
	lowestTone = 220 // Hz
	toneSteps  = 15
	toneLength = 180 * time.Millisecond
)

// toggleSound switches the sound of what plays.
func (a *App) toggleSound() {
	a.hearing.on = !a.hearing.on
	if a.hearing.on {
		a.asks = append(a.asks, Ask{Do: SoundOn})
	} else {
		a.silence()
	}
	a.changed = true
}

// silence switches the sound off and gives back what it needed.
func (a *App) silence() {
	a.asks = append(a.asks, Ask{Do: SoundOff})
	a.hearing.turn(nil)
	a.hearing.on = false
	a.changed = true
}

// noSound is what the shell answers where nothing can be heard.
func (a *App) noSound(why string) {
	if a.hearing.on {
		a.silence()
		a.warn("There is no sound: " + why)
	}
}

// turn has another trace heard, or none.
func (h *hearing) turn(d *document) {
	if h.reader != nil {
		h.reader.Rest()
	}
	*h = hearing{on: h.on, doc: d, tones: h.tones, ear: h.ear}
}

// sounder returns the focused pane if its view has sounds of its own, nil otherwise, and the pane's picture, nil while there is none.
func (a *App) sounder() (*pane, view.Sounder) {
	p := a.panes[a.focus]
	if p == nil || p.kind == nil || !view.Implements[view.Sounder](p.kind) {
		return nil, nil
	}
	v, _ := p.result.Value.(view.Sounder)
	return p, v
}

// listenTo says whether a pane of sounds is ready to be heard, or never will be; and, once, why nothing of it can be heard.
func (a *App) listenTo(p *pane, v view.Sounder) bool {
	h := &a.hearing
	if h.reader != nil {
		h.turn(nil)
	}
	if v == nil {
		return p.err != nil || p.opened == nil
	}
	if why := v.Mute(); why != h.mute {
		if h.mute = why; why != "" {
			a.warn(p.trace + " makes no sound: " + why)
		}
	}
	return true
}

// overhear has what is new in the picture of a run that goes on sound, where all of it is shown.
func (a *App) overhear() {
	h := &a.hearing
	p, v := a.sounder()
	if !h.on || v == nil || a.play.on || a.State.Shared.Until != nil || a.docs[p.trace] == nil || a.docs[p.trace].live == nil {
		h.follows = 0
		return
	}
	if h.follows == p.id && h.revision == p.result.Revision {
		return
	}
	known := v.Known()
	if h.follows == p.id && known > h.known {
		h.tones = append(h.tones, v.Sounds(a.frame(p), h.known, known, min(max(a.now-h.since, playEvery), time.Second))...)
	}
	if h.follows != p.id || known != h.known { // less of it where the run has begun again
		h.known, h.since = known, a.now
	}
	h.follows, h.revision = p.id, p.result.Revision
}

// ears is who hears the focused pane, where that has changed or something begins to sound.
func (a *App) ears() *sound.Ear {
	h := &a.hearing
	p, v := a.sounder()
	if !h.on || v == nil {
		return nil
	}
	e := v.Ear(a.frame(p))
	if e == h.ear && len(h.tones) == 0 {
		return nil
	}
	h.ear = e
	return &e
}

// listen prepares the sound of the focused pane's trace; false when that is not done yet.
func (a *App) listen() bool {
	h := &a.hearing
	d := a.focused()
	if !h.on || d == nil {
		return true
	}
	if p, v := a.sounder(); p != nil {
		return a.listenTo(p, v)
	}
	if h.doc != d {
		h.turn(d)
		if d.data == nil {
			d.supply(d.revision(), a.now)
		}
		if err := heardKind.CanOpen(d.src); err != nil {
			a.warn(d.name + " makes no sound: " + err.Error())
		} else {
			h.reader = view.Read(d.data, rhythmStage)
		}
	}
	if h.reader == nil {
		return true
	}
	r, err := h.reader.Get(context.Background(), workTime())
	if err != nil {
		a.fail(err)
		a.silence()
		return true
	}
	if r.Value != nil {
		h.rhythm = r.Value
	}
	return h.rhythm != nil
}

// hear has what happens after one time and until another sound within the time that it plays.
func (a *App) hear(after, until int64, lasts time.Duration) {
	h := &a.hearing
	if p, v := a.sounder(); h.on && p != nil {
		if v != nil {
			d := a.docs[p.trace]
			h.tones = append(h.tones, v.Sounds(a.frame(p), a.onTrace(after, d), a.onTrace(until, d), lasts)...)
		}
		return
	}
	if !h.on || h.rhythm == nil || h.doc != a.focused() {
		return
	}
	tree := h.rhythm.tree
	after, until = a.onTrace(after, h.doc), a.onTrace(until, h.doc)
	nodes := h.rhythm.between(after, until, mostTones)
	volume := 0.25 / (1 + 0.2*float64(len(nodes)-1))
	pes := h.doc.src.Meta().PEs
	for _, node := range nodes {
		pan := 0.0
		if pes > 1 {
			pan = float64(2*float64(tree.PE[node])/float64(pes-1)) - 1
		}
		h.tones = append(h.tones, sound.Tone{
			At:     time.Duration(share(tree.Time[node], after, until) * float64(lasts)),
			Length: toneLength, Volume: volume, Pan: min(pan, 1),
			Pitch: sound.Degree(lowestTone, int(int64(tree.Level[node])*toneSteps/(int64(tree.Height)+1))),
		})
	}
}

// soundButton switches the sound.
func (a *App) soundButton(c *ui.Context, in *ui.Rect) {
	cmd := a.commandNamed("sound")
	if c.Press(in.CutLeft(c.Px(ui.Ctl)), "sound", ui.Press{Icon: cmd.glyph, Look: ui.Quiet, On: a.hearing.on, Tip: cmd.tip()}) {
		a.perform(cmd)
	}
}
