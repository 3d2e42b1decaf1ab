package app

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/visual/app/clock"
	"whorl/visual/app/panes"
	"whorl/visual/sound"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// busier records a run of 4 PEs in 600 rounds of a length in ns. In each round every PE sends to the next one and is busy for half of the
// round; PE 1 is busy all of the time in rounds 100 to 199 and 400 to 499. each is called after every round.
func busier(to tracer.Recorder, round int64, each func(round int)) {
	to.SetMeta(tracer.Meta{PEs: 4})
	s := to.Stream(tracer.StreamInfo{})
	for r := range 600 {
		at, long := int64(r)*round, r%300 >= 100 && r%300 < 200
		for pe := range int32(4) {
			*s.Slot() = tracer.Event{Kind: tracer.Busy, Time: at, PE: pe, Peer: -1}
			*s.Slot() = tracer.Event{Kind: tracer.Send, Time: at + 1, PE: pe, Peer: (pe + 1) % 4, Ref: uint64(r*4) + uint64(pe) + 1, Value: 10}
		}
		for pe := range int32(4) {
			if pe != 1 || !long {
				*s.Slot() = tracer.Event{Kind: tracer.Idle, Time: at + round/2, PE: pe, Peer: -1}
			}
		}
		if long {
			*s.Slot() = tracer.Event{Kind: tracer.Idle, Time: at + round - 1, PE: 1, Peer: -1}
		}
		s.Sync()
		each(r)
	}
}

// recorded collects the sounds of the steps of a viewer.
type recorded struct {
	bytes.Buffer
	score sound.Score
	start time.Duration
}

func record(d *driver) *recorded {
	return &recorded{start: d.in.Now}
}

// step steps the viewer and plays its sounds as shells do.
func (r *recorded) step(d *driver, events ...Event) {
	d.step(events...)
	if d.out.Ear != nil {
		r.score.Ears = append(r.score.Ears, sound.Hearing{Start: d.in.Now - r.start, Ear: *d.out.Ear})
	}
	for _, t := range d.out.Sounds {
		t.Start += d.in.Now - r.start
		r.score.Tones = append(r.score.Tones, t)
	}
}

// loud returns the power of the two sides within some time of the recording.
func (r *recorded) loud(t *testing.T, from, to time.Duration) (left, right float64) {
	t.Helper()
	if r.Len() == 0 {
		if err := sound.WriteWAV(r, r.score); err != nil {
			t.Fatal(err)
		}
	}
	for i := int(from * sound.Rate / time.Second); i < int(to*sound.Rate/time.Second) && 44+4*i+3 < r.Len(); i++ {
		b := r.Bytes()[44+4*i:]
		l, r := float64(int16(binary.LittleEndian.Uint16(b))), float64(int16(binary.LittleEndian.Uint16(b[2:])))
		left, right = left+l*l, right+r*r
	}
	return left, right
}

// busyBodies shows the bodies of a run of busier, with a sound at loads from 0.75 on.
func busyBodies(t *testing.T) (*driver, *panes.Pane) {
	t.Helper()
	d := drive(t, Options{}, 1000, 700, 1)
	m := tracer.NewMemory()
	busier(m, 1000, func(int) {})
	d.app.Open("busier", m)
	return d, d.listenAt(d.alone("bodies", "busier"))
}

// listenAt makes a pane of bodies sound where a PE is busy for three quarters of a time.
func (d *driver) listenAt(p *panes.Pane) *panes.Pane {
	for _, c := range []struct{ name, value string }{{"fast", "0"}, {"loadat", "0.75"}, {"attraction", "0.05"}} {
		d.app.actions.Apply(view.Action{Do: view.SetParam, Pane: d.app.model.Index(p.ID), Name: c.name, Value: c.value})
	}
	d.settle()
	return p
}

// TestSoundOfBodies: while bodies play with the sound on, each moment sounds once, from where its body is seen. There is no sound while it is
// off, while nothing plays, and when the slider moves.
func TestSoundOfBodies(t *testing.T) {
	d, p := busyBodies(t)
	d.app.actions.Apply(view.Action{Do: view.SetSpeed, Index: 3}) // all plays in a second
	play := func() (at []time.Duration, pitches []float64) {
		d.app.player.ShowUntil(0, false)
		r := record(d)
		r.step(d, Event{Kind: ui.Key, Key: " "})
		for d.app.player.On {
			r.step(d)
			for _, tone := range d.out.Sounds {
				at, pitches = append(at, d.in.Now-r.start+tone.Start), append(pitches, tone.Pitch)
				if len(tone.Way) < 2 || d.out.Ear == nil {
					t.Errorf("a tone has the way %v, and the ear is %v", tone.Way, d.out.Ear)
				}
			}
		}
		return at, pitches
	}
	if at, _ := play(); at != nil {
		t.Errorf("tones sound at %v while the sound is off", at)
	}
	d.step(Event{Kind: ui.Key, Key: "M"})
	at, pitches := play()
	if len(at) != 4 {
		t.Fatalf("tones sound at %v, want 4 tones", at)
	}
	for i, round := range []float64{100, 200, 400, 500} {
		if share := at[i].Seconds() * 600; share < round-1 || share > round+25 { // the threshold is passed within ten rounds, and a step is of six
			t.Errorf("tone %d sounds in round %.0f, want %v", i, share, round)
		}
		if high := pitches[i] > pitches[1]; high != (i%2 == 0) {
			t.Errorf("the pitches are %v; want those of growing loads above those of falling ones", pitches)
		}
	}
	if again, _ := play(); len(again) != 4 || again[2] != at[2] {
		t.Errorf("played again, tones sound at %v, before at %v", again, at)
	}
	d.app.actions.Apply(view.Action{Do: view.SetSpeed, Index: 2})
	if slow, _ := play(); len(slow) != 4 || math.Abs(slow[3].Seconds()/at[3].Seconds()-2) > 0.05 {
		t.Errorf("at half the speed tones sound at %v, before at %v", slow, at)
	}
	d.app.actions.Apply(view.Action{Do: view.SetSpeed, Index: 3})
	d.app.player.ShowUntil(150_000, false)
	if d.step(); d.out.Sounds != nil {
		t.Error("moving the slider makes a sound")
	}
	d.app.actions.Apply(view.Action{Do: view.SetParam, Pane: d.app.model.Index(p.ID), Name: "loadat", Value: "0"})
	d.settle()
	if at, _ := play(); at != nil || !d.shows("busier makes no sound: all thresholds are 0") {
		t.Errorf("without a threshold tones sound at %v\n%s", at, d.texts())
	}
}

// TestSoundOfParts: if the same part of runs of different lengths is shown, the shorter run sounds over the whole play.
func TestSoundOfParts(t *testing.T) {
	for _, parts := range []bool{false, true} {
		d := drive(t, Options{}, 1000, 700, 1)
		for _, run := range []struct {
			name  string
			round int64
		}{{"short", 1000}, {"long", 3000}} { // the first one opened has its bodies behind its first view
			m := tracer.NewMemory()
			busier(m, run.round, func(int) {})
			d.app.Open(run.name, m)
		}
		d.settle()
		p := d.pane("bodies", "short")
		d.app.model.Root.LeafOf(p.ID).Shown = p.ID
		d.app.model.Focus = p.ID
		if d.app.model.Clock.InParts() != parts {
			d.key("%", 0)
		}
		d.listenAt(p)
		d.step(Event{Kind: ui.Key, Key: "M"})
		d.app.player.ShowUntil(0, false)
		var at []float64
		start := d.in.Now
		for d.step(Event{Kind: ui.Key, Key: " "}); d.app.player.On; d.step() {
			for range d.out.Sounds {
				at = append(at, (d.in.Now - start).Seconds())
			}
		}
		last := 500. / 600 / 3
		if parts {
			last *= 3
		}
		if whole := clock.PlayTime.Seconds(); len(at) != 4 || math.Abs(at[3]/whole-last) > 0.05 {
			t.Errorf("same part: %v; tones sound at %v s of %v", parts, at, whole)
		}
	}
}

// TestTurnWhileItSounds: a tone comes from the side of its body, and changes sides when the picture is turned round.
func TestTurnWhileItSounds(t *testing.T) {
	for _, turns := range []bool{false, true} {
		d, p := busyBodies(t)
		d.step(Event{Kind: ui.Key, Key: "M"})
		turn := func(by float64) {
			c := d.app.cameras.Frame(p).Camera
			c.Turn += by
			d.app.actions.Apply(view.Action{Do: view.SetCamera, Pane: d.app.model.Index(p.ID), Camera: &c})
		}
		turn(60)
		d.app.player.ShowUntil(90_000, false)
		r := record(d)
		r.step(d, Event{Kind: ui.Key, Key: " "})
		var begins time.Duration
		for i := 0; begins == 0; i++ {
			if i == 6000 {
				t.Fatal("no tone sounds within a minute")
			}
			if r.step(d); len(d.out.Sounds) > 0 {
				begins = d.in.Now - r.start + d.out.Sounds[0].Start
			}
		}
		for i := range 60 { // of 10 ms
			if turns && i >= 20 && i < 40 {
				turn(9)
			}
			r.step(d)
		}
		l0, r0 := r.loud(t, begins, begins+200*time.Millisecond)
		l1, r1 := r.loud(t, begins+450*time.Millisecond, begins+600*time.Millisecond)
		before, after := 10*math.Log10(l0/r0), 10*math.Log10(l1/r1)
		if math.Abs(before) < 2 || math.Abs(after) < 2 || (before > 0) == (after > 0) != !turns {
			t.Errorf("turned: %v; the left side is louder by %.1f dB before and by %.1f dB after", turns, before, after)
		}
	}
}

// A dripping session hands out its bytes piece by piece.
type dripping struct {
	pieces [][]byte
	now    int // pieces that may be taken
}

func (s *dripping) TakeTrace() (b []byte) {
	for ; s.now > 0 && len(s.pieces) > 0; s.now-- {
		b = append(b, s.pieces[0]...)
		s.pieces = s.pieces[1:]
	}
	return b
}

func (s *dripping) Status() session.Status {
	if len(s.pieces) == 0 {
		return session.Status{State: session.Finished}
	}
	return session.Status{State: session.Running}
}

func (*dripping) Do(session.Command) {}
func (*dripping) Close()             {}

// TestSoundOfARun: with the sound on, each moment of a run that goes on is heard once, when the picture shows it. Earlier moments are not
// heard, and nothing is heard while an earlier time is shown.
func TestSoundOfARun(t *testing.T) {
	for _, back := range []bool{false, true} {
		var file bytes.Buffer
		s := &dripping{}
		w := store.New(&file)
		busier(w, 1<<20, func(r int) {
			if r%20 == 19 {
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
				s.pieces = append(s.pieces, bytes.Clone(file.Bytes()))
				file.Reset()
			}
		})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		s.pieces = append(s.pieces, file.Bytes())
		d := drive(t, Options{}, 900, 600, 1)
		d.app.Watch(s, experiment.Defaults("busier"))
		var p *panes.Pane
		// play hands out n pieces, waits for each until it is shown, and returns the tones heard meanwhile.
		play := func(n int) (pitches []float64) {
			for range min(n, len(s.pieces)) {
				s.now++
				d.until("the piece", func() bool {
					for _, tone := range d.out.Sounds {
						pitches = append(pitches, tone.Pitch)
					}
					doc := d.app.model.Focused()
					return s.now == 0 && doc.Fed.Revision == doc.Revision() && (p == nil || p.UpToDate(doc))
				})
			}
			return pitches
		}
		play(10) // 200 rounds, with the first busy time
		p = d.listenAt(d.alone("bodies", d.app.model.Focused().Name))
		d.step(Event{Kind: ui.Key, Key: "M"})
		if back {
			d.app.player.ShowUntil(50<<20, false)
		}
		before, during, after := play(8), play(5), play(10)
		if back {
			if len(before)+len(during)+len(after) > 0 {
				t.Errorf("while an earlier time is shown, these tones sound: %v %v %v", before, during, after)
			}
			continue
		}
		if len(before) != 1 && len(before) != 0 || len(during) != 1 || len(after) != 1 || during[0] <= after[0] {
			t.Errorf("the tones have %v Hz before PE 1 is busy, %v Hz when it is, and %v Hz after that", before, during, after)
		}
		if !d.app.model.Focused().Live.Over {
			t.Error("the run has not ended")
		}
	}
}
