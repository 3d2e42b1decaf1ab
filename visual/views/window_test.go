package views

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// within is a trace with the samples of a time alone; empty has those of other times, too, but with nothing.
func within(t *testing.T, src *tracer.Memory, window view.Span, empty bool) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	m.SetMeta(src.Meta())
	for _, c := range src.Dict().Codes()[1:] {
		m.Dict().Add(c)
	}
	for _, c := range src.Dict().Contexts()[1:] {
		m.Dict().AddContext(c)
	}
	st := m.Stream(tracer.StreamInfo{})
	err := src.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
		for _, e := range es {
			if !window.Has(e.Time) {
				e.Value = 0
			}
			if empty || window.Has(e.Time) {
				*st.Slot() = e
			}
		}
		return nil
	})
	if err := errors.Join(err, m.Close()); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestWindow: a view that counts what happened in the window of time draws what it draws of a trace that holds nothing else, says which
// time that is, and goes back to all when the window is taken away. Columns that are sorted are so by what is in it.
func TestWindow(t *testing.T) {
	src, text := viewtest.Sampled(), glyph.New()
	window := view.Span{First: 110, Last: 170}
	less, none := within(t, src, window, false), within(t, src, window, true)
	if a, b := src.Counts()[tracer.Sample], less.Counts()[tracer.Sample]; b == 0 || b == a {
		t.Fatalf("%d of %d samples are in the window", b, a)
	}
	sort := "number"
	picture := func(k *view.Kind, src tracer.Source, window *view.Span) (string, view.Legend) {
		o, err := view.Open(k, src, text)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		for name, value := range map[string]string{"skip": "-1", "bin": "2", "sort": sort, "sortline": "spin.f90:12"} {
			if _, err := k.Param("sortline"); name == "sort" && err != nil { // what sorts there is something else
				continue
			}
			if _, err := k.Param(name); err == nil {
				if err := o.Set(name, value); err != nil {
					t.Fatal(err)
				}
			}
		}
		o.SetCounted(window)
		r, err := o.Geometry(context.Background(), 0, 500)
		if err != nil {
			t.Fatal(err)
		}
		area := scene.Rect{X1: 900, Y1: 500}
		f := &view.Frame{Area: area, Clip: area, Style: view.NewStyle(false, 12), Text: text, Trace: "t", State: &view.State{}, Window: window}
		f.Detail = &view.Lines{File: "spin.f90", First: 1, Last: 20}
		f.State.Shared.Selection = view.Selection{Trace: "t", Lines: []view.Lines{{File: "spin.f90", First: 5}}}
		f.Camera = view.Fit(r.Value.Bounds(), area, 6)
		out := scene.New(900, 500)
		view.Draw(r.Value, f, out)
		view.Overlay(r.Value, f, out)
		var b bytes.Buffer
		if err := out.Dump(&b); err != nil {
			t.Fatal(err)
		}
		return b.String(), r.Value.Legend(f)
	}
	n := 0
	for _, k := range All {
		if !k.Windowed {
			continue
		}
		n++
		all, plain := picture(k, src, nil)
		part, said := picture(k, src, &window)
		want, _ := picture(k, less, nil)
		if k.Contexts { // they keep their places when nothing was spent there
			want, _ = picture(k, none, nil)
		}
		other := k.Name != "sunburst" && part != want // where siblings stand in the order of the whole run
		if other || part == all {
			t.Errorf("%s: of the window it draws %d bytes, of a trace of its samples %d, of everything %d", k.Name, len(part), len(want), len(all))
		}
		if !strings.HasPrefix(said.Warning, "Only 100 ns to 160 ns") || plain.Warning != "" {
			t.Errorf("%s says %q of the window, %q without one", k.Name, said.Warning, plain.Warning)
		}
	}
	for _, k := range All { // nothing happened then
		if k.Contexts {
			if drawn, _ := picture(k, src, &view.Span{First: 5000, Last: 6000}); drawn == "" {
				t.Errorf("%s draws nothing", k.Name)
			}
		}
	}
	if n != 13 {
		t.Errorf("%d views count what is in the window", n)
	}
	window = view.Span{First: 40, Last: 125} // 21, 2 and 14 ticks; of line 12 15, 0 and 10
	less = within(t, src, window, false)
	unsorted := map[string]string{}
	for _, sort = range []string{"number", "ticks", "line"} {
		for _, k := range All {
			if !k.Windowed || k.Contexts { // which know no order of processors
				continue
			}
			part, _ := picture(k, src, &window)
			want, _ := picture(k, less, nil)
			if part != want && k.Name != "cascade" { // which lines of the program it leaves out goes by the whole run
				t.Errorf("%s, sorted by %s: what it draws of the window is not what it draws of a trace of its samples", k.Name, sort)
			}
			if unsorted[k.Name] == "" {
				unsorted[k.Name] = part
			} else if _, err := k.Param("sortline"); err == nil && part == unsorted[k.Name] {
				t.Errorf("%s: sorted by %s or not, the picture is the same", k.Name, sort)
			}
		}
	}
}
