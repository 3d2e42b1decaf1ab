package view

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"
)

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
