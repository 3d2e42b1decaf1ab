package view

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/glyph"
	"whorl/visual/scene"
)

// bars is a picture with a bar for each PE. The height is the number of reductions.
type bars struct {
	counts []int
	legend Legend
}

func (b *bars) Bounds() scene.Rect { return scene.Rect{X1: float64(len(b.counts)), Y1: 10} }

func (b *bars) Base(f *Frame, out *scene.List) {
	out.ClipTo(f.Clip)
	for i, n := range b.counts {
		x0, y0 := f.ToPixel(float64(i), 0)
		x1, y1 := f.ToPixel(float64(i)+0.8, float64(n))
		out.Rect(float32(x0), float32(y0), float32(x1), float32(y1), f.Style.Ink)
	}
	out.Pop()
}

func (b *bars) Legend(*Frame) Legend { return b.legend }

func (b *bars) Hit(f *Frame, x, y float64) (Selection, bool) {
	wx, _ := f.ToWorld(x, y)
	pe := int64(math.Floor(wx))
	return Selection{PEs: []Span{{pe, pe}}}, pe >= 0 && int(pe) < len(b.counts)
}

func (b *bars) Tip(f *Frame, x, y float64) (Tip, bool) {
	s, ok := b.Hit(f, x, y)
	if !ok {
		return Tip{}, false
	}
	return Tip{x, y, []string{"PE " + figures.Count(s.PEs[0].First)}}, true
}

func (b *bars) Locate(*Frame, Selection) []scene.Rect { return nil }

func barKind(l Legend) *Kind {
	stage := flow.Derive("bars", "the bars", flow.In(RunStage, Trace), flow.Params{"scale"}, func(c *flow.Call[*bars]) (*bars, error) {
		scale := int(c.Params.Int("scale"))
		if scale == 13 {
			return nil, errors.New("unlucky")
		}
		b := &bars{counts: make([]int, RunStage.In(c).Meta.PEs), legend: l}
		err := Trace.In(c).Scan(tracer.Kinds(tracer.Reduce), func(es []tracer.Event) error {
			for _, e := range es {
				b.counts[e.PE] += scale
			}
			return nil
		})
		return b, err
	})
	return &Kind{
		Name: "bars", Needs: []tracer.KindSet{tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Start, tracer.End)}, Picture: Draws(stage),
		Params: []Param{Background, {Name: "scale", Default: int64(1), Min: 1, Max: 100}},
		Keys:   []Key{{"p", "scale", Action{Do: SetParam, Name: "scale", Value: "2"}}},
	}
}

// render draws a trace in a view.
func render(k *Kind, src tracer.Source, params map[string]string, w, h int, text scene.Measurer) (*scene.List, error) {
	o, err := Open(k, src, text)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	for name, value := range params {
		if err := o.Set(name, value); err != nil {
			return nil, err
		}
	}
	return o.Picture(context.Background(), w, h)
}

func trace(events ...tracer.Event) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "test", PEs: 3})
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range events {
		*s.Slot() = e
	}
	s.Sync()
	return m
}

var twoReductions = []tracer.Event{{Kind: tracer.Reduce, Task: 1, PE: 0}, {Kind: tracer.Reduce, Task: 2, Ref: 1, PE: 2, Time: 5}}

// TestElapsedOfRoundedTimes checks that the elapsed time of a record whose times are rounded down is that of the account.
func TestElapsedOfRoundedTimes(t *testing.T) {
	src := trace(twoReductions...)
	meta := src.Meta()
	meta.SetResolution(5)
	src.SetMeta(meta)
	r, err := ReadRun(src)
	if err != nil || !slices.Contains(r.Facts(), Fact{"Elapsed", "10 ns"}) {
		t.Errorf("%v, %v", r.Facts(), err)
	}
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	k := barKind(Legend{})
	for _, c := range []struct {
		events []tracer.Event
		want   string
	}{
		{twoReductions, ""},
		{[]tracer.Event{{Kind: tracer.Start, Task: 1}, {Kind: tracer.End, Task: 1}}, ""},
		{nil, "the bars view needs Reduce or Start and End events; this trace is empty"},
		{[]tracer.Event{{Kind: tracer.Start, Task: 1}, {Kind: tracer.Idle}, {Kind: tracer.Idle}}, "the bars view needs Reduce or Start and End events; this trace has only Start (1), Idle (2)"},
	} {
		_, err := Open(k, trace(c.events...), glyph.New())
		if got := fmt.Sprint(err); err == nil && c.want != "" || err != nil && got != c.want {
			t.Errorf("%v: %v, want %s", c.events, err, c.want)
		}
	}
}

// TestBeginning checks that a long trace has a picture of its beginning until the whole one is done, with the same parameters, and that one that
// fails or would show half of the trace is left out.
func TestBeginning(t *testing.T) {
	k := barKind(Legend{})
	k.First = &First{Events: 1, Picture: barKind(Legend{Title: "beginning"}).Picture}
	open := func(events ...tracer.Event) *Opened {
		o, err := Open(k, trace(events...), glyph.New())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(o.Close)
		return o
	}
	if _, ok := open(twoReductions[0]).Beginning(context.Background(), 0, 100); ok {
		t.Error("a trace of one event has a picture of its first event")
	}
	for _, scale := range []string{"7", "13"} {
		o := open(twoReductions...)
		if err := o.Set("scale", scale); err != nil {
			t.Fatal(err)
		}
		r, ok := o.Beginning(context.Background(), 0, 100)
		if ok != (scale == "7") || r.Done {
			t.Errorf("scale %s: %+v, %t", scale, r, ok)
		}
		if b, _ := r.Value.(*bars); ok && (b == nil || b.legend.Title != "beginning" || b.counts[0] != 7) {
			t.Errorf("scale %s: %+v", scale, b)
		}
		if _, err := o.Geometry(context.Background(), 0, 100); (err != nil) != (scale == "13") {
			t.Errorf("scale %s: %v", scale, err)
		}
		if _, ok := o.Beginning(context.Background(), 0, 100); ok {
			t.Errorf("scale %s: there is a picture of the beginning after that of the whole trace", scale)
		}
	}
	o := open(twoReductions...)
	if _, ok := o.Beginning(context.Background(), 0, 100); !ok || o.Data.Runs("bars") != 1 {
		t.Error("no picture of the beginning")
	}
	if o.Rest(); len(o.Data.graph.Held()) > 0 {
		t.Errorf("at rest the view holds %v", o.Data.graph.Held())
	}
}

func TestRenderParameters(t *testing.T) {
	k := barKind(Legend{Title: "t"})
	for _, c := range []struct {
		params map[string]string
		want   string
	}{
		{nil, ""},
		{map[string]string{"scale": "2", "background": "dark"}, ""},
		{map[string]string{"scael": "2"}, `unknown parameter of the bars view "scael"; did you mean scale?`},
		{map[string]string{"zzz": "2"}, `unknown parameter of the bars view "zzz"; known are background, scale`},
		{map[string]string{"scale": "two"}, `scale "two" is not a whole number from 1 to 100`},
		{map[string]string{"scale": "101"}, `scale "101" is not a whole number from 1 to 100`},
		{map[string]string{"background": "drak"}, `unknown background "drak"; did you mean dark?`},
		{map[string]string{"scale": "13"}, "unlucky"},
	} {
		l, err := render(k, trace(twoReductions...), c.params, 300, 200, glyph.New())
		if got := fmt.Sprint(err); err == nil && c.want != "" || err != nil && got != c.want {
			t.Errorf("%v: %v, want %s", c.params, err, c.want)
		}
		if err == nil && (l.Open() != 0 || l.W != 300 || l.H != 200) {
			t.Errorf("%v: %d groups open, %g x %g", c.params, l.Open(), l.W, l.H)
		}
	}
	if _, err := render(k, trace(twoReductions...), nil, 300, 40000, glyph.New()); err == nil {
		t.Error("a picture of 300x40000 was drawn")
	}
}

func TestBudgetAndMemory(t *testing.T) {
	o, err := Open(barKind(Legend{}), trace(twoReductions...), glyph.New())
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for range 2 {
		r, err := o.Geometry(context.Background(), time.Minute, 100)
		if err != nil || !r.Done || !slices.Equal(r.Value.(*bars).counts, []int{1, 0, 1}) {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if err := o.Set("scale", "3"); err != nil {
		t.Fatal(err)
	}
	if r, _ := o.Geometry(context.Background(), 0, 100); !slices.Equal(r.Value.(*bars).counts, []int{3, 0, 3}) {
		t.Errorf("counts with scale 3: %v", r.Value)
	}
	if o.Data.Runs("run") != 1 || o.Data.Runs("bars") != 2 {
		t.Errorf("run ran %d times and bars %d, want 1 and 2", o.Data.Runs("run"), o.Data.Runs("bars"))
	}
}
