package app

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"whorl/dts"
	"whorl/tracer"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

func splitting(w *dts.Worker, n int) int {
	w.Compute(time.Duration(10+n) * time.Microsecond)
	if n < 2 {
		return twig(w, n)
	}
	a, b := dts.Fork(w, splitting, n-1), dts.Fork(w, twig, n)
	return a.Join(w) + b.Join(w)
}

func twig(w *dts.Worker, n int) int {
	w.Compute(40 * time.Microsecond)
	return n
}

// TestThreadLinks clicks in each view of a run of threads and checks which threads each other view lights: those of the selection, from the
// events of the trace.
func TestThreadLinks(t *testing.T) {
	src := tracer.NewMemory()
	text, err := os.ReadFile("linkthreads_test.go") // in tests built with -trimpath the path in the program does not lead there
	if err != nil {
		t.Fatal(err)
	}
	opts := dts.Options{Sources: []tracer.SourceFile{{Name: "linkthreads_test.go", Text: string(text)}}, Mode: dts.Sim, PEs: 3, Machine: "modern", Policy: "steal", Recorder: src, Program: "splitting"}
	if _, err := dts.Run(t.Context(), opts, func(w *dts.Worker) int { return splitting(w, 6) }); err != nil {
		t.Fatal(err)
	}
	parent, code, runs := map[uint64]uint64{}, map[uint64]uint32{}, map[uint64][]tracer.Event{}
	err = src.Scan(tracer.Kinds(tracer.Fork, tracer.Start, tracer.JoinEnd), func(es []tracer.Event) error {
		for _, e := range es {
			switch e.Kind {
			case tracer.Fork:
				parent[e.Task] = e.Ref
			case tracer.Start:
				code[e.Task] = e.Code
			}
			if e.Kind != tracer.Fork {
				runs[e.Task] = append(runs[e.Task], e)
			}
		}
		return nil
	})
	if err != nil || len(code) != 11 {
		t.Fatalf("the trace has %d threads, %v", len(code), err)
	}
	// holds returns the threads of a selection.
	holds := func(s view.Selection) set {
		out := set{}
		for task := range code {
			in := len(s.Tasks) == 0
			for _, r := range s.Tasks {
				if in = in || task >= r.First && task <= max(r.First, r.Last) && !r.Subtree; r.Subtree {
					for up := task; up != 0 && !in; up = parent[up] {
						in = up == r.First
					}
				}
			}
			in = in && (len(s.Codes) == 0 || slices.Contains(s.Codes, code[task]))
			in = in && slices.ContainsFunc(runs[task], func(e tracer.Event) bool {
				return (s.Time == nil || s.Time.Contains(e.Time)) && (len(s.PEs) == 0 || slices.ContainsFunc(s.PEs, func(p view.Span) bool { return p.Contains(int64(e.PE)) }))
			})
			if in {
				out[fmt.Sprint("thread ", task)] = true
			}
		}
		return out
	}
	all := []string{"kaleidoscope", "threadgraph", "timeline", "source", "measures"}
	for _, from := range all {
		for _, to := range []string{"kaleidoscope", "threadgraph"} {
			if from == to {
				continue
			}
			t.Run(from+" to "+to, func(t *testing.T) {
				d := sideBySide(t, src, 1800, 900, from, to)
				d.settle()
				a, b := d.paneOf(from), d.paneOf(to)
				f := d.app.cameras.Frame(b)
				var seen []view.Selection
				for y := a.Area.Y0 + 5; y < a.Area.Y1; y += 23 {
					for x := a.Area.X0 + 5; x < a.Area.X1; x += 3 {
						s, ok := view.Hit(a.Picture(), d.app.cameras.Frame(a), x, y)
						if !ok || slices.ContainsFunc(seen, s.Equal) || len(seen) > 25 || len(s.Tasks)+len(s.Codes) == 0 && to == "kaleidoscope" {
							continue
						}
						seen = append(seen, s)
						d.in.Now += 1e9
						d.move(x, y)
						d.press(x, y, ui.Main, 0)
						got := set{}
						for _, r := range drawtest.Locate(b.Picture(), f, d.app.model.State.Shared.Selection) {
							hit, _ := view.Hit(b.Picture(), f, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
							for _, task := range hit.Tasks {
								got[fmt.Sprint("thread ", task.First)] = true
							}
						}
						if want := holds(s); got.String() != want.String() {
							t.Errorf("a click at %g,%g selects %+v: %v are lit, want %v", x, y, s, got, want)
						}
					}
				}
				if len(seen) < 2 {
					t.Errorf("clicks in the view %[2]s have selected only %[1]d different things", len(seen), from)
				}
			})
		}
	}
}

// sideBySide shows a trace named t in some views beside each other, without legends.
func sideBySide(t *testing.T, src tracer.Source, width, height float64, views ...string) *driver {
	t.Helper()
	d := drive(t, Options{}, width, height, 1)
	d.app.painter.Legends = false
	d.add("t", src, 0)
	d.app.actions.Edit(func(w *workspace.Workspace) error {
		if err := w.Apply(view.Action{Do: view.OpenTrace, Name: "t"}); err != nil {
			return err
		}
		for i, name := range views {
			if _, err := w.OpenAt(name, "t", i, workspace.ToRight); err != nil {
				return err
			}
			w.Root = w.Root.Even()
		}
		return nil
	})
	return d
}
