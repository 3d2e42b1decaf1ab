package gallery

import (
	"fmt"
	"math"
	"testing"

	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/tracer/derive/traffic"
	"whorl/tracer/open"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// drawLinks returns a function that draws the PEs of a trace on a circle, and between them the messages, as wide as their share of the bytes.
func drawLinks(name string) func(t *testing.T, s *studio) *scene.List {
	return func(t *testing.T, s *studio) *scene.List {
		trace := must.Get(open.File(s.file(name)))(t)
		defer trace.Close()
		tr := must.Get(traffic.Grow(trace, traffic.Options{}, nil, nil))(t)
		bytes, most, pairs := make([]int64, tr.PEs*tr.PEs), int64(1), 0
		for _, f := range tr.Flows {
			n := &bytes[min(f.From, f.To)*int32(tr.PEs)+max(f.From, f.To)]
			if *n == 0 {
				pairs++
			}
			*n += f.Bytes
			most = max(most, *n)
		}
		const w, h, r = 480, 460, 170
		style := view.NewStyle(false, 14)
		l := scene.New(w, h)
		l.Rect(0, 0, w, h, style.Ground)
		place := func(pe int) (float32, float32) {
			a := 2 * math.Pi * float64(pe) / float64(tr.PEs)
			return w/2 + float32(r*math.Sin(a)), h/2 - 15 - float32(r*math.Cos(a))
		}
		for a := range tr.PEs {
			for b := a + 1; b < tr.PEs; b++ {
				if n := bytes[a*tr.PEs+b]; n > 0 {
					ax, ay := place(a)
					bx, by := place(b)
					l.Line(ax, ay, bx, by, max(5*float32(n)/float32(most), 0.5), style.Muted)
				}
			}
		}
		for pe := range tr.PEs {
			x, y := place(pe)
			l.Circle(x, y, 20, style.Ground)
			l.Ring(x, y, 20, 2, style.Ink)
			l.Text(x, y+5, fmt.Sprint(pe), scene.TextStyle{Size: style.Font, Color: style.Ink, Anchor: scene.Middle})
		}
		l.Text(w/2, h-14, fmt.Sprintf("%s in %s, between %d pairs of PEs", figures.Counted(tr.Bytes, "byte"), figures.Counted(tr.Messages, "message"), pairs),
			scene.TextStyle{Size: 13, Color: style.Muted, Anchor: scene.Middle})
		return l
	}
}
