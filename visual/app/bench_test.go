package app

import (
	"image"
	"runtime"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/testdata/must"
	"whorl/visual/backend/raster"
	"whorl/visual/ui"
	"whorl/visual/view"
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

// BenchmarkWatched watches a simulated run and a live one from their beginning to their end, and reports the memory that the viewer then holds for a reduction.
func BenchmarkWatched(b *testing.B) {
	for _, mode := range []experiment.Mode{experiment.Sim, experiment.Live} {
		b.Run(string(mode), func(b *testing.B) {
			for b.Loop() {
				before := heap()
				r := experiment.Defaults("fibonacci")
				r.Mode, r.Args = mode, []string{"29"}
				s := must.Get(session.Start(r))(b)
				a := New(Options{Text: glyphs})
				a.Watch(&ending{s: s}, s.Description())
				in := Input{W: 1440, H: 900, Scale: 1}
				begun := time.Now()
				for {
					in.Now = time.Since(begun)
					out := a.Step(in)
					if out.Next < 0 {
						break
					}
					time.Sleep(out.Next - in.Now)
				}
				n := s.Status().Reductions
				s = nil
				b.ReportMetric(float64(heap()-before)/float64(n), "bytes/reduction")
				a.Close()
			}
		})
	}
}

// An ending session forgets its run at the end, as if that were in another process.
type ending struct {
	s    *session.Session
	last session.Status
}

func (e *ending) Status() session.Status {
	if e.s != nil {
		e.last = e.s.Status()
	}
	return e.last
}

func (e *ending) TakeTrace() (b []byte) {
	if e.s != nil {
		if b = e.s.TakeTrace(); e.last.State == session.Finished {
			e.s = nil
		}
	}
	return b
}

func (e *ending) Do(session.Command) {}
func (e *ending) Close()             {}

// heap returns the bytes of memory in use.
func heap() int64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}

// BenchmarkTrial measures the time from a move of a slider to the pictures of the new run in all panes of a run of about 10^5 events.
func BenchmarkTrial(b *testing.B) {
	r := experiment.Defaults("fghc/pascal")
	r.Args, r.PEs = []string{"145"}, 5
	a := New(Options{Text: glyphs, Runner: native{}})
	defer a.Close()
	begun := time.Now()
	step := func() Output {
		return a.Step(Input{Now: time.Since(begun), W: 1280, H: 800, Scale: 1})
	}
	step()
	doc := a.launcher.Begin(r)
	rest := func() {
		for {
			out := step()
			idle := out.Next < 0 || out.Next > time.Since(begun)+100*time.Millisecond
			if idle && doc.Live.Over && !doc.Trying() && !a.trials.Pending() {
				return
			}
			if wait := out.Next - time.Since(begun); wait > 0 {
				time.Sleep(min(wait, 10*time.Millisecond))
			}
		}
	}
	rest()
	canvas := raster.New(glyphs)
	m := image.NewRGBA(image.Rect(0, 0, 1280, 800))
	for i := 0; b.Loop(); i++ {
		settings := map[string]string{"latency": []string{"5us", "20us"}[i%2]}
		a.actions.Apply(view.Action{Do: view.Try, Name: doc.Name, Settings: settings})
		for revision := doc.Revision(); doc.Revision() == revision; {
			step()
			time.Sleep(time.Millisecond)
		}
		rest()
		for _, l := range a.layers() {
			box := image.Rect(int(l.Rect.X0), int(l.Rect.Y0), int(l.Rect.X1), int(l.Rect.Y1))
			canvas.Draw(m.SubImage(box).(*image.RGBA), l.List, raster.View{Scale: 1})
		}
	}
	b.ReportMetric(float64(doc.Fed.Events), "events")
}
