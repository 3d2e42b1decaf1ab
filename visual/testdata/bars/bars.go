// Package bars has a view for tests: a bar for each PE.
package bars

import (
	"errors"
	"math"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A Picture is a picture with a bar for each PE. The height is the number of reductions.
type Picture struct {
	Counts []int
	Shown  view.Legend
}

func (b *Picture) Bounds() scene.Rect { return scene.Rect{X1: float64(len(b.Counts)), Y1: 10} }

func (b *Picture) Base(f *view.Frame, out *scene.List) {
	out.ClipTo(f.Clip)
	for i, n := range b.Counts {
		x0, y0 := f.ToPixel(float64(i), 0)
		x1, y1 := f.ToPixel(float64(i)+0.8, float64(n))
		out.Rect(float32(x0), float32(y0), float32(x1), float32(y1), f.Style.Ink)
	}
	out.Pop()
}

func (b *Picture) Legend(*view.Frame) view.Legend { return b.Shown }

func (b *Picture) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	wx, _ := f.ToWorld(x, y)
	pe := int64(math.Floor(wx))
	return view.Selection{PEs: []view.Span{{First: pe, Last: pe}}}, pe >= 0 && int(pe) < len(b.Counts)
}

func (b *Picture) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	s, ok := b.Hit(f, x, y)
	if !ok {
		return view.Tip{}, false
	}
	return view.Tip{X: x, Y: y, Lines: []string{"PE " + figures.Count(s.PEs[0].First)}}, true
}

func (b *Picture) Locate(*view.Frame, view.Selection) []scene.Rect { return nil }

// Kind returns the view, with a legend. Its scale 13 is an error.
func Kind(l view.Legend) *view.Kind {
	stage := flow.Derive("bars", "the bars", flow.In(view.RunStage, view.Trace), flow.Params{"scale"}, func(c *flow.Call[*Picture]) (*Picture, error) {
		scale := int(c.Params.Int("scale"))
		if scale == 13 {
			return nil, errors.New("unlucky")
		}
		b := &Picture{Counts: make([]int, view.RunStage.In(c).Meta.PEs), Shown: l}
		err := view.Trace.In(c).Scan(tracer.Kinds(tracer.Reduce), func(es []tracer.Event) error {
			for _, e := range es {
				b.Counts[e.PE] += scale
			}
			return nil
		})
		return b, err
	})
	return &view.Kind{
		Name: "bars", Needs: []tracer.KindSet{tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Start, tracer.End)}, Picture: view.Draws(stage),
		Params: []view.Param{view.Background, {Name: "scale", Default: int64(1), Min: 1, Max: 100}},
		Keys:   []view.Key{{Key: "p", Doc: "scale", Action: view.Action{Do: view.SetParam, Name: "scale", Value: "2"}}},
	}
}

// Trace returns a trace of 3 PEs.
func Trace(events ...tracer.Event) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "test", PEs: 3})
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range events {
		*s.Slot() = e
	}
	s.Sync()
	return m
}

// TwoReductions are events of two PEs.
var TwoReductions = []tracer.Event{{Kind: tracer.Reduce, Task: 1, PE: 0}, {Kind: tracer.Reduce, Task: 2, Ref: 1, PE: 2, Time: 5}}
