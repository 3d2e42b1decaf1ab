package app

import (
	"testing"
	"time"

	"whorl/visual/ui"
)

// bench returns a settled window with a run of half a million reductions.
func bench(b *testing.B) (*App, *Input) {
	a := New(Options{Text: glyphs})
	b.Cleanup(a.Close)
	a.Open("nrev", run(b, "nrev", 16, "", "1000"))
	in := &Input{W: 1440, H: 900, Scale: 1}
	for range 10000 {
		in.Now += 10 * time.Millisecond
		if out := a.Step(*in); out.Next < 0 {
			return a, in
		}
	}
	b.Fatal("the viewer does not come to rest")
	return nil, nil
}

// BenchmarkPan moves the kaleidoscope under the pointer: a step and its lists, without the pixels.
func BenchmarkPan(b *testing.B) {
	a, in := bench(b)
	in.Events = []Event{{Kind: ui.Move, X: 300, Y: 300}, {Kind: ui.Wheel, X: 300, Y: 300, DY: 4}, {Kind: ui.Down, X: 300, Y: 300}}
	a.Step(*in)
	i := 0
	for b.Loop() {
		i++
		in.Now += 16 * time.Millisecond
		in.Events = []Event{{Kind: ui.Move, X: 300 + float64(i%50)*4, Y: 300 + float64(i%30)*4}}
		a.Step(*in)
	}
}

// BenchmarkHover moves the pointer over the kaleidoscope.
func BenchmarkHover(b *testing.B) {
	a, in := bench(b)
	i := 0
	for b.Loop() {
		i++
		in.Now += 16 * time.Millisecond
		in.Events = []Event{{Kind: ui.Move, X: 200 + float64(i%50)*8, Y: 200 + float64(i%30)*8}}
		a.Step(*in)
	}
}

// BenchmarkIdle makes steps without events.
func BenchmarkIdle(b *testing.B) {
	a, in := bench(b)
	in.Events = nil
	for b.Loop() {
		in.Now += 16 * time.Millisecond
		a.Step(*in)
	}
}
