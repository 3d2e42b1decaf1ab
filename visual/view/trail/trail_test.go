package trail

import (
	"reflect"
	"strconv"
	"testing"

	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// TestLabels checks which entries a trail has, and what remains of a trail in too little room.
func TestLabels(t *testing.T) {
	for _, c := range []struct {
		name  string
		width float64
		root  uint64
		back  []uint64 // roots of the places before
		want  []string
	}{
		{"whole tree", 600, 0, nil, nil},
		{"opened on a subtree", 600, 7, nil, []string{"whole tree", "goal 7"}},
		{"entered twice", 600, 9, []uint64{0, 7}, []string{"whole tree", "goal 7", "goal 9"}},
		{"without the middle", 210, 9, []uint64{0, 5, 6, 7}, []string{"whole tree", "goal 7", "goal 9"}},
		{"first and last", 160, 9, []uint64{0, 5, 6, 7}, []string{"whole tree", "goal 9"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := frame(c.width, c.back)
			trail := New(f, c.root, goal)
			var labels []string
			for _, e := range trail.entries {
				labels = append(labels, e.label)
			}
			if !reflect.DeepEqual(labels, c.want) {
				t.Errorf("got %q, want %q", labels, c.want)
			}
			for _, b := range trail.Boxes() {
				if b.X0 < 0 || b.X1 > c.width {
					t.Errorf("%+v is not in %g pixels", b, c.width)
				}
			}
			out := scene.New(float32(c.width), 100)
			trail.Draw(out)
			if (out.Len() > 0) != (len(c.want) > 0) {
				t.Errorf("%d operations draw %d entries", out.Len(), len(c.want))
			}
		})
	}
}

// TestElided checks that two entries without enough room are shortened.
func TestElided(t *testing.T) {
	for _, e := range New(frame(90, nil), 123456789, goal).entries {
		if e.index < 0 && (e.label == "goal 123456789" || e.box.X1 > 90) {
			t.Errorf("%q ends at %g of 90 pixels", e.label, e.box.X1)
		}
	}
}

// TestInput checks that clicks on entries lead back and that other input passes.
func TestInput(t *testing.T) {
	trail := New(frame(600, []uint64{0, 7}), 9, goal)
	for _, c := range []struct {
		name    string
		kind    view.InputKind
		entry   int
		want    []view.Action
		handled bool
	}{
		{"whole tree", view.Click, 0, []view.Action{{Do: view.LeaveTo, Pane: 3}}, true},
		{"second", view.Click, 1, []view.Action{{Do: view.LeaveTo, Pane: 3, Index: 1}}, true},
		{"second of two clicks", view.DoubleClick, 1, nil, true},
		{"current tree", view.Click, 2, nil, false},
		{"no click", view.Move, 1, nil, false},
	} {
		b := trail.Boxes()[c.entry]
		got, handled := trail.Input(view.Input{Kind: c.kind, X: (b.X0 + b.X1) / 2, Y: (b.Y0 + b.Y1) / 2, Pane: 3})
		if !reflect.DeepEqual(got, c.want) || handled != c.handled {
			t.Errorf("%s: got %+v, %v; want %+v, %v", c.name, got, handled, c.want, c.handled)
		}
	}
	if i := trail.EntryAt(300, 90); i >= 0 {
		t.Errorf("entry %d is below the trail", i)
	}
}

func goal(root uint64) string { return "goal " + strconv.FormatUint(root, 10) }

// frame returns a frame of a pane that has shown some subtrees before.
func frame(width float64, roots []uint64) *view.Frame {
	f := &view.Frame{Area: scene.Rect{X1: width, Y1: 100}, Style: view.NewStyle(false, 12), Text: glyph.New()}
	for _, r := range roots {
		f.Trail = append(f.Trail, view.Place{Root: r})
	}
	return f
}
