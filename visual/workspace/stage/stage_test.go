package stage

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// board is a Board in memory.
type board map[string]string

func (b board) Keys(prefix string) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(b)) {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	return keys
}

func (b board) Get(key string, value any) bool {
	text, ok := b[key]
	return ok && json.Unmarshal([]byte(text), value) == nil
}

// room returns a workspace with two panes, settings and a note.
func room(t *testing.T) *workspace.Workspace {
	w := &workspace.Workspace{Next: 1}
	for _, a := range []view.Action{
		{Do: view.OpenTrace, Name: "a/b"},
		{Do: view.SetPalette, Name: "safe"},
		{Do: view.SetWindow, Window: &view.Span{First: 1, Last: 9}},
		{Do: view.SetFilter, Name: "a/b", Value: "pe = 1"},
		{Do: view.Annotate, Name: "a/b", Task: 7, Value: "here"},
	} {
		must.Do(t, w.Apply(a))
	}
	first := must.Get(w.OpenAt("timeline", "a/b", 0, workspace.ToRight))(t)
	must.Get(w.OpenAt("kaleidoscope", "a/b", first, workspace.Below))(t)
	must.Do(t, w.Apply(view.Action{Do: view.SetCamera, Pane: 0, Camera: &view.Camera{X: 1, Y: 2, Scale: 3}}))
	return w
}

// TestRoundTrip: a workspace that shows the registers of another one has the same registers, and its cameras if the session has begun with it.
func TestRoundTrip(t *testing.T) {
	w := room(t)
	for _, c := range []struct {
		registers map[string]string
		scale     float64 // of the camera in a window with 2 pixels per point
	}{{Registers(w), 0}, {Opening(w), 6}} {
		got := &workspace.Workspace{Next: 1}
		must.Do(t, got.Apply(view.Action{Do: view.OpenTrace, Name: "a/b"}))
		Show(board(c.registers), got, 2)
		Notes(board(c.registers), got)
		if a, b := Registers(got), Registers(w); !maps.Equal(a, b) {
			t.Errorf("shown are\n%v\nwant\n%v", a, b)
		}
		if got.Root.String() != w.Root.String() || got.State.Personal.Panes[0].Camera.Scale != c.scale {
			t.Errorf("the layout is %v, want %v; the camera %+v", got.Root, w.Root, got.State.Personal.Panes[0].Camera)
		}
	}
}

// TestStrange: registers that make no sense have no effect.
func TestStrange(t *testing.T) {
	w := room(t)
	strange := board(Registers(w))
	for key, value := range map[string]string{
		"stage/pane/x": "{}", "stage/pane/-1": `{"view":"timeline"}`, "stage/pane/9": "[", "stage/filter/%zz": `"x"`, "stage/speed": "1e9", "stage/palette": "3", "note/a/b/c": `"x"`,
		"note/a/x": `"x"`,
	} {
		strange[key] = value
	}
	before := Registers(w)
	Show(strange, w, 1)
	Notes(strange, w)
	before = maps.Clone(before)
	delete(before, "stage/palette")
	if got := Registers(w); !maps.Equal(got, before) {
		t.Errorf("shown are\n%v\nwant\n%v", got, before)
	}
	if name, ok := RunOf(RunKey("a/b c")); name != "a/b c" || !ok {
		t.Errorf("the run of its key is %q, %v", name, ok)
	}
	if _, ok := RunOf("stage/run/a/b"); ok {
		t.Error("a key with another part is one of a run")
	}
}
