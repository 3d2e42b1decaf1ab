package workspace

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/visual/view"
)

// TestRandomWorkspaces splits, moves and closes panes, and undoes everything.
func TestRandomWorkspaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := New(false)
		must.Do(t, h.Do(view.Action{Do: view.OpenTrace, Name: "t"}))
		shape := func() string { return fmt.Sprint(h.IDs, h.Root) }
		shapes := []string{shape()}
		for range rapid.IntRange(1, 30).Draw(t, "edits") {
			var err error
			before := shape()
			at := 0
			if n := len(h.IDs); n > 0 {
				at = h.IDs[rapid.IntRange(0, n-1).Draw(t, "pane")]
			}
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0, 1:
				s := Side(rapid.IntRange(0, 4).Draw(t, "side"))
				err = h.Change(func(w *Workspace) error {
					id, err := w.Open("v", "t")
					if err == nil {
						w.Put(id, at, s)
					}
					return err
				})
			case 2, 3:
				if at == 0 {
					continue
				}
				other := h.IDs[rapid.IntRange(0, len(h.IDs)-1).Draw(t, "other")]
				after, s := rapid.Bool().Draw(t, "after"), Side(rapid.IntRange(0, 4).Draw(t, "side"))
				err = h.Change(func(w *Workspace) error {
					if after {
						w.Insert(at, other, s == AsTab)
					} else {
						w.Move(at, other, s)
					}
					return nil
				})
			default:
				err = h.Do(view.Action{Do: view.RemovePane, Pane: h.Index(at)})
			}
			if err != nil {
				if shape() != before {
					t.Fatalf("%v, but %s became %s", err, before, shape())
				}
				continue
			}
			shapes = append(shapes, shape())
			all := h.Root.All()
			if len(all) != len(h.IDs) || len(h.IDs) != len(h.State.Personal.Panes) {
				t.Fatalf("%d panes, %d ids and %d places", len(h.State.Personal.Panes), len(h.IDs), len(all))
			}
		}
		for n := len(shapes) - 2; n >= 0; n-- {
			if err := h.Do(view.Action{Do: view.UndoAction}); err != nil || shape() != shapes[n] {
				t.Fatalf("undo leads to %s, %v, want %s", shape(), err, shapes[n])
			}
		}
		for n := 1; n < len(shapes); n++ {
			if err := h.Do(view.Action{Do: view.RedoAction}); err != nil || shape() != shapes[n] {
				t.Fatalf("redo leads to %s, %v, want %s", shape(), err, shapes[n])
			}
		}
	})
}

// TestPlaces moves the pane 3 of two leaves to each side of the others, and beside their tabs.
func TestPlaces(t *testing.T) {
	start := Divide(Columns, Leaf(1, 2), Leaf(3, 4))
	for _, c := range []struct {
		name string
		move func(w *Workspace)
		want string
	}{
		{"left", func(w *Workspace) { w.Move(3, 1, ToLeft) }, "(1 0.50 (1 0.50 [3] 3 [1 2] 1) [4] 4)"},
		{"right", func(w *Workspace) { w.Move(3, 1, ToRight) }, "(1 0.50 (1 0.50 [1 2] 1 [3] 3) [4] 4)"},
		{"above", func(w *Workspace) { w.Move(3, 1, Above) }, "(1 0.50 (2 0.50 [3] 3 [1 2] 1) [4] 4)"},
		{"below", func(w *Workspace) { w.Move(3, 1, Below) }, "(1 0.50 (2 0.50 [1 2] 1 [3] 3) [4] 4)"},
		{"tab", func(w *Workspace) { w.Move(3, 1, AsTab) }, "(1 0.50 [1 3 2] 3 [4] 4)"},
		{"before a tab", func(w *Workspace) { w.Insert(3, 1, false) }, "(1 0.50 [3 1 2] 3 [4] 4)"},
		{"after a tab", func(w *Workspace) { w.Insert(3, 2, true) }, "(1 0.50 [1 2 3] 3 [4] 4)"},
		{"in its bar", func(w *Workspace) { w.Insert(3, 4, true) }, "(1 0.50 [1 2] 1 [4 3] 3)"},
		{"beside itself", func(w *Workspace) { w.Insert(3, 3, true); w.Move(3, 3, Below) }, start.String()},
		{"beside no pane", func(w *Workspace) { w.Insert(3, 9, true) }, start.String()},
	} {
		w := Workspace{Root: start}
		if c.move(&w); w.Root.String() != c.want {
			t.Errorf("%s: %s, want %s", c.name, w.Root, c.want)
		}
	}
}

// TestRunsRoundTrip gives every field of a run a value of its own: the file returns the same run.
func TestRunsRoundTrip(t *testing.T) {
	want := experiment.Run{Functions: []string{"not kept: of programs that are built"}}
	fill(reflect.ValueOf(&want).Elem(), new(int64))
	got := must.Get(Read(string(new(File).Write(Workspace{}, []TraceEntry{{Name: "a", Run: &want}}, 1)), 1, 1))(t).Entry("a").Run
	want.Functions = nil
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("the run is read as\n%+v\nwant\n%+v", *got, want)
	}
}

// fill sets all fields of a struct to different values, except for those that are set.
func fill(v reflect.Value, n *int64) {
	for i := range v.NumField() {
		f := v.Field(i)
		*n++
		switch f.Kind() {
		case reflect.Struct:
			fill(f, n)
		case reflect.Func, reflect.Pointer: // how files are read is no setting, and the program of a trace is in the trace
		case reflect.Slice:
			if f.IsNil() {
				f.Set(reflect.ValueOf([]string{fmt.Sprint(*n), "b"}))
			}
		case reflect.String:
			f.SetString(fmt.Sprint("text ", *n))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Uint64:
			f.SetUint(1<<63 + uint64(*n))
		default:
			f.SetInt(*n)
		}
	}
}

// TestTrailRoundTrip: a pane that shows a subtree keeps its way back and the cameras on it.
func TestTrailRoundTrip(t *testing.T) {
	w := Workspace{Next: 1}
	must.Do(t, w.Apply(view.Action{Do: view.OpenTrace, Name: "a"}))
	must.Get(w.OpenAt("v", "a", 0, AsTab))(t)
	for _, do := range []view.Action{
		{Do: view.SetCamera, Camera: &view.Camera{X: 1, Scale: 2}},
		{Do: view.EnterSubtree, Task: 1 << 63},
		{Do: view.EnterSubtree, Task: 7},
		{Do: view.SetCamera, Camera: &view.Camera{Y: 3, Scale: 4}},
	} {
		must.Do(t, w.Apply(do))
	}
	text := string(new(File).Write(w, []TraceEntry{{Name: "a"}}, 2))
	f := must.Get(Read(text, 2, 1))(t)
	if got, want := *f.Pane(1), *w.Pane(1); !reflect.DeepEqual(got, want) || f.Report() != "" {
		t.Errorf("the pane is read as\n%+v\nwant\n%+v\n%s", got, want, f.Report())
	}
	f = must.Get(Read(strings.Replace(text, `root = "0"`, `root = "none"`, 1), 2, 1))(t)
	if !strings.Contains(f.Report(), `invalid root "none"`) || len(f.Pane(1).Trail) != 0 || f.Pane(1).Root() != 7 {
		t.Errorf("with an invalid root the pane is %+v; the report: %s", f.Pane(1), f.Report())
	}
}

// TestTrialIsSaved: the settings of a trial are read as they were written, and one undo takes back those that continue each other.
func TestTrialIsSaved(t *testing.T) {
	h := New(false)
	for _, a := range []view.Action{
		{Do: view.OpenTrace, Name: "a"},
		{Do: view.Try, Name: "a", Settings: map[string]string{"pes": "6"}},
		{Do: view.Try, Name: "a", Settings: map[string]string{"pes": "8", "zero lock 3": "none"}, More: true},
	} {
		if err := h.Do(a); err != nil {
			t.Fatal(err)
		}
	}
	text := new(File).Write(h.Workspace, []TraceEntry{{Name: "a"}}, 1)
	f, err := Read(string(text), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.State.Shared.Trial("a"); len(got) != 2 || got["pes"] != "8" || got["zero lock 3"] != "none" || f.Report() != "" {
		t.Errorf("read %v, %s, of\n%s", got, f.Report(), text)
	}
	if err := h.Do(view.Action{Do: view.UndoAction}); err != nil || h.State.Shared.Trial("a") != nil {
		t.Errorf("after one undo the trial has %v (%v)", h.State.Shared.Trial("a"), err)
	}
	if err := h.Do(view.Action{Do: view.RedoAction}); err != nil || len(h.State.Shared.Trial("a")) != 2 {
		t.Errorf("after redo the trial has %v (%v)", h.State.Shared.Trial("a"), err)
	}
	many := map[string]string{}
	for i := range 65 {
		many[string(rune('0'+i))] = ""
	}
	for _, a := range []view.Action{{Do: view.Try, Name: "b"}, {Do: view.Try, Name: "a", Settings: many}} {
		if err := h.Do(a); err == nil {
			t.Errorf("%s with %d settings is done", a.Name, len(a.Settings))
		}
	}
	if err := h.Do(view.Action{Do: view.CloseTrace, Name: "a"}); err != nil || len(h.State.Shared.Trials) != 0 {
		t.Errorf("a closed trace has the trials %v (%v)", h.State.Shared.Trials, err)
	}
}

// TestJoin adds the panes of another workspace at the right, with traces that are not open yet.
func TestJoin(t *testing.T) {
	one := func(first int, traces ...string) Workspace {
		w := Workspace{Next: first}
		w.State.Shared.Traces = traces
		must.Get(w.OpenAt("timeline", traces[0], 0, ToRight))(t)
		return w
	}
	w := one(1, "a", "b")
	before := w.Root
	w.Join(one(5, "b", "c"))
	if w.Root.String() != "(1 0.50 [1] 1 [5] 5)" || !slices.Equal(w.State.Shared.Traces, []string{"a", "b", "c"}) || w.Pane(5).Trace != "b" || w.Next != 6 {
		t.Errorf("%s with %v, next %d", w.Root, w.State.Shared.Traces, w.Next)
	}
	if w.Root.Alike(before) || !w.Root.Keep(func(p int) bool { return p == 1 }).Alike(before) || before.Alike(nil) {
		t.Error("trees with other panes are alike")
	}
	var empty Workspace
	empty.Join(w)
	if !empty.Root.Alike(w.Root) || len(empty.IDs) != 2 {
		t.Errorf("%s with panes %v", empty.Root, empty.IDs)
	}
}
