// Package kindtest holds helpers for tests of views: opening a trace, golden pictures, and random frames and cameras.
package kindtest

import (
	"context"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/visual/backend/raster"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Glyphs measures texts.
var Glyphs = glyph.New()

// Open opens a trace in a view until the test ends. params lists names and values of parameters in turn.
func Open(t testing.TB, k *view.Kind, src tracer.Source, params ...string) *view.Opened {
	t.Helper()
	o, err := view.Open(k, src, Glyphs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	for i := 0; i < len(params); i += 2 {
		if err := o.Set(params[i], params[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// Shown opens a trace named t. It returns its picture and a frame of w by h pixels that shows all of it and has an offset from 0.
func Shown[P view.Picture](t testing.TB, k *view.Kind, src tracer.Source, w, h float64, params ...string) (P, *view.Frame) {
	t.Helper()
	r, err := Open(t, k, src, params...).Geometry(context.Background(), 0, int(min(w, h)))
	if err != nil {
		t.Fatal(err)
	}
	area := scene.Rect{X0: 7, Y0: 3, X1: 7 + w, Y1: 3 + h}
	return r.Value.(P), &view.Frame{
		Area: area, Clip: area, Camera: view.Fit(view.BoundsAt(r.Value, nil), area, 6), Style: view.NewStyle(false, 12), Text: Glyphs, Trace: "t",
		State: &view.State{},
	}
}

// Golden compares the picture of a trace with a file in testdata.
func Golden(t *testing.T, file string, k *view.Kind, src tracer.Source, w, h int, params map[string]string) {
	t.Helper()
	l, err := drawtest.Render(context.Background(), k, src, params, w, h, Glyphs)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := l.Dump(&b); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join("testdata", file)
	if *update {
		if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(file, []byte(b.String()), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, lines := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(lines)) {
		if i >= len(got) || i >= len(lines) || got[i] != lines[i] {
			t.Errorf("%s differs from line %d on (go test -update rewrites it)", file, i+1)
			break
		}
	}
}

// Texts checks in pictures of many sizes that no text overlaps another or leaves the picture.
func Texts(t *testing.T, k *view.Kind, params map[string]string, sources ...tracer.Source) {
	t.Helper()
	for i, src := range sources {
		for _, size := range [][2]int{{64, 64}, {240, 180}, {400, 300}, {300, 900}, {1200, 900}, {2560, 1440}, {2000, 200}} {
			l, err := drawtest.Render(context.Background(), k, src, params, size[0], size[1], Glyphs)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range viewtest.Inside(l, Glyphs) {
				t.Errorf("trace %d, %v: %s", i, size, w)
			}
		}
	}
}

// AnyFrame draws a picture in random frames with random cameras, and applies the actions for random input. Nothing may fail.
func AnyFrame(t *testing.T, k *view.Kind, p view.Picture) {
	t.Helper()
	keys := []string{"+", "-", "ArrowUp", "ArrowLeft", "0"}
	for _, key := range k.Keys {
		keys = append(keys, key.Key)
	}
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string) float64 {
			return rapid.OneOf(rapid.Float64Range(-50, 700), rapid.SampledFrom([]float64{0, 1e-30, 1e12, -1e12})).Draw(t, name)
		}
		scale := func(name string, least float64) float64 { // smaller scales are invalid
			if s := math.Abs(num(name)); s >= 1e-30 {
				return s
			}
			return least
		}
		area := scene.Rect{X0: num("x"), Y0: num("y")}
		area.X1, area.Y1 = area.X0+rapid.Float64Range(0, 900).Draw(t, "w"), area.Y0+rapid.Float64Range(0, 900).Draw(t, "h")
		f := &view.Frame{
			Area: area, Clip: area, Style: view.NewStyle(true, 12), Text: Glyphs, Trace: "t", State: &view.State{},
			Camera: view.Camera{X: num("cx"), Y: num("cy"), Scale: scale("scale", 1), ScaleY: scale("scale y", 0)},
		}
		if rapid.Bool().Draw(t, "limited") {
			until := rapid.Int64Range(-10, 200).Draw(t, "until")
			f.Until = &until
		}
		if k.Windowed && rapid.Bool().Draw(t, "windowed") {
			from := rapid.Int64Range(-10, 200).Draw(t, "window")
			f.Window = &view.Span{First: from, Last: from + rapid.Int64Range(0, 100).Draw(t, "long")}
		}
		f.State.Shared.Selection = view.Subtree("t", 1)
		f.State.Shared.Window = &view.Span{First: 3, Last: 60}
		l := scene.New(1000, 1000)
		view.Draw(p, f, l)
		view.Overlay(p, f, l)
		p.Legend(f)
		if l.Open() != 0 {
			t.Fatalf("%d clips are open", l.Open())
		}
		x, y := num("mx"), num("my")
		if s, ok := view.Hit(p, f, x, y); ok && s.Empty() {
			t.Fatal("hit nothing")
		}
		view.TipAt(p, f, x, y)
		var s view.State
		_ = s.Apply(view.Action{Do: view.OpenTrace, Name: "t"})
		_ = s.Apply(view.Action{Do: view.AddPane, Name: k.Name, Value: "t"})
		in := view.Input{
			Kind: view.InputKind(rapid.IntRange(0, 9).Draw(t, "kind")), X: x, Y: y, DX: num("dx"), DY: num("dy"), FromX: num("from x"), FromY: num("from y"),
			Key: rapid.SampledFrom(keys).Draw(t, "key"), Shift: rapid.Bool().Draw(t, "shift"), Ctrl: rapid.Bool().Draw(t, "ctrl"),
		}
		for _, a := range k.Answer(p, f, in) {
			if err := s.Apply(a); err != nil && a.Do != view.EnterSubtree && a.Do != view.Back && a.Do != view.LeaveTo && a.Do != view.Nothing { // these may be refused
				t.Fatalf("%+v gives %+v: %v", in, a, err)
			}
		}
	})
}

// A Table is a picture whose rows are scrolled and revealed.
type Table interface {
	view.Linked
	view.Responder
	view.Revealer
}

// Rows checks a table of n rows in a frame that shows some of them. The wheel brings each row into view. A selected row is revealed when it is
// hidden, and stays where it is when it is visible. shown returns the range of rows in view.
func Rows(t *testing.T, g Table, f *view.Frame, n int, shown func() (first, end int), row view.Selection) {
	t.Helper()
	seen := map[int]bool{}
	for range n {
		first, end := shown()
		for i := first; i < end; i++ {
			seen[i] = true
		}
		for _, a := range g.Input(f, view.Input{Kind: view.Wheel, DY: -1}) {
			f.Camera = *a.Camera
		}
	}
	if len(seen) != n {
		t.Errorf("%d of %d rows were in view", len(seen), n)
	}
	c, ok := g.Reveal(f, row)
	if f.Camera = c; !ok || len(g.Locate(f, row)) != 1 {
		t.Error("the row is not revealed")
	}
	if _, ok := g.Reveal(f, row); ok {
		t.Error("a visible row is revealed again")
	}
}

// Changes returns a run of n changes of state on pes PEs, for benchmarks.
func Changes(n, pes int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: pes})
	s := m.Stream(tracer.StreamInfo{})
	for i := range n {
		kind := [4]tracer.Kind{tracer.Busy, tracer.Overhead, tracer.Busy, tracer.Idle}[(i/pes+i%3)%4]
		*s.Slot() = tracer.Event{Kind: kind, PE: int32(i % pes), Peer: -1, Time: int64(i) * 10}
	}
	_ = m.Close() // of a trace in memory
	return m
}

// BenchFrame measures a frame of a window: parts of a picture, such as Base and Overlay, are drawn into a list and painted in pixels.
func BenchFrame(b *testing.B, name string, f *view.Frame, parts ...func(*view.Frame, *scene.List)) {
	b.Run(name, func(b *testing.B) {
		width, height := float32(f.Area.X1)+100, float32(f.Area.Y1)+100
		l := scene.New(width, height)
		painter := raster.New(Glyphs)
		for b.Loop() {
			l.Reset(width, height)
			for _, part := range parts {
				part(f, l)
			}
			painter.Picture(l, 1)
		}
		b.ReportMetric(float64(l.Len()), "ops")
	})
}

// Bench measures drawing whole runs of ten million steps or changes of state, and locating selections in them.
func Bench(b *testing.B, k *view.Kind, params ...string) {
	const n = 10_000_000
	base := func(name string, src tracer.Source) {
		g, f := Shown[view.Picture](b, k, src, 1900, 1000, params...)
		b.Run(name, func(b *testing.B) {
			l := scene.New(2000, 1100)
			for b.Loop() {
				l.Reset(2000, 1100)
				view.Draw(g, f, l)
			}
		})
	}
	base("changes", Changes(n, 64))
	for _, pes := range []int{64, 4096} {
		src := viewtest.Many(n, pes, 1000, 1, 1)
		base("whole/"+figures.Count(int64(pes)), src)
		g, f := Shown[view.Picture](b, k, src, 1900, 1000, params...)
		for _, c := range []struct {
			name string
			s    view.Selection
		}{
			{"subtree", view.Subtree("t", 77)},
			{"task", view.Selection{Trace: "t", Tasks: []view.Tasks{{First: n / 2}}}},
			{"code", view.Selection{Trace: "t", Codes: []uint32{1}}},
			{"pe", view.Selection{Trace: "t", PEs: []view.Span{{First: 3, Last: 3}}}},
		} {
			b.Run(c.name+"/"+figures.Count(int64(pes)), func(b *testing.B) {
				for b.Loop() {
					drawtest.Locate(g, f, c.s)
				}
			})
		}
	}
}
