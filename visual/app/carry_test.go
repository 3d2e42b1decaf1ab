package app

import (
	"slices"
	"testing"

	"whorl/visual/app/panes"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// tabOf returns the middle of the tab of a pane and the place of its leaf.
func (d *driver) tabOf(p *panes.Pane) (x, y float64, leaf scene.Rect) {
	d.Helper()
	for i := range d.app.tiles.Spots {
		s := &d.app.tiles.Spots[i]
		if k := slices.Index(s.Node.Panes, p.ID); k >= 0 {
			e := s.Tabs.Edges
			return float64(e[k]+e[k+1]) / 2 / d.in.Scale, (s.Bar.Y0 + s.Bar.Y1) / 2, s.Rect
		}
	}
	d.Fatalf("pane %d has no tab", p.ID)
	return
}

// TestDragTabs drags the tab of the source to the sides and the middle of the kaleidoscope, and into its bar. A preview shows where it goes, Escape
// cancels, and one undo takes it back.
func TestDragTabs(t *testing.T) {
	for _, scale := range []float64{1, 1.5} {
		d := drive(t, Options{}, 1600, 900, scale)
		d.app.Open("pascal", run(t, "pascal", 4, ""))
		d.settle()
		carried, onto := d.paneOf("source"), d.paneOf("kaleidoscope")
		start := d.app.model.Root.String()
		x, y, _ := d.tabOf(carried)
		tx, ty, leaf := d.tabOf(onto)
		mx, my := (leaf.X0+leaf.X1)/2, (leaf.Y0+leaf.Y1)/2
		for _, c := range []struct {
			name  string
			x, y  float64
			side  workspace.Side
			place int // the index among the tabs, -1 for a leaf of its own
			half  scene.Rect
		}{
			{"left", leaf.X0 + 30, my, workspace.ToLeft, -1, scene.Rect{X0: leaf.X0, Y0: leaf.Y0, X1: mx, Y1: leaf.Y1}},
			{"right", leaf.X1 - 30, my, workspace.ToRight, -1, scene.Rect{X0: mx, Y0: leaf.Y0, X1: leaf.X1, Y1: leaf.Y1}},
			{"top", mx, leaf.Y0 + 50, workspace.Above, -1, scene.Rect{X0: leaf.X0, Y0: leaf.Y0, X1: leaf.X1, Y1: my}},
			{"bottom", mx, leaf.Y1 - 30, workspace.Below, -1, scene.Rect{X0: leaf.X0, Y0: my, X1: leaf.X1, Y1: leaf.Y1}},
			{"middle", mx, my, workspace.AsTab, 1, scene.Rect{X0: leaf.X0, Y0: ty + 16, X1: leaf.X1, Y1: leaf.Y1}},
			{"before its tab", leaf.X0 + 5, ty, workspace.AsTab, 0, scene.Rect{X0: leaf.X0 - 2, Y0: ty - 16, X1: leaf.X0 + 2, Y1: ty + 16}},
			{"after its tab", tx + 200, ty, workspace.AsTab, 1, scene.Rect{X0: 2*tx - leaf.X0 - 2, Y0: ty - 16, X1: 2*tx - leaf.X0 + 2, Y1: ty + 16}},
		} {
			d.move(x, y)
			d.step(Event{Kind: ui.Down, X: x, Y: y})
			d.move(c.x+20, c.y)
			d.move(c.x, c.y)
			if r := previewed(d); len(r) != 1 || !within(r[0], c.half, 3) {
				t.Errorf("%s: the preview is %v, want %v", c.name, r, c.half)
			}
			if c.name == "right" {
				d.shot("drag")
			}
			d.key("Escape", 0)
			if previewed(d) != nil {
				t.Errorf("%s: Escape leaves the preview", c.name)
			}
			d.step(Event{Kind: ui.Up, X: c.x, Y: c.y})
			if d.settle(); d.app.model.Root.String() != start {
				t.Errorf("%s: after Escape the panes are %s, want %s", c.name, d.app.model.Root, start)
			}
			d.drag(x, y, c.x, c.y)
			own, other := d.app.model.Root.LeafOf(carried.ID), d.app.model.Root.LeafOf(onto.ID)
			if c.place >= 0 {
				if own != other || slices.Index(own.Panes, carried.ID) != c.place || own.Shown != carried.ID {
					t.Errorf("%s: the tabs are %v, want pane %d at %d", c.name, own, carried.ID, c.place)
				}
			} else if _, _, got := d.tabOf(carried); !within(got, c.half, 3) {
				t.Errorf("%s: the pane is at %v, want %v", c.name, got, c.half)
			}
			if d.app.model.Focus != carried.ID {
				t.Errorf("%s: the focus is on pane %d, want %d", c.name, d.app.model.Focus, carried.ID)
			}
			d.key("z", ui.Control)
			if d.app.model.Root.String() != start {
				t.Fatalf("%s: after one undo the panes are %s, want %s", c.name, d.app.model.Root, start)
			}
		}
	}
}

// previewed returns the places that the window shows for a carried tab, in points.
func previewed(d *driver) (all []scene.Rect) {
	for i := range d.app.popups.Len() {
		o := d.app.popups.Op(i)
		if o.Kind == scene.OpRect && o.Color == ui.NewTheme(false).Accent.Alpha(70) {
			x0, y0, x1, y1 := o.Rect()
			all = append(all, scene.Rect{X0: float64(x0) / d.in.Scale, Y0: float64(y0) / d.in.Scale, X1: float64(x1) / d.in.Scale, Y1: float64(y1) / d.in.Scale})
		}
	}
	return all
}

// within reports whether the sides of two rectangles differ by less than a limit.
func within(r, q scene.Rect, limit float64) bool {
	near := func(a, b float64) bool { return a-b < limit && b-a < limit }
	return near(r.X0, q.X0) && near(r.Y0, q.Y0) && near(r.X1, q.X1) && near(r.Y1, q.Y1)
}

// TestMaximise gives the window to a pane by a double click on its tab and takes it back by the key; other panes keep their places.
func TestMaximise(t *testing.T) {
	d := opened(t, "pascal", 1600, 900)
	p, root := d.paneOf("kaleidoscope"), d.app.model.Root
	x, y, small := d.tabOf(p)
	d.doubleClick(x, y)
	if len(d.app.tiles.Spots) != 1 || d.app.tiles.Spots[0].Rect.W() != 1600 || d.app.model.Root != root {
		t.Fatalf("after a double click the window shows %d leaves", len(d.app.tiles.Spots))
	}
	d.shot("maximised")
	d.key("]", 0)
	if q := d.app.model.Panes[d.app.model.Focus]; q == p || len(d.app.tiles.Spots) != 1 || d.app.tiles.Spots[0].Node.Shown != q.ID {
		t.Errorf("the next pane is not maximised")
	}
	d.key("[", 0)
	d.key("F", 0)
	if _, _, r := d.tabOf(p); r != small {
		t.Errorf("after the key the pane is at %v, want %v", r, small)
	}
	d.key("F", 0)
	d.key("|", 0)
	if len(d.app.tiles.Spots) != len(root.Leaves())+1 {
		t.Errorf("a maximised pane that is divided leaves %d places, want %d", len(d.app.tiles.Spots), len(root.Leaves())+1)
	}
	if d.key("z", ui.Control); d.app.model.CanUndo() != true || d.app.model.Root.String() != root.String() {
		t.Errorf("undo leads to %s, want %s", d.app.model.Root, root)
	}
}

// TestUndoOfOpening: after a trace was opened and a pane maximised, the first undo shows all panes, and the second says that it has closed the trace.
func TestUndoOfOpening(t *testing.T) {
	d := opened(t, "fghc/pascal", 1200, 800)
	d.key("F", 0)
	if d.key("z", ui.Control); d.app.model.Full != 0 || d.app.model.Root == nil {
		t.Fatalf("the first undo leads to %s with %d maximised", d.app.model.Root, d.app.model.Full)
	}
	for range 50 {
		if d.key("z", ui.Control); d.app.model.Root == nil {
			break
		}
	}
	if !d.shows("Undo has closed ") || !d.shows("redo (Ctrl+Y) opens it again") {
		t.Errorf("an undo that closes a trace says\n%s", d.texts())
	}
	if d.key("y", ui.Control); d.app.model.Root == nil || d.shows("Undo has closed ") {
		t.Errorf("after the redo the window has the panes %s:\n%s", d.app.model.Root, d.texts())
	}
}

// TestDuplicate shows a pane a second time, as a tab with the same settings.
func TestDuplicate(t *testing.T) {
	d := opened(t, "pascal", 1600, 900)
	p := d.paneOf("kaleidoscope")
	d.app.actions.SetFocus(p.ID)
	d.app.actions.Apply(view.Action{Do: view.SetParam, Pane: d.app.model.Index(p.ID), Name: "color", Value: "time"})
	d.key("U", 0)
	leaf := d.app.model.Root.LeafOf(p.ID)
	copied := d.app.model.Pane(leaf.Shown)
	if leaf.Shown == p.ID || d.app.model.Focus != leaf.Shown || copied.View != "kaleidoscope" || copied.Params["color"] != "time" {
		t.Errorf("in front is pane %d of %v with %+v", leaf.Shown, leaf, copied)
	}
}

// TestMovePanesByKeys moves a tab out of its bar to all sides and back into other bars.
func TestMovePanesByKeys(t *testing.T) {
	d := opened(t, "pascal", 1600, 900)
	p := d.paneOf("kaleidoscope")
	d.app.actions.SetFocus(p.ID)
	d.key("U", 0)
	id := d.app.model.Focus
	start := d.app.model.Root.String()
	for _, c := range []struct {
		key        string
		split      workspace.Split
		first      bool // the moved pane is the first part
		back, away string
	}{
		{"ArrowLeft", workspace.Columns, true, "ArrowRight", "ArrowLeft"},
		{"ArrowRight", workspace.Columns, false, "ArrowLeft", ""},
		{"ArrowUp", workspace.Rows, true, "ArrowDown", "ArrowUp"},
		{"ArrowDown", workspace.Rows, false, "ArrowUp", ""},
	} {
		d.key(c.key, ui.Control|ui.Shift)
		parent := parentOf(d.app.model.Root, id)
		if parent == nil || parent.Split != c.split || (parent.A.Shown == id) != c.first {
			t.Fatalf("%s: the panes are %s", c.key, d.app.model.Root)
		}
		if c.away != "" {
			moved := d.app.model.Root.String()
			if d.key(c.away, ui.Control|ui.Shift); d.app.model.Root.String() != moved || !d.shows("There is no room") {
				t.Errorf("%s again: the panes are %s, want %s and a message", c.key, d.app.model.Root, moved)
			}
		}
		d.key(c.back, ui.Control|ui.Shift)
		if leaf := d.app.model.Root.LeafOf(id); !slices.Contains(leaf.Panes, p.ID) || leaf.Shown != id {
			t.Errorf("%s then %s: the panes are %s", c.key, c.back, d.app.model.Root)
		}
		d.key("z", ui.Control)
		d.key("z", ui.Control)
		if d.app.model.Root.String() != start {
			t.Fatalf("%s: undone to %s, want %s", c.key, d.app.model.Root, start)
		}
	}
}

// parentOf returns the split that has a pane alone as one of its parts, nil for none.
func parentOf(n *workspace.Node, id int) *workspace.Node {
	if n == nil || n.Split == workspace.Tabs {
		return nil
	}
	for _, part := range []*workspace.Node{n.A, n.B} {
		if part.Split == workspace.Tabs && slices.Equal(part.Panes, []int{id}) {
			return n
		}
		if found := parentOf(part, id); found != nil {
			return found
		}
	}
	return nil
}
