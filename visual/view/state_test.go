package view

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/BurntSushi/toml"

	"whorl/visual/scene"
)

// started returns a state with a pane of one trace after some actions.
func started(t *testing.T, actions ...Action) *State {
	t.Helper()
	s := &State{}
	for _, a := range append([]Action{{Do: OpenTrace, Name: "a"}, {Do: OpenTrace, Name: "b"}, {Do: AddPane, Name: "bars", Value: "a"}}, actions...) {
		do(t, s, a)
	}
	return s
}

func do(t *testing.T, s *State, a Action) {
	t.Helper()
	if err := s.Apply(a); err != nil {
		t.Fatalf("%+v: %v", a, err)
	}
}

func TestTrailLeadsBackToTheSavedView(t *testing.T) {
	first, second, third := Camera{X: 1, Y: 2, Scale: 3}, Camera{X: 4, Y: 5, Scale: 6}, Camera{X: 7, Y: 8, Scale: 9}
	sel := Subtree("a", 30)
	s := started(t,
		Action{Do: SetCamera, Camera: &first}, Action{Do: EnterSubtree, Task: 10},
		Action{Do: SetCamera, Camera: &second}, Action{Do: EnterSubtree, Task: 20},
		Action{Do: SetCamera, Camera: &third}, Action{Do: Select, Selection: &sel}, Action{Do: EnterSubtree})
	pane := func() Pane { return s.Personal.Panes[0] }
	check := func(when string, root uint64, c Camera, steps int) {
		t.Helper()
		if p := pane(); p.Root() != root || p.Camera != c || len(p.Trail) != steps {
			t.Fatalf("%s: root %d, camera %+v, trail %+v; want root %d, camera %+v and %d steps", when, p.Root(), p.Camera, p.Trail, root, c, steps)
		}
	}
	check("entered the selected subtree", 30, Camera{}, 3)
	do(t, s, Action{Do: Back})
	check("back", 20, third, 2)
	do(t, s, Action{Do: LeaveTo})
	check("left to the first", 0, first, 0)
	do(t, s, Action{Do: EnterSubtree, Task: 10})
	do(t, s, Action{Do: SetCamera, Camera: &second})
	do(t, s, Action{Do: EnterSubtree, Task: 20})
	do(t, s, Action{Do: EnterSubtree, Task: 30})
	do(t, s, Action{Do: LeaveTo, Index: 1})
	check("left to the second", 10, second, 1)

	// A pane opened on a subtree has no trail, but Back shows the whole tree.
	s = started(t, Action{Do: SetParam, Name: Root, Value: "7"}, Action{Do: Back})
	if p := s.Personal.Panes[0]; p.Root() != 0 || len(p.Trail) != 0 {
		t.Errorf("%+v", p)
	}
}

func TestAnnotationsAreKeptAndSaved(t *testing.T) {
	s := started(t,
		Action{Do: Annotate, Name: "b", Task: 9, Value: "later"}, Action{Do: Annotate, Name: "a", Task: 12, Value: "the \"first\" merge\nwaits"},
		Action{Do: Annotate, Name: "a", Task: 3, Value: "x"}, Action{Do: Annotate, Name: "a", Task: 3, Value: "größer"}, Action{Do: EnterSubtree, Task: 5})
	want := []Annotation{{"a", 3, "größer"}, {"a", 12, "the \"first\" merge\nwaits"}, {"b", 9, "later"}}
	if !reflect.DeepEqual(s.Shared.Annotations, want) {
		t.Fatalf("%+v", s.Shared.Annotations)
	}
	var again State
	data, err := json.Marshal(s)
	if err != nil || json.Unmarshal(data, &again) != nil || !reflect.DeepEqual(again, *s) {
		t.Errorf("%v: as JSON %s", err, data)
	}
	var b bytes.Buffer
	var third State
	if err := toml.NewEncoder(&b).Encode(s); err != nil {
		t.Fatal(err)
	}
	if _, err := toml.Decode(b.String(), &third); err != nil || !reflect.DeepEqual(third.Shared.Annotations, want) || !reflect.DeepEqual(third.Personal.Panes[0].Trail, []Place{{}}) {
		t.Errorf("%v: as TOML %s\n%+v", err, b.String(), third)
	}
	do(t, s, Action{Do: Unannotate, Name: "a", Task: 3})
	do(t, s, Action{Do: CloseTrace, Name: "b"})
	if got := s.Shared.Annotations; len(got) != 1 || got[0].Task != 12 {
		t.Errorf("left: %+v", got)
	}
}

func TestSelectionWith(t *testing.T) {
	one, two := Subtree("a", 1), Subtree("a", 2)
	if got := one.With(two).With(one); len(got.Tasks) != 2 || len(one.Tasks) != 1 {
		t.Errorf("%+v", got)
	}
	codes := Selection{Trace: "a", Codes: []uint32{4}}
	for _, c := range []struct{ s, t, want Selection }{
		{one, Selection{}, one},
		{Selection{}, one, one},
		{one, Subtree("b", 2), Subtree("b", 2)},
		{one, codes, codes},
		{codes, Selection{Trace: "a", Codes: []uint32{5, 4}}, Selection{Trace: "a", Codes: []uint32{4, 5}}},
	} {
		if got := c.s.With(c.t); !got.Equal(c.want) {
			t.Errorf("%+v with %+v is %+v", c.s, c.t, got)
		}
	}
}

// TestSelectionWithout: entries are taken from the lists in which two selections differ.
func TestSelectionWithout(t *testing.T) {
	pes, file := []Span{{3, 7}}, "p.hpf"
	for _, c := range []struct{ s, t, want Selection }{
		{Selection{PEs: pes}, Selection{PEs: []Span{{5, 5}}}, Selection{PEs: []Span{{3, 4}, {6, 7}}}},
		{Selection{PEs: pes}, Selection{PEs: []Span{{1, 9}}}, Selection{}},
		{Selection{PEs: pes}, Selection{PEs: pes}, Selection{}},
		{Selection{PEs: pes}, Selection{}, Selection{PEs: pes}},
		{Selection{PEs: pes}, Selection{Codes: []uint32{4}}, Selection{PEs: pes}},
		{Selection{PEs: pes, Codes: []uint32{4}}, Selection{PEs: []Span{{3, 3}}, Codes: []uint32{4}}, Selection{PEs: []Span{{4, 7}}, Codes: []uint32{4}}},
		{Selection{Codes: []uint32{4, 5}}, Selection{Codes: []uint32{4}}, Selection{Codes: []uint32{5}}},
		{Selection{Tasks: []Tasks{{First: 3, Last: 9}, {First: 20}}}, Selection{Tasks: []Tasks{{First: 4}}}, Selection{Tasks: []Tasks{{First: 3}, {First: 5, Last: 9}, {First: 20}}}},
		{Selection{Tasks: []Tasks{{First: 3, Subtree: true}, {First: 8}}}, Selection{Tasks: []Tasks{{First: 3}}}, Selection{Tasks: []Tasks{{First: 3, Subtree: true}, {First: 8}}}},
		{Selection{Tasks: []Tasks{{First: 3, Subtree: true}, {First: 8}}}, Subtree("", 3), Selection{Tasks: []Tasks{{First: 8}}}},
		{Selection{Lines: []Lines{{File: file, First: 3, Last: 9}}}, Selection{Lines: []Lines{{File: "src/" + file, First: 9}}}, Selection{Lines: []Lines{{File: file, First: 3, Last: 8}}}},
		{Selection{Lines: []Lines{{File: file, First: 3, Last: 4}}}, Selection{Lines: []Lines{{File: "q.hpf", First: 4}}}, Selection{Lines: []Lines{{File: file, First: 3, Last: 4}}}},
		{Selection{Contexts: []uint64{1, 2}, Codes: []uint32{4, 5}}, Selection{Contexts: []uint64{1}, Codes: []uint32{4}}, Selection{Contexts: []uint64{2}, Codes: []uint32{5}}},
		{Selection{Contexts: []uint64{1, 2}, Codes: []uint32{4}}, Selection{Contexts: []uint64{1}, Codes: []uint32{4}}, Selection{Contexts: []uint64{2}, Codes: []uint32{4}}},
		{Selection{PEs: pes}, Selection{Trace: "b", PEs: pes}, Selection{PEs: pes}},
	} {
		if got := c.s.Without(c.t); !got.Equal(c.want) {
			t.Errorf("%+v without %+v is %+v, want %+v", c.s, c.t, got, c.want)
		}
	}
	written := Selection{Expr: "pe in 3..7", PEs: pes}
	if a, b := written.Without(Selection{PEs: []Span{{9, 9}}}), written.Without(Selection{PEs: []Span{{3, 3}}}); a.Expr == "" || b.Expr != "" {
		t.Errorf("the expressions are %q and %q", a.Expr, b.Expr)
	}
}

// TestHoverKeepsTheBase checks which actions change the frame's key, so that the base must be drawn again.
func TestHoverKeepsTheBase(t *testing.T) {
	s := started(t)
	f := &Frame{Area: scene.Rect{X0: 0, Y0: 0, X1: 300, Y1: 100}, Camera: Camera{X: 1.5, Y: 0, Scale: 100}, Style: NewStyle(false, 12)}
	sel, until := Subtree("a", 3), int64(5)
	for _, c := range []struct {
		a    Action
		base bool // whether the base changes
	}{
		{Action{Do: Hover, Selection: &sel}, false},
		{Action{Do: Select, Selection: &sel}, false},
		{Action{Do: Annotate, Name: "a", Task: 1, Value: "x"}, false},
		{Action{Do: SetUntil, Until: &until}, true},
		{Action{Do: SetDetail, Lines: &Lines{File: "a", First: 3, Last: 9}}, true},
		{Action{Do: SetCamera, Camera: &Camera{X: 1, Y: 0, Scale: 50}}, true},
	} {
		key := f.Key(1)
		do(t, s, c.a)
		f.Until, f.Detail = s.Shared.Until, s.Shared.Detail
		if camera := s.Personal.Panes[0].Camera; camera != (Camera{}) {
			f.Camera = camera
		}
		if (f.Key(1) != key) != c.base {
			t.Errorf("%s: base changed: %v", c.a.Do, f.Key(1) != key)
		}
	}
	if f.Key(1) == f.Key(2) {
		t.Error("frames of two revisions have the same key")
	}
}
