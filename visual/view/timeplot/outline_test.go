package timeplot_test

import (
	"image"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/backend/raster"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/view"
	"whorl/visual/views/timeline"
	"whorl/visual/views/utilisation"
)

// manyStates returns a trace of two PEs that change their states often and reduce goals in between.
func manyStates() *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "states", PEs: 2})
	code := m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: "p/0"})
	s := m.Stream(tracer.StreamInfo{})
	kinds := []tracer.Kind{tracer.Busy, tracer.Idle, tracer.Busy, tracer.Overhead}
	for i := range int64(40_000) {
		pe := int32(i / 3 % 2)
		*s.Slot() = tracer.Event{Time: 100*i + i*i%70, PE: pe, Kind: kinds[(i+i/1000)%4]}
		if i%50 == 0 {
			*s.Slot() = tracer.Event{Time: 100*i + i*i%70, PE: pe, Kind: tracer.Reduce, Task: uint64(i/50) + 1, Ref: uint64(i / 50), Code: code, Value: 5}
		}
	}
	_ = m.Close()
	return m
}

// TestOutlined compares the pictures of views that read a trace larger than memory with those of the views that hold it. Where they differ by more than
// a shade is in fewer than two pixels of a hundred. Their legends differ in what the outline leaves out.
func TestOutlined(t *testing.T) {
	glyphs, src := glyph.New(), manyStates()
	picture := func(k *view.Kind, params map[string]string) (*image.RGBA, string) {
		l := must.Get(drawtest.Render(t.Context(), k, src, params, 640, 480, glyphs))(t)
		var texts strings.Builder
		for i := range l.Len() {
			if o := l.Op(i); o.Kind == scene.OpText {
				_, _, text, _ := o.Text()
				texts.Write(append(text, ' '))
			}
		}
		return raster.New(glyphs).Picture(l, 1), texts.String()
	}
	for _, kind := range []func() *view.Kind{timeline.Kind, utilisation.Kind} {
		for _, params := range []map[string]string{{}, {"color": "pe"}} {
			want, _ := picture(kind(), params)
			got, text := picture(kind().Condensation.Kind(1<<20), params)
			differ, all := 0, 0
			for y := range 480 {
				for x := range 440 { // without the legend
					a, b := want.RGBAAt(x, y), got.RGBAAt(x, y)
					if all++; max(a.R, b.R)-min(a.R, b.R) > 48 || max(a.B, b.B)-min(a.B, b.B) > 48 {
						differ++
					}
				}
			}
			if differ > all/50 {
				t.Errorf("%s %v: %d of %d pixels differ", kind().Name, params, differ, all)
			}
			if !strings.Contains(text, "steps are left out, and so is the order of states within") {
				t.Errorf("%s: the legend says\n%s", kind().Name, text)
			}
		}
		if _, err := drawtest.Render(t.Context(), kind().Condensation.Kind(1<<20), src, map[string]string{"color": "procedure"}, 640, 480, glyphs); err == nil {
			t.Errorf("%s: procedures have colours without steps", kind().Name)
		}
		counts := src.Counts()
		if whole, outlined := kind().Condensation.Memory(view.Demand{Counts: counts}); whole < 40_000*100 || outlined > 64<<20 {
			t.Errorf("%s: %d bytes, %d with an outline", kind().Name, whole, outlined)
		}
		counts = [tracer.NumKinds]int64{tracer.Reduce: 1e9}
		if whole, outlined := kind().Condensation.Memory(view.Demand{Counts: counts}); whole != outlined {
			t.Errorf("%s: a trace without states takes %d bytes, its outline %d", kind().Name, whole, outlined)
		}
	}
}

// reading is a trace that notes which kinds of events are read.
type reading struct {
	*tracer.Memory
	kinds tracer.KindSet
}

func (r *reading) Scan(want tracer.KindSet, fn func([]tracer.Event) error) error {
	r.kinds |= want
	return r.Memory.Scan(want, fn)
}

// TestOutlinedReads checks that a view of an outline reads reductions only for the colours that need them.
func TestOutlinedReads(t *testing.T) {
	for _, kind := range []func() *view.Kind{timeline.Kind, utilisation.Kind} {
		for _, c := range []struct {
			color   string
			reduces bool
		}{{"state", false}, {"pe", true}} {
			src := &reading{Memory: manyStates()}
			must.Get(drawtest.Render(t.Context(), kind().Condensation.Kind(1<<20), src, map[string]string{"color": c.color}, 640, 480, glyph.New()))(t)
			if got := src.kinds.Contains(tracer.Reduce); got != c.reduces {
				t.Errorf("%s by %s reads reductions: %v, want %v", kind().Name, c.color, got, c.reduces)
			}
		}
	}
}
