package app

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/tiles"
	"whorl/visual/scene"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// nodeAt returns the place of a task in the kaleidoscope in points.
func (d *driver) nodeAt(p *panes.Pane, task uint64) (x, y float64) {
	d.Helper()
	at := d.locate(p, view.Selection{Trace: p.Trace, Tasks: []view.Tasks{{First: task}}})
	if len(at) != 1 {
		d.Fatalf("task %d is at %v, want one place", task, at)
	}
	return d.middle(at[0])
}

// TestThirdClickDoesNothing clicks on after a double click has entered a subtree: the new picture gets no click until after a pause.
func TestThirdClickDoesNothing(t *testing.T) {
	d := opened(t, "pascal", 1600, 900)
	p := d.paneOf("kaleidoscope")
	x, y := d.nodeAt(p, 3)
	d.move(x, y)
	d.press(x, y, ui.Main, 0)
	d.press(x, y, ui.Main, 0)
	for range 3 {
		d.step()
	}
	entered, chosen := d.app.model.Pane(p.ID).Root(), d.app.model.State.Shared.Selection
	if entered == 0 {
		t.Fatal("the double click does not enter the subtree")
	}
	for range 3 {
		d.press(x, y, ui.Main, 0)
	}
	if got := d.app.model.Pane(p.ID).Root(); got != entered || !d.app.model.State.Shared.Selection.Equal(chosen) {
		t.Errorf("clicks after the double click lead to the subtree of %d and select %+v", got, d.app.model.State.Shared.Selection)
	}
	d.settle()
	d.in.Now += 1e9
	there, _ := view.Hit(p.Picture(), d.app.cameras.Frame(p), x, y) // empty where there is nothing
	d.press(x, y, ui.Main, 0)
	if got := d.app.model.State.Shared.Selection; !got.Equal(there) {
		t.Errorf("a click after a pause selects %+v, want %+v", got, there)
	}
}

// TestMenusHideTips: menus and dialogs hide the tip of a node.
func TestMenusHideTips(t *testing.T) {
	d, _ := ran(t, 1400, 900)
	p := d.paneOf("kaleidoscope")
	x, y := d.nodeAt(p, 3)
	tipped := func() bool { return d.shows("reductions below it") }
	d.move(x, y)
	d.settle()
	if !tipped() {
		t.Fatalf("the node has no tip:\n%s", d.texts())
	}
	d.press(x, y, ui.Secondary, 0)
	d.settle()
	if tipped() || !d.shows("Write a note") {
		t.Errorf("the tip is shown below the menu:\n%s", d.texts())
	}
	d.key("Escape", 0)
	d.move(x, y)
	d.settle()
	if !tipped() {
		t.Error("after the menu the tip does not come back")
	}
	d.key("h", 0)
	if tipped() {
		t.Error("the tip is shown below the help")
	}
}

// accents counts the rectangles in the accent colour in a list.
func accents(l *scene.List, dark bool) (n int) {
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpRect && o.Color == ui.NewTheme(dark).Accent {
			n++
		}
	}
	return n
}

// TestFocusIsSeen steps through the panes: the tab of the pane with the keys has a line in the accent colour. After a key the pane also has a
// ring, until the pointer is used.
func TestFocusIsSeen(t *testing.T) {
	d := opened(t, "qsort", 1400, 900)
	ringed := func() (ids []int) {
		for _, p := range d.app.model.Visible() {
			if accents(d.over(p).List, false) == 4 {
				ids = append(ids, p.ID)
			}
		}
		return ids
	}
	line := func() (ids []int) {
		for i := range d.app.chrome.Len() {
			o := d.app.chrome.Op(i)
			if o.Kind != scene.OpRect || o.Color != ui.NewTheme(false).Accent {
				continue
			}
			x0, y0, x1, y1 := o.Rect()
			for _, s := range d.app.tiles.Spots {
				if r := s.Rect; float64(y0) >= r.Y0 && float64(y1) < r.Y0+4 && float64(x0) >= r.X0 && float64(x1) <= r.X1 {
					ids = append(ids, s.Node.Shown)
				}
			}
		}
		return ids
	}
	if len(ringed()) > 0 {
		t.Error("a pane has a ring before any key")
	}
	for range d.app.model.Root.All() {
		d.key("]", 0)
		want := []int{d.app.model.Focus}
		if got := line(); !slices.Equal(got, want) {
			t.Errorf("the line of the tab is at %v, want %v", got, want)
		}
		if got := ringed(); !slices.Equal(got, want) {
			t.Errorf("the ring is around the pane %v, want %v", got, want)
		}
	}
	d.key("]", 0)
	p := d.paneOf("kaleidoscope")
	x, y := d.middle(p.Area)
	d.click(x, y)
	if got := line(); !slices.Equal(got, []int{p.ID}) || len(ringed()) > 0 {
		t.Errorf("after a click the line is at %v, want %d; rings %v", got, p.ID, ringed())
	}
	d.key("]", 0)
	d.key("Tab", 0)
	if len(ringed()) > 0 || !d.app.widgets.ShowFocus() {
		t.Error("the ring of the pane and the ring of a widget are shown together")
	}
}

// TestMessagesCoverNothing: messages cover no picture, and no control of bars, panels and dialogs.
func TestMessagesCoverNothing(t *testing.T) {
	for _, c := range []struct {
		w, h float64
		keys []string
	}{{1024, 640, nil}, {1024, 640, []string{"R"}}, {1280, 800, []string{"Q"}}, {1024, 640, []string{"C"}}} {
		d, _ := ran(t, c.w, c.h)
		d.app.widgets = ui.State{}
		d.app.out.Redraw()
		d.settle()
		for _, k := range c.keys {
			d.key(k, 0)
		}
		names := []string{"until", "play", "open", "run", "undo", "help", "live/again", "live/back", "live/state"}
		for _, id := range d.app.model.IDs {
			for _, part := range []string{"view", "more", "again", "settings", "edit"} {
				names = append(names, "leaf"+string(rune('0'+id))+"/"+part)
			}
		}
		names = append(names, "run panel/start", "run panel/paused", "run panel/seed", "state panel/close", "compare/Cancel", "compare/on-demand", "compare/static")
		for _, text := range []string{"Done.", "The program has ended, and what it has to say takes rather more than one line of this message: " + strings.Repeat("all of it, ", 20)} {
			d.app.out.Warn("", text)
			d.settle()
			if !d.shows(text[:5]) {
				t.Fatalf("the message is not shown:\n%s", d.texts())
			}
			at, _ := d.app.widgets.Where(usertest.Name("message/ground"))
			found := 0
			for _, n := range names {
				if r, ok := d.app.widgets.Where(usertest.Name(n)); ok {
					found++
					if !r.Cut(at).Empty() {
						t.Errorf("%gx%g %v: the message at %v covers %s at %v", c.w, c.h, c.keys, at, n, r)
					}
				}
			}
			if found < 12 {
				t.Fatalf("only %d controls were found; the test needs more", found)
			}
			for _, p := range d.app.model.Visible() {
				if r := d.app.window.Pixels(p.Body); r.Y0 < float64(at.Y1) {
					t.Errorf("%gx%g %v: the message at %v covers the picture of %s at %v", c.w, c.h, c.keys, at, p.Kind.Name, r)
				}
			}
		}
	}
}

// TestMendedMessagesGo shows failures and mends them: a file that cannot be read and then can, a run with a wrong setting and then a right one, and
// a program that fails and then does not.
func TestMendedMessagesGo(t *testing.T) {
	d, _ := ran(t, 1280, 800)
	fails := func(what, text string) {
		t.Helper()
		d.settle()
		if !d.shows(text) {
			t.Errorf("%s: the failure is not shown:\n%s", what, d.texts())
		}
	}
	mended := func(what, text string) {
		t.Helper()
		d.settle()
		if d.shows(text) {
			t.Errorf("%s: the failure is still shown when it is mended:\n%s", what, d.texts())
		}
	}
	d.drop(file("some.whorl", "nonsense"))
	fails("file", "some.whorl: not")
	d.drop(traceFile(t, "other.whorl", run(t, "fghc/pascal", 2, "", "4")))
	fails("file", "some.whorl: not")
	d.drop(traceFile(t, "some.whorl", run(t, "fghc/pascal", 2, "", "4")))
	mended("file", "some.whorl: not")

	wrong := smallRun()
	wrong.Policy = "none such"
	d.app.launcher.Begin(wrong)
	fails("run", "none such")
	right := d.app.launcher.Begin(smallRun())
	mended("run", "none such")
	d.until("the end", func() bool { return right.Live.Over })

	broken := smallRun()
	broken.Limits.Reductions = 3
	doc := d.app.launcher.Begin(broken)
	d.until("the end", func() bool { return doc.Live.Over })
	fails("program", doc.Name+": ")
	failed := doc.Name
	doc = d.app.launcher.Begin(smallRun())
	d.until("the end", func() bool { return doc.Live.Over })
	d.settle()
	if d.app.widgets.Mend(outbox.AboutRun + failed) {
		t.Errorf("program: the failure is still kept:\n%s", d.texts())
	}
}

// strike presses a key as a keyboard does: its text follows.
func (d *driver) strike(key string) {
	d.step(Event{Kind: ui.Key, Key: key}, Event{Kind: ui.Text, Text: key})
	d.settle()
}

// TestShortcutIsNotTyped: a key that opens an editor or a dialog does not type its letter there.
func TestShortcutIsNotTyped(t *testing.T) {
	d, doc := ran(t, 1400, 900)
	d.strike("E")
	if !d.program(doc).Open || d.program(doc).Dirty() {
		t.Errorf("after the key E the editor is open: %v, with the text %.20q", d.program(doc).Open, d.program(doc).Text())
	}
	d.strike("E")
	if !strings.HasPrefix(d.program(doc).Text(), "E%") {
		t.Errorf("in the editor the key E leads to the text %.20q", d.program(doc).Text())
	}
	d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: doc.Name, Tasks: []view.Tasks{{First: 2}}}})
	p := d.paneOf("kaleidoscope")
	d.click(d.nodeAt(p, 2))
	d.strike("A")
	if !d.app.note.open || d.app.note.text != "" {
		t.Errorf("after the key A the note is open: %v, with the text %q", d.app.note.open, d.app.note.text)
	}
	d.strike("A")
	if d.app.note.text != "A" {
		t.Errorf("in the note the key A leads to the text %q", d.app.note.text)
	}
}

// TestPlacesKeepTheirLeastSize moves the dividers of nested leaves as far as they go: every leaf keeps its least size.
func TestPlacesKeepTheirLeastSize(t *testing.T) {
	d := opened(t, "qsort", 1280, 800)
	d.app.actions.SetFocus(d.paneOf("timeline").ID)
	d.key("|", 0)
	d.app.actions.SetFocus(d.paneOf("kaleidoscope").ID)
	d.key("_", 0)
	for _, bar := range []string{"at", "ata", "atb"} {
		for _, to := range [][2]float64{{1279, 799}, {1, 1}, {640, 400}} {
			x, y := iconAt(d, bar)
			d.drag(x, y, to[0], to[1])
			for _, s := range d.app.tiles.Spots {
				if s.Rect.W() < workspace.LeastWidth-1 || s.Rect.H() < workspace.LeastHeight-1 {
					t.Errorf("with the divider %s at %v the place of pane %d is %.0f by %.0f", bar, to, s.Node.Shown, s.Rect.W(), s.Rect.H())
				}
			}
		}
	}
}

// TestPanesBecomeTabs makes the window smaller: every pane keeps its least size, or all become tabs, which show them one by one. In a large window
// the panes are where they were.
func TestPanesBecomeTabs(t *testing.T) {
	d := opened(t, "qsort", 1280, 800)
	tree := d.app.model.Root.String()
	for _, w := range []float64{1200, 700, 560, 430, 330, 200} {
		for _, h := range []float64{800, 360, 240} {
			d.in.W, d.in.H = w, h
			d.settle()
			for _, s := range d.app.tiles.Spots {
				if len(d.app.tiles.Spots) > 1 && (s.Rect.W() < workspace.LeastWidth-1 || s.Rect.H() < workspace.LeastHeight-1) {
					t.Errorf("in a window of %g by %g the place of pane %d is %.0f by %.0f", w, h, s.Node.Shown, s.Rect.W(), s.Rect.H())
				}
			}
		}
	}
	d.in.W, d.in.H = 390, 700
	d.settle()
	if len(d.app.tiles.Spots) != 1 || len(d.app.tiles.Spots[0].Node.Panes) != len(d.app.model.IDs) {
		t.Fatalf("in a window of 390 by 700 there are %d places", len(d.app.tiles.Spots))
	}
	for range d.app.model.IDs {
		d.key("]", 0)
		if seen := d.app.model.Visible(); len(seen) != 1 || seen[0].ID != d.app.model.Focus || d.base(seen[0]).List == nil {
			t.Errorf("with the focus on pane %d there are the panes %v", d.app.model.Focus, seen)
		}
	}
	d.in.W, d.in.H = 1280, 800
	d.settle()
	strip := regexp.MustCompile(`\] [0-9]+`)
	if got := d.app.model.Root.String(); strip.ReplaceAllString(got, "]") != strip.ReplaceAllString(tree, "]") || len(d.app.tiles.Spots) != 3 {
		t.Errorf("in a large window the panes are %s in %d places, want %s", got, len(d.app.tiles.Spots), tree)
	}
}

// TestTabsMovePanes drags the tab of a pane to other places and along its bar, and closes the pane with the middle button.
func TestTabsMovePanes(t *testing.T) {
	d := opened(t, "qsort", 1400, 900)
	p, k := d.paneOf("utilisation"), d.paneOf("kaleidoscope")
	tab := func() (x, y float64) { return iconAt(d, d.inLeaf(p.ID, "tabs/"+strconv.Itoa(p.ID))) }
	leaf := func() *workspace.Node { return d.app.model.Root.LeafOf(p.ID) }
	for _, c := range []struct {
		name  string
		u, v  float64 // where the tab is dropped, as shares of the place of the kaleidoscope
		panes int     // in the leaf of the pane afterwards
	}{{"right", 0.85, 0.5, 1}, {"below", 0.4, 0.8, 1}, {"as a tab", 0.4, 0.4, len(d.app.model.Root.LeafOf(k.ID).Panes) + 1}} {
		x, y := tab()
		r := d.app.tiles.Spots[slices.IndexFunc(d.app.tiles.Spots, func(s tiles.Spot) bool { return s.Node.Shown == k.ID })].Rect
		d.drag(x, y, r.X0+c.u*r.W(), r.Y0+c.v*r.H())
		if len(leaf().Panes) != c.panes || leaf().Shown != p.ID || d.app.model.Focus != p.ID {
			t.Errorf("%s: the panes of the leaf are %v, pane %d is in front, and pane %d has the keys", c.name, leaf().Panes, leaf().Shown, d.app.model.Focus)
		}
	}
	x, y := tab()
	d.drag(x, y, leafStart(d, p), y)
	if leaf().Panes[0] != p.ID {
		t.Errorf("dragged to the left, pane %d is among %v", p.ID, leaf().Panes)
	}
	d.press(leafStart(d, p), y, ui.Middle, 0)
	d.settle()
	if d.app.model.Pane(p.ID) != nil {
		t.Error("the middle button does not close the pane")
	}
}

// leafStart returns a place at the left end of the tabs of a pane's leaf.
func leafStart(d *driver, p *panes.Pane) float64 {
	for _, s := range d.app.tiles.Spots {
		if slices.Contains(s.Node.Panes, p.ID) {
			return s.Rect.X0 + 20
		}
	}
	d.Fatal("the pane has no place")
	return 0
}

// TestMenus chooses items of the menu of a node and of a pane.
func TestMenus(t *testing.T) {
	d := opened(t, "pascal", 1600, 900)
	p := d.paneOf("kaleidoscope")
	d.menuOn(3)
	d.on("Show only this subtree")
	if got := d.app.model.Pane(p.ID).Root(); got != 3 {
		t.Errorf("the menu of task 3 leads to the subtree of %d", got)
	}
	x, y := d.middle(p.Area)
	d.step(Event{Kind: ui.Wheel, X: x, Y: y, DY: 1})
	d.settle()
	d.press(x, y, ui.Secondary, 0)
	d.settle()
	d.on("Show everything")
	if c := d.app.model.Pane(p.ID).Camera; c != (view.Camera{}) {
		t.Errorf("the camera is %+v, want that of the whole picture", c)
	}
	d.click(iconAt(d, d.inLeaf(p.ID, "view")))
	d.on(d.app.model.Arranger.Kind("bodies").Title)
	d.click(iconAt(d, d.inLeaf(d.paneOf("bodies").ID, "more")))
	d.on("Close the trace pascal")
	if len(d.app.model.State.Shared.Traces) != 0 {
		t.Errorf("the traces are %q, want none", d.app.model.State.Shared.Traces)
	}
}
