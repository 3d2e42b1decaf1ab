package views

import (
	"path/filepath"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/tracer/open"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// BenchmarkHover moves the pointer over each view of a run of 10.9 million events. It reports the longest time that the view under the pointer takes
// to find what is there, describe it and mark it (point-ms), and the longest time that a view takes to mark what another one has under the pointer
// (mark-ms).
func BenchmarkHover(b *testing.B) {
	r := experiment.Defaults("fghc/fibonacci")
	r.Args = []string{"31"}
	path := filepath.Join(b.TempDir(), "fibonacci.whorl")
	w := must.Get(open.Create(path))(b)
	must.Get(must.Get(r.Resolve())(b).Run(b.Context(), w, nil))(b)
	must.Do(b, w.Close())
	src := must.Get(open.File(path))(b)
	defer src.Close()
	text := glyph.New()
	data := view.NewData(src)
	defer data.Close()
	const side, name = 900, "fibonacci"
	type shown struct {
		*view.Kind
		picture view.Picture
		frame   *view.Frame
	}
	var all []shown
	for _, k := range All {
		o, err := data.Open(k, text)
		if err != nil {
			continue // of other traces
		}
		result := must.Get(o.Geometry(b.Context(), 0, side))(b)
		area := scene.Rect{X1: side, Y1: side}
		f := &view.Frame{Area: area, Clip: area, Style: view.NewStyle(false, 16), Text: text, Trace: name, State: &view.State{}}
		f.Camera = view.Fit(view.BoundsAt(result.Value, nil), area, 8)
		view.Draw(result.Value, f, scene.New(side, side)) // caches of the picture
		all = append(all, shown{k, result.Value, f})
	}
	mark := func(s shown, sel view.Selection) time.Duration {
		s.frame.State.Personal.Hover = sel
		begun := time.Now()
		view.Overlay(s.picture, s.frame, scene.New(side, side))
		return time.Since(begun)
	}
	var hovers []view.Selection
	for _, s := range all {
		const steps = 6
		for i := range steps * steps {
			x, y := (float64(i%steps)+0.5)/steps*side, (float64(i/steps)+0.5)/steps*side
			if sel, ok := view.Hit(s.picture, s.frame, x, y); ok {
				hovers = append(hovers, sel)
			}
		}
	}
	for _, s := range all {
		b.Run(s.Name, func(b *testing.B) {
			var point, marks time.Duration
			for b.Loop() {
				point, marks = 0, 0
				const steps = 6
				for i := range steps * steps {
					x, y := (float64(i%steps)+0.5)/steps*side, (float64(i/steps)+0.5)/steps*side
					begun := time.Now()
					sel, _ := view.Hit(s.picture, s.frame, x, y)
					view.TipAt(s.picture, s.frame, x, y)
					found := time.Since(begun)
					point = max(point, found+mark(s, sel))
				}
				for _, sel := range hovers {
					marks = max(marks, mark(s, sel))
				}
			}
			b.ReportMetric(float64(point.Microseconds())/1000, "point-ms")
			b.ReportMetric(float64(marks.Microseconds())/1000, "mark-ms")
		})
	}
}
