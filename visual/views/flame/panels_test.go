package flame

import (
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/testdata/viewtest"
)

// timed is a trace of two processes: main calls f, g and f again on PE 0, and f on PE 1.
func timed(t *testing.T) tracer.Source {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "timed", PEs: 2, Substrate: "perf", PEInfo: []tracer.PE{{Process: "one"}, {Process: "two"}}})
	d := m.Dict()
	ticks := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	context := map[string]uint64{}
	for _, name := range []string{"main", "f", "g"} {
		up := uint32(0)
		if name != "main" {
			up = uint32(context["main"])
		}
		context[name] = uint64(d.AddContext(tracer.Context{Parent: up, Code: d.Add(tracer.Code{Type: tracer.Function, Name: name})}))
	}
	s := m.Stream(tracer.StreamInfo{})
	for k, e := range []struct {
		pe   int32
		name string
		n    int64
	}{{0, "f", 2}, {1, "f", 4}, {0, "g", 3}, {0, "f", 1}, {0, "f", 2}, {1, "main", 1}} {
		*s.Slot() = tracer.Event{Kind: tracer.Sample, Time: int64(10 * k), PE: e.pe, Ref: context[e.name], Code: ticks, Value: e.n}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTime checks the order of time, whole, with a function hidden, and below a root, and that the tip of a part tells its amount.
func TestTime(t *testing.T) {
	g, f := shown(t, timed(t), 4000, 600, "order", "time")
	want := "- 8\nmain 8\nf 2, g 3, f 3\n- 5\nmain 5\nf 4"
	if got := text(boxes(g, f), 8); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	b := g.at(t, f, "main › f")
	if tip, _ := g.Tip(f, b.X0+3, b.Y0+3); !slices.Contains(tip.Lines, "2 ticks here, 40 % of the context") || tip.Lines[0] != "PE 0 (one)" {
		t.Errorf("the tip is %q", tip.Lines)
	}
	if n := len(g.Locate(f, g.Select("t", g.panels[0].Layout.Node[2]))); n != 3 {
		t.Errorf("f has %d boxes, want 3", n)
	}
	g, f = shown(t, timed(t), 4000, 600, "order", "time", "hide", "f")
	if got, want := text(boxes(g, f), 8), "- 8\nmain 8\ng 3\n- 5\nmain 5"; got != want {
		t.Errorf("without f:\n%s\nwant\n%s", got, want)
	}
	if b := g.at(t, f, "main › g"); math.Abs(newSheet(f, g).X.Value(b.X0)-2.0/8) > 1e-3 {
		t.Errorf("g begins at %g", newSheet(f, g).X.Value(b.X0))
	}
	g, f = shown(t, timed(t), 4000, 600, "order", "time", "processes", "1")
	if got, want := text(boxes(g, f), 5), "- 5\nmain 5\nf 4"; got != want {
		t.Errorf("process 1:\n%s\nwant\n%s", got, want)
	}
	g, _ = shown(t, viewtest.Called(), 600, 600, "order", "time", "calls", "callers")
	if len(g.notes) != 1 || !strings.Contains(g.notes[0], "order of time") || len(g.panels) != 1 {
		t.Errorf("callers in the order of time: %q", g.notes)
	}
}

// TestApart checks that the legend of graphs of processes is that of all shown processes.
func TestApart(t *testing.T) {
	for _, params := range [][]string{{"apart", "true"}, {"order", "time"}} {
		g, f := shown(t, viewtest.Called(), 600, 600, append(params, "processes", "2-5", "find", "sweep")...)
		one, of := shown(t, viewtest.Called(), 600, 600, "processes", "2-5", "find", "sweep")
		if err := g.Wrong(); err != nil {
			t.Errorf("%v: %v", params, err)
		}
		if got, want := g.Facts(), one.Facts(); !slices.Equal(got, want) {
			t.Errorf("%v: the facts are %v, want %v", params, got, want)
		}
		if got, want := g.Remarks(f, "box"), one.Remarks(of, "box"); !slices.Equal(got, want) {
			t.Errorf("%v: the remarks are %q, want %q", params, got, want)
		}
	}
}

// TestFunction checks what is said of a function that is not there.
func TestFunction(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"kernle", `no function is named "kernle"; did you mean kernel?`},
		{"zzz", `no function is named "zzz"`},
		{"(", `function "(" is not a regular expression: missing closing ) at character 1`},
	} {
		g, _ := shown(t, viewtest.Called(), 600, 600, "calls", "both", "function", c.name)
		if err := g.Wrong(); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	if g, _ := shown(t, viewtest.Called(), 600, 600, "calls", "both"); g.Wrong() != nil || len(g.notes) != 1 {
		t.Errorf("no function: %v, %q", g.Wrong(), g.notes)
	}
}
