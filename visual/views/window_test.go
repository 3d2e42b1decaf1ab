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

// within returns a trace with only the samples in a window. If empty is set, it also has the other samples, with value 0.
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
			if !window.Contains(e.Time) {
				e.Value = 0
			}
			if empty || window.Contains(e.Time) {
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

// TestWindow checks each view that counts only events in the time window. It draws the same picture for a trace with only these events, names
// the window in a warning, and draws the whole run again without a window. Columns are sorted by their counts in the window.
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
		for _, p := range [][2]string{{"skip", "-1"}, {"bin", "2"}, {"sort", sort}, {"sortline", "spin.f90:12"}} {
			name, value := p[0], p[1]
			if _, err := k.Param("sortline"); name == "sort" && err != nil { // a view of tables has another parameter sort
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
		if !k.Windowed || k.CanOpen(src) != nil {
			continue
		}
		n++
		all, plain := picture(k, src, nil)
		part, said := picture(k, src, &window)
		want, _ := picture(k, less, nil)
		if k.Contexts { // contexts without events in the window keep their places
			want, _ = picture(k, none, nil)
		}
		ordered := k.Name == "sunburst" || k.Name == "flame" // they keep the order of siblings in the whole run
		differs := !ordered && part != want
		if differs || part == all {
			t.Errorf("%s: picture of %d bytes for the window, %d for a trace of its samples, %d for the whole run", k.Name, len(part), len(want), len(all))
		}
		if !strings.HasPrefix(said.Warning, "Only 100 ns to 160 ns") || plain.Warning != "" {
			t.Errorf("%s: warning %q with a window, %q without", k.Name, said.Warning, plain.Warning)
		}
	}
	for _, k := range All { // a window without events
		if k.Contexts {
			if drawn, _ := picture(k, src, &view.Span{First: 5000, Last: 6000}); drawn == "" {
				t.Errorf("%s draws nothing", k.Name)
			}
		}
	}
	if n != 14 {
		t.Errorf("%d views count only events in the window, want 14", n)
	}
	window = view.Span{First: 40, Last: 125} // 21, 2 and 14 ticks; of line 12 15, 0 and 10
	less = within(t, src, window, false)
	unsorted := map[string]string{}
	for _, sort = range []string{"number", "ticks", "line"} {
		for _, k := range All {
			if !k.Windowed || k.Contexts || k.CanOpen(src) != nil { // views of contexts have no order of processors
				continue
			}
			part, _ := picture(k, src, &window)
			want, _ := picture(k, less, nil)
			if part != want && k.Name != "cascade" { // a cascade leaves out lines by their counts in the whole run
				t.Errorf("%s, sorted by %s: the picture of the window differs from that of a trace of its samples", k.Name, sort)
			}
			if unsorted[k.Name] == "" {
				unsorted[k.Name] = part
			} else if _, err := k.Param("sortline"); err == nil && part == unsorted[k.Name] {
				t.Errorf("%s: sorting by %s does not change the picture", k.Name, sort)
			}
		}
	}
}

// TestWholeRun: a view that counts the whole run says so as long as there is a time window.
func TestWholeRun(t *testing.T) {
	text, tried := glyph.New(), 0
	for _, k := range All {
		o, err := view.Open(k, viewtest.Served(12, 2), text)
		if err != nil || k.Windowed || k.Modules || k.Group {
			continue
		}
		defer o.Close()
		r, err := o.Geometry(context.Background(), 0, 500)
		if err != nil {
			t.Fatal(k.Name, err)
		}
		tried++
		area := scene.Rect{X1: 900, Y1: 500}
		f := &view.Frame{Area: area, Clip: area, Style: view.NewStyle(false, 12), Text: text, Trace: "t", State: &view.State{}}
		before := f.Key(1)
		if l := k.Explain(r.Value, f); l.Warning != "" {
			t.Errorf("%s warns without a window: %q", k.Name, l.Warning)
		}
		f.State.Shared.Window = &view.Span{First: 10, Last: 20}
		if l := k.Explain(r.Value, f); l.Warning != "Numbers of the whole run" {
			t.Errorf("%s does not say what its numbers count: %q", k.Name, l.Warning)
		}
		if f.Key(1) == before {
			t.Errorf("the legend of %s is not drawn again", k.Name)
		}
	}
	if tried < 6 {
		t.Errorf("only %d views opened the trace", tried)
	}
}
