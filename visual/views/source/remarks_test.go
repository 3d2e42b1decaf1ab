package source

import (
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/view"
)

const rewritten = `package main

//dts:serial g stays sequential: it writes to the variable n
func g() int { return 1 }

func f(w *dts.Worker) int {
	//dts:parallel f(1) is forked, and joined before "return a"
	//dts:serial f(2) stays a call: <its result is needed at once>
	a := f(1) + f(2)
	//dts:parallel f(3) runs in the rounds of a dts.For
	dts.For(w, 0, 9, 0, f)
	return a
}
`

// remarkedTrace returns the trace of a program that whorl dts has written, or of another one with the same comments.
func remarkedTrace(text string) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "p", Substrate: "dts", PEs: 1, Source: []tracer.SourceFile{{Name: "p/main.go", Text: text}}})
	code := m.Dict().Add(tracer.Code{Type: tracer.Function, Name: "main.f", File: "main.go", Line: 6})
	s := m.Stream(tracer.StreamInfo{})
	*s.Slot() = tracer.Event{Kind: tracer.Fork, Task: 2, Ref: 1, Code: code, Peer: tracer.None}
	*s.Slot() = tracer.Event{Kind: tracer.Start, Task: 2, Code: code, Peer: tracer.None, Time: 5}
	*s.Slot() = tracer.Event{Kind: tracer.End, Task: 2, Code: code, Peer: tracer.None, Time: 9}
	s.Sync()
	return m
}

// The report of whorl dts marks the lines behind its comments, and only those. The tip of a line has its reasons, and the
// legend counts both kinds. Without the comments there are no marks.
func TestRemarks(t *testing.T) {
	g, f := shown(t, remarkedTrace(rewritten), 700, 400)
	shapes := func(g *Geometry, f *view.Frame) (marks []string) {
		var list scene.List
		g.Base(f, &list)
		l := g.layout(f)
		for i := range list.Len() {
			if op := list.Op(i); op.Kind == scene.OpMarks {
				shape, _, points := op.Marks()
				row := g.row(l, float64(points[1]))
				marks = append(marks, shape.String()+" "+strings.TrimSpace(g.rows[row].text))
			}
		}
		return marks
	}
	want := []string{"diamond func g() int { return 1 }", "square a := f(1) + f(2)", "diamond a := f(1) + f(2)", "square dts.For(w, 0, 9, 0, f)"}
	if got := shapes(g, f); !slices.Equal(got, want) {
		t.Fatalf("marks %q, want %q", got, want)
	}
	l := g.layout(f)
	for row := range g.rows {
		tip, _ := g.Tip(f, l.text+3, l.y(int32(row))+3)
		text := strings.Join(tip.Lines, " ")
		if sum := strings.HasPrefix(strings.TrimSpace(g.rows[row].text), "a :="); sum !=
			strings.Contains(text, `Parallel: f(1) is forked, and joined before "return a" Sequential: f(2) stays a call: <its result is needed at once>`) {
			t.Errorf("tip of %q: %q", g.rows[row].text, text)
		}
	}
	var legend []string
	for _, b := range g.Legend(f).Blocks {
		for _, w := range b.Swatches {
			legend = append(legend, strings.Join(append([]string{b.Title, w.Label}, w.Values...), " "))
		}
	}
	if want := []string{"Report of whorl dts parallel 2", "Report of whorl dts left sequential 2"}; len(legend) < 2 || !slices.Equal(legend[len(legend)-2:], want) {
		t.Errorf("legend %q", legend)
	}
	g, f = shown(t, remarkedTrace(strings.ReplaceAll(rewritten, "//dts:", "// dts:")), 700, 400)
	if got := shapes(g, f); got != nil {
		t.Errorf("marks without a report: %q", got)
	}
	if _, ok := g.remarkBlock(f.Style); ok {
		t.Error("a legend without a report")
	}
}
