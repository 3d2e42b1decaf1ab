//go:build window || js

package screen

import (
	"image"
	"math"
	"slices"
	"testing"
	"time"

	"whorl/visual/app"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

func TestQueue(t *testing.T) {
	move := func(x float64) app.Event { return app.Event{Kind: ui.Move, X: x} }
	wheel := func(dy float64, m ui.Mods) app.Event { return app.Event{Kind: ui.Wheel, DY: dy, Mods: m} }
	down, up := app.Event{Kind: ui.Down}, app.Event{Kind: ui.Up}
	for _, c := range []struct {
		name      string
		add, want []app.Event
	}{
		{"nothing", nil, nil},
		{"movements become one", []app.Event{move(1), move(2), move(3)}, []app.Event{move(3)}},
		{"but not across a press", []app.Event{move(1), down, move(2), up}, []app.Event{move(1), down, move(2), up}},
		{"presses stay apart", []app.Event{down, up, down, up}, []app.Event{down, up, down, up}},
		{"turns add up", []app.Event{wheel(1, 0), wheel(2, 0)}, []app.Event{wheel(3, 0)}},
		{"but not with another key", []app.Event{wheel(1, 0), wheel(2, ui.Control)}, []app.Event{wheel(1, 0), wheel(2, ui.Control)}},
	} {
		var q queue
		for _, e := range c.add {
			q.add(e)
		}
		if got := q.drain(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if got := q.drain(); got != nil {
			t.Errorf("%s: the queue still has %v", c.name, got)
		}
	}
	var q queue
	for range 2 * most {
		q.add(down)
	}
	if n := len(q.drain()); n != most {
		t.Errorf("%d events were kept, want %d", n, most)
	}
}

func TestWait(t *testing.T) {
	s := newStage(&fake{}, Options{})
	for _, c := range []struct {
		next, now, want time.Duration
		ok              bool
	}{{-1, 5, 0, false}, {7, 5, 2, true}, {3, 5, 0, true}, {0, 0, 0, true}} {
		if got, ok := s.wait(c.next, c.now); got != c.want || ok != c.ok {
			t.Errorf("wait(%d, %d) = %d, %v, want %d, %v", c.next, c.now, got, ok, c.want, c.ok)
		}
	}
}

func TestScaleOf(t *testing.T) {
	for _, c := range []struct{ in, want float64 }{{1, 1}, {1.25, 1.25}, {0, 1}, {-2, 1}, {math.NaN(), 1}, {math.Inf(1), 1}, {1e9, largestScale}, {1e-9, 1.0 / largestScale}} {
		if got := scaleOf(c.in); got != c.want {
			t.Errorf("scaleOf(%v) = %v, want %v", c.in, got, c.want)
		}
	}
}

func TestPack(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 4, 3))
	for i := range m.Pix {
		m.Pix[i] = byte(i)
	}
	got := pack(nil, m, image.Rect(1, 1, 3, 9))
	want := slices.Concat(m.Pix[20:28], m.Pix[36:44])
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	again := pack(got, m, image.Rect(0, 0, 1, 1))
	if !slices.Equal(again, m.Pix[:4]) || &again[0] != &got[0] {
		t.Errorf("%v in new memory", again)
	}
	if none := pack(nil, m, image.Rect(9, 9, 12, 12)); len(none) != 0 {
		t.Errorf("%d bytes of nothing", len(none))
	}
}

// fake is a viewer of one square. Its colour is the number of the step that changed it last.
type fake struct {
	in      []app.Input
	changed bool
	list    *scene.List
	turn    uint64
}

func (f *fake) Step(in app.Input) app.Output {
	f.in = append(f.in, in)
	if f.changed {
		f.turn++
		f.list = scene.New(float32(in.W), float32(in.H))
		f.list.Rect(0, 0, 1e4, 1e4, scene.RGB(uint8(f.turn), 0, 0))
	}
	r := scene.Rect{X1: math.Round(in.W * in.Scale), Y1: math.Round(in.H * in.Scale)}
	return app.Output{Layers: []app.Layer{{Rect: r, Revision: f.turn, List: f.list, Opaque: true}}, Changed: f.changed, Next: -1}
}

func TestStage(t *testing.T) {
	f := &fake{}
	s := newStage(f, Options{})
	for i, c := range []struct {
		changed, hidden bool
		w, h            int
		scale           float64
		red             int // of the picture, -1 for none
	}{
		{changed: true, w: 10, h: 10, scale: 1, red: 1},
		{w: 10, h: 10, scale: 1, red: -1},                              // no change: nothing is painted
		{w: 15, h: 10, scale: 1.5, red: 1},                             // except for a new size
		{changed: true, hidden: true, w: 15, h: 10, scale: 1, red: -1}, // hidden
		{w: 15, h: 10, scale: 1, red: 2},                               // visible again
		{changed: true, w: 0, h: 10, scale: 1, red: -1},
		{w: 20, h: 20, scale: 2, red: 3},
	} {
		f.changed = c.changed
		in := app.Input{Scale: c.scale, Hidden: c.hidden}
		frame, _ := s.paint(in, s.step(in, c.w, c.h), c.w, c.h)
		red := -1
		if frame != nil {
			red = int(frame.Pix[0])
			if frame.Rect != image.Rect(0, 0, c.w, c.h) {
				t.Errorf("step %d: picture of %v, want %d by %d", i, frame.Rect, c.w, c.h)
			}
		}
		if red != c.red {
			t.Errorf("step %d: picture %d, want %d", i, red, c.red)
		}
		if in := f.in[i]; in.W != float64(c.w)/c.scale || in.H != float64(c.h)/c.scale {
			t.Errorf("step %d: %v by %v points", i, in.W, in.H)
		}
	}
}
