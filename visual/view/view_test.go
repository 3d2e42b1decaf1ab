package view

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
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

func TestParse(t *testing.T) {
	b, n, f, s := Param{Name: "b", Default: false}, Param{Name: "n", Default: int64(0)}, Param{Name: "f", Default: 0.5, Max: 1}, Param{Name: "s", Default: ""}
	for _, c := range []struct {
		p    Param
		text string
		want any // nil for an error
	}{
		{b, "true", true},
		{b, "maybe", nil},
		{n, "-7", int64(-7)},
		{n, "1.5", nil},
		{n, "99999999999999999999", nil},
		{f, "0.25", 0.25},
		{f, "2", nil},
		{f, "NaN", nil},
		{f, "+Inf", nil},
		{s, "any thing", "any thing"},
		{Palette, "safe", "safe"},
		{Palette, "", nil},
	} {
		got, err := c.p.Parse(c.text)
		if (err != nil) != (c.want == nil) || err == nil && got != c.want {
			t.Errorf("%s %q: %v, %v, want %v", c.p.Name, c.text, got, err, c.want)
		}
	}
	for _, c := range []struct {
		p    *Param
		want string
	}{{&b, "bool"}, {&n, "int"}, {&f, "number"}, {&s, "text"}, {&Background, "light|dark"}} {
		if c.p.Type() != c.want {
			t.Errorf("%s has type %s, want %s", c.p.Name, c.p.Type(), c.want)
		}
	}
}

func TestNumbersOfNodes(t *testing.T) {
	p := Param{Name: "folded"}
	if got, err := p.Numbers("3, 14,,"); err != nil || !slices.Equal(got, []uint64{3, 14}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, list := range []string{"xx", "1,xx,2", "xx,"} {
		if _, err := p.Numbers(list); err == nil || err.Error() != `folded: "xx" is not the number of a node` {
			t.Errorf("%s: error %v", list, err)
		}
	}
}

func TestParseSaysTheRangeInPlainNumbers(t *testing.T) {
	for _, c := range []struct {
		p    Param
		want string
	}{
		{Param{Name: "root", Default: int64(0), Max: 1 << 62}, `root "-1" is not a whole number from 0 to 4611686018427387904`},
		{Param{Name: "line", Default: int64(1), Min: 1, Max: 1e9}, `line "-1" is not a whole number from 1 to 1000000000`},
		{Param{Name: "far", Default: 4.0, Min: 0.25, Max: 1000}, `far "-1" is not a number from 0.25 to 1000`},
	} {
		if _, err := c.p.Parse("-1"); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	g := glyph.New()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[a-zA-Zµ0-9 ,]{0,60}`).Draw(t, "text")
		width := rapid.Float32Range(0, 300).Draw(t, "width")
		for _, l := range Wrap(g, s, width, 12, scene.Regular) {
			if w := g.Width(l, 12, scene.Regular); w > width+0.01 {
				t.Fatalf("line %q is %g wide, want %g", l, w, width)
			}
		}
		if width > 250 { // wider than any word
			if got, want := strings.Join(Wrap(g, "a b "+s[:min(len(s), 10)], width, 12, scene.Regular), " "), strings.Join(strings.Fields("a b "+s[:min(len(s), 10)]), " "); got != want {
				t.Fatalf("wrapped to %q, want %q", got, want)
			}
		}
	})
}

// TestNoHeadingAlone checks in small pictures that each heading of a long legend has rows below it, and that no note is cut off.
func TestNoHeadingAlone(t *testing.T) {
	var run Block
	for i := range 9 {
		run.Facts = append(run.Facts, Fact{fmt.Sprintf("fact %d", i), "value"})
	}
	run.Title = "Run"
	colours := Block{Title: "Colours", Columns: []string{"count"}}
	for i := range 10 {
		colours.Swatches = append(colours.Swatches, Swatch{[]scene.Color{{A: 255}}, fmt.Sprintf("swatch %d", i), []string{"1"}, nil})
	}
	notes := Block{Title: "Notes", Notes: []string{"a long sentence that needs several lines at the width that there is last1.", "and one more of the kind last2."}}
	k := barKind(Legend{Title: "Title", Subtitle: "Subtitle", Blocks: []Block{colours, run, notes}})
	g := glyph.New()
	headings := 0
	for _, size := range [][2]int{{160, 120}, {200, 150}, {240, 180}, {320, 240}, {180, 240}, {640, 480}} {
		l, err := render(k, trace(twoReductions...), nil, size[0], size[1], g)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string // headings begin with #
		for i := range l.Len() {
			if o := l.Op(i); o.Kind == scene.OpText {
				_, _, s, style := o.Text()
				switch text := string(s); {
				case style.Face == scene.Bold && text != "Title":
					lines = append(lines, "#"+text)
					headings++
				case text != "count":
					lines = append(lines, text)
				}
			}
		}
		all := strings.Join(lines, "\n")
		for i, s := range lines {
			if s[0] == '#' && (i+1 == len(lines) || lines[i+1][0] == '#') {
				t.Errorf("%dx%d: no rows below heading %s in\n%s", size[0], size[1], s, all)
			}
		}
		if strings.Contains(all, "a long") && !strings.Contains(all, "last1.") || strings.Contains(all, "and one") && !strings.Contains(all, "last2.") {
			t.Errorf("%dx%d: a note is cut off in\n%s", size[0], size[1], all)
		}
	}
	if headings < 9 {
		t.Errorf("%d headings were drawn, want at least 9", headings)
	}
}

// TestPagesHaveNoOverlaps draws random legends at random sizes.
func TestPagesHaveNoOverlaps(t *testing.T) {
	g := glyph.New()
	src := trace(twoReductions...)
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-zA-Z0-9/,%µ]{1,12}( [a-z0-9]{1,12}){0,4}`)
		block := rapid.Custom(func(t *rapid.T) Block {
			b := Block{Title: word.Draw(t, "title"), Notes: rapid.SliceOfN(word, 0, 2).Draw(t, "notes")}
			b.Columns = rapid.SliceOfN(word, 0, 3).Draw(t, "columns")
			for range rapid.IntRange(0, 14).Draw(t, "swatches") {
				b.Swatches = append(b.Swatches, Swatch{[]scene.Color{scene.RGB(1, 2, 3)}, word.Draw(t, "label"), rapid.SliceOfN(word, len(b.Columns), len(b.Columns)).Draw(t, "values"), nil})
			}
			for range rapid.IntRange(0, 12).Draw(t, "facts") {
				b.Facts = append(b.Facts, Fact{word.Draw(t, "label"), word.Draw(t, "value")})
			}
			if rapid.Bool().Draw(t, "ramp") {
				b.Ramp = &Ramp{[]scene.Color{scene.RGB(0, 0, 0), scene.RGB(255, 0, 0)}, rapid.SliceOfN(word, 0, 5).Draw(t, "ticks")}
			}
			return b
		})
		k := barKind(Legend{
			word.Draw(t, "title"), word.Draw(t, "subtitle"), rapid.SampledFrom([]string{"", "Stopped by a limit: the trace ends there"}).Draw(t, "warning"),
			rapid.SliceOfN(block, 0, 4).Draw(t, "blocks"),
		})
		w, h := rapid.IntRange(100, 4000).Draw(t, "w"), rapid.IntRange(100, 3000).Draw(t, "h")
		l, err := render(k, src, nil, w, h, g)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := viewtest.Texts(l, g); wrong != nil {
			t.Fatalf("%dx%d:\n%s", w, h, strings.Join(wrong, "\n"))
		}
	})
}

func TestTextsSeesOverlaps(t *testing.T) {
	g := glyph.New()
	style := scene.TextStyle{Size: 12}
	l := scene.New(100, 100)
	l.Text(10, 20, "over", style)
	l.Text(15, 24, "lap", style)
	l.Text(90, 50, "edge", style)
	l.Clip(0, 60, 100, 100)
	l.Text(10, 80, "inside", style)
	l.Pop()
	l.Text(10, 70, "in the drawing", style)
	l.Text(10, 55, "", style)
	wrong := viewtest.Texts(l, g)
	if len(wrong) != 4 { // the text inside the clip is correct
		t.Errorf("%d faults, want 4:\n%s", len(wrong), strings.Join(wrong, "\n"))
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

func TestCamera(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &Frame{Area: scene.Rect{X0: 10, Y0: 20, X1: 410, Y1: 320}, Camera: Camera{
			X: rapid.Float64Range(-100, 100).Draw(t, "cx"), Y: rapid.Float64Range(-100, 100).Draw(t, "cy"), Scale: rapid.Float64Range(0.01, 100).Draw(t, "scale"),
			ScaleY: rapid.SampledFrom([]float64{0, 0.5, 7}).Draw(t, "scale y"),
		}}
		x, y := rapid.Float64Range(0, 500).Draw(t, "x"), rapid.Float64Range(0, 500).Draw(t, "y")
		wx, wy := f.ToWorld(x, y)
		if px, py := f.ToPixel(wx, wy); math.Abs(px-x)+math.Abs(py-y) > 1e-6 {
			t.Fatalf("pixel %v,%v is converted to the world and back to %v,%v", x, y, px, py)
		}
		// The world point at the pointer stays in place while the wheel turns, and follows a drag.
		p := &bars{counts: []int{1, 2, 3}}
		a := Navigate(p, nil, f, Input{Kind: Wheel, X: x, Y: y, DY: rapid.Float64Range(-3, 3).Draw(t, "steps")})
		before := f.Camera
		f.Camera = *a[0].Camera
		if before.ScaleY > 0 && math.Abs(f.Camera.ScaleY/before.ScaleY-f.Camera.Scale/before.Scale) > 1e-9 {
			t.Fatalf("zooming scaled x by %g and y by %g", f.Camera.Scale/before.Scale, f.Camera.ScaleY/before.ScaleY)
		}
		if px, py := f.ToPixel(wx, wy); math.Abs(px-x)+math.Abs(py-y) > 1e-6 {
			t.Fatalf("zooming moved %v,%v to %v,%v", x, y, px, py)
		}
		a = Navigate(p, nil, f, Input{Kind: Drag, DX: 7, DY: -3})
		f.Camera = *a[0].Camera
		if px, py := f.ToPixel(wx, wy); math.Abs(px-x-7)+math.Abs(py-y+3) > 1e-6 {
			t.Fatalf("dragging moved %v,%v to %v,%v", x, y, px, py)
		}
	})
	c := Fit(scene.Rect{X0: -1, Y0: -2, X1: 3, Y1: 2}, scene.Rect{X0: 0, Y0: 0, X1: 420, Y1: 220}, 10)
	if c != (Camera{X: 1, Y: 0, Scale: 50}) {
		t.Errorf("fitted to %+v", c)
	}
	if c := Fit(scene.Rect{X0: 5, Y0: 5, X1: 5, Y1: 5}, scene.Rect{X0: 0, Y0: 0, X1: 420, Y1: 220}, 10); c != (Camera{X: 5, Y: 5, Scale: 1}) {
		t.Errorf("a point is fitted to %+v", c)
	}
}

func TestNavigate(t *testing.T) {
	f := &Frame{Area: scene.Rect{X0: 0, Y0: 0, X1: 300, Y1: 100}, Camera: Camera{X: 1.5, Y: 0, Scale: 100}, State: &State{}}
	k, p := barKind(Legend{}), &bars{counts: []int{1, 2, 3}}
	pe1 := Selection{PEs: []Span{{1, 1}}}
	for _, c := range []struct {
		in   Input
		want []Action
	}{
		{Input{Kind: Click, X: 150, Y: 50}, []Action{{Do: Select, Selection: &pe1}}},
		{Input{Kind: Click, X: -150, Y: 50}, []Action{{Do: Select}}},
		{Input{Kind: Move, X: 150, Y: 50}, []Action{{Do: Hover, Selection: &pe1}}},
		{Input{Kind: Leave}, []Action{{Do: Hover}}},
		{Input{Kind: Press, Key: "p", Pane: 2}, []Action{{Do: SetParam, Pane: 2, Name: "scale", Value: "2"}}},
		{Input{Kind: Press, Key: "x"}, nil},
	} {
		if got := k.Answer(p, f, c.in); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %+v, want %+v", c.in, got, c.want)
		}
	}
	f.State.Personal.Hover = pe1
	if got := k.Answer(p, f, Input{Kind: Move, X: 160, Y: 50}); got != nil {
		t.Errorf("moving within the hovered thing returns %+v, want nil", got)
	}
}

func actions() *rapid.Generator[Action] {
	return rapid.Custom(func(t *rapid.T) Action {
		name := rapid.SampledFrom([]string{"a", "b", "safe", ""})
		dos := []Do{
			OpenTrace, CloseTrace, AddPane, RemovePane, Select, Hover, SetWindow, SetPalette, SetParam, SetCamera, UndoAction, RedoAction, "nonsense",
			SetUntil, SetDetail, EnterSubtree, Back, LeaveTo, Annotate, Unannotate, Nothing,
		}
		a := Action{
			Do:   rapid.SampledFrom(dos).Draw(t, "do"),
			Pane: rapid.IntRange(-1, 2).Draw(t, "pane"), Name: name.Draw(t, "name"), Value: name.Draw(t, "value"),
			Task: rapid.Uint64Range(0, 3).Draw(t, "task"), Index: rapid.IntRange(-1, 2).Draw(t, "index"),
		}
		if rapid.Bool().Draw(t, "until") {
			at := rapid.Int64().Draw(t, "time")
			a.Until = &at
		}
		if rapid.Bool().Draw(t, "with selection") {
			s := Subtree(name.Draw(t, "trace"), rapid.Uint64().Draw(t, "task"))
			a.Selection = &s
		}
		if rapid.Bool().Draw(t, "with lines") {
			a.Lines = &Lines{name.Draw(t, "file"), rapid.Int32Range(-1, 9).Draw(t, "first"), rapid.Int32Range(-1, 9).Draw(t, "last")}
		}
		if rapid.Bool().Draw(t, "with window") {
			a.Window = &Span{rapid.Int64().Draw(t, "from"), rapid.Int64().Draw(t, "to")}
		}
		if rapid.Bool().Draw(t, "with camera") {
			a.Camera = &Camera{X: rapid.Float64().Draw(t, "x"), Scale: rapid.Float64().Draw(t, "scale")}
		}
		return a
	})
}

func text(t *rapid.T, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestApply compares the states after random actions with those after the same actions encoded as JSON and decoded.
func TestApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s, replay State
		some := append([]Action{{Do: OpenTrace, Name: "a"}, {Do: AddPane, Name: "b", Value: "a"}}, rapid.SliceOfN(actions(), 1, 60).Draw(t, "actions")...)
		for _, a := range some {
			before := text(t, s)
			held := s
			err := s.Apply(a)
			after := text(t, s)
			var sent Action
			if err := json.Unmarshal([]byte(text(t, a)), &sent); err != nil {
				t.Fatal(err)
			}
			if err2 := replay.Apply(sent); (err == nil) != (err2 == nil) || text(t, replay) != after {
				t.Fatalf("%+v after encoding: error %v, want %v, or another state", a, err2, err)
			}
			if text(t, held) != before {
				t.Fatalf("%+v modified a state in place", a)
			}
			if err != nil && after != before {
				t.Fatalf("%+v failed (%v) but changed the state", a, err)
			}
		}
	})
}

func TestActionErrors(t *testing.T) {
	var s State
	for _, a := range []Action{{Do: OpenTrace, Name: "a"}, {Do: AddPane, Name: "bars", Value: "a"}} {
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	nan := math.NaN()
	for _, c := range []struct {
		a    Action
		want string
	}{
		{Action{Do: "jump"}, "jump: no such action"},
		{Action{Do: SetCamera, Pane: 1}, "camera: there is no pane 1 of 1"},
		{Action{Do: SetCamera, Camera: &Camera{X: nan}}, "camera: the camera is out of range"},
		{Action{Do: SetPalette, Name: "saef"}, `palette: unknown palette "saef"; did you mean safe?`},
		{Action{Do: SetWindow, Window: &Span{2, 1}}, "window: the time window ends before it begins"},
		{Action{Do: Select, Selection: &Selection{Codes: make([]uint32, maxSelection+1)}}, "select: 10001 entries, expected at most 10000"},
		{Action{Do: AddPane, Name: "bars", Value: "b"}, `pane: view "bars" of trace "b": expected a view and an open trace`},
		{Action{Do: RedoAction}, "redo: no such action"},
		{Action{Do: EnterSubtree}, "enter: select one task to see its subtree: a click selects"},
		{Action{Do: Nothing, Value: "all is well"}, "nothing: all is well"},
		{Action{Do: Back}, "back: the whole tree is shown already"},
		{Action{Do: LeaveTo, Index: 3}, "leave: there is no step 3 of 0 to go back to"},
		{Action{Do: Annotate, Name: "b", Task: 1, Value: "x"}, `annotate: no trace "b" is open`},
		{Action{Do: Annotate, Name: "a", Task: 1}, "annotate: a text of 0 characters, expected 1 to 2000"},
		{Action{Do: Unannotate, Name: "a", Task: 1}, `unannotate: task 1 of trace "a" has no annotation`},
	} {
		if err := s.Apply(c.a); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.a, err, c.want)
		}
	}
}
