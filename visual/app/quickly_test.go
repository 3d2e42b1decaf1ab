package app

import (
	"testing"

	"whorl/visual/ui"
)

// quick opens the dialog that finds anything, and types a text into it.
func (d *driver) quick(text string) {
	d.Helper()
	d.key("k", ui.Control)
	d.typed(text)
	d.settle()
	if !d.app.quick.Open {
		d.Fatalf("the dialog is closed after %q", text)
	}
}

// TestQuickly finds a command, a view, a setting, a question, a procedure, a line and a task by some of their letters, and does or shows them.
func TestQuickly(t *testing.T) {
	d := opened(t, "fghc/pascal", 1280, 800)
	a := d.app
	enter := func() {
		d.key("Enter", 0)
		d.settle()
		if a.quick.Open {
			t.Fatal("Enter leaves the dialog open")
		}
	}
	d.quick("lightordark")
	d.shot("quick")
	enter()
	if !a.model.Dark {
		t.Error("the command is not performed")
	}
	d.quick("show effic")
	enter()
	if p := d.paneOf("efficiency"); a.model.Focus != p.ID {
		t.Error("the view does not get the keys")
	}
	d.quick("go to kalei")
	enter()
	if p := d.paneOf("kaleidoscope"); a.model.Focus != p.ID {
		t.Error("the pane does not get the keys")
	}
	d.quick("mkrow")
	enter()
	codes := a.model.State.Shared.Selection.Codes
	if len(codes) != 1 || a.model.Focused().Source.Dict().Codes()[codes[0]].Name != "makeRow/3" {
		t.Errorf("makeRow is not selected: %+v", a.model.State.Shared.Selection)
	}
	d.quick("17")
	enter()
	if tasks := a.model.State.Shared.Selection.Tasks; len(tasks) != 1 || tasks[0].First != 17 {
		t.Errorf("task 17 is not selected: %+v", a.model.State.Shared.Selection)
	}
	d.quick("bigPlus(A, A")
	if !d.shows("pascal.fghc:28") && !d.shows("pascal.fghc:2") {
		t.Errorf("the line is not found:\n%s", d.overTexts())
	}
	enter()
	if len(a.model.State.Shared.Selection.Codes) != 1 {
		t.Errorf("the clause of the line is not selected: %+v", a.model.State.Shared.Selection)
	}
	if d.quick("pascal.fghc:28"); !d.shows("pascal.fghc:28") {
		t.Errorf("the line is not found by its place:\n%s", d.overTexts())
	}
	d.key("Escape", 0)
	d.quick("palette safe")
	enter()
	if a.model.State.Shared.Palette != "safe" {
		t.Error("the palette is not chosen")
	}
	before := a.model.Root.String()
	d.quick("arrange waiting")
	enter()
	if a.model.Root.String() == before {
		t.Error("the window is not arranged")
	}
	d.key("z", ui.Control)
	if a.model.Root.String() != before {
		t.Error("one undo does not bring the window back")
	}
}

// TestQuicklyOff: Enter does nothing for a disabled command. The arrow keys choose, Escape closes, a click performs.
func TestQuicklyOff(t *testing.T) {
	d := opened(t, "fghc/pascal", 1280, 800)
	d.quick("write a note")
	d.key("Enter", 0)
	if !d.app.quick.Open || d.app.note.open {
		t.Error("Enter performs a command that is disabled")
	}
	d.key("Escape", 0)
	if d.app.quick.Open {
		t.Fatal("Escape does not close the dialog")
	}
	d.key("p", ui.Control|ui.Shift)
	d.key("ArrowDown", 0)
	d.key("ArrowDown", 0)
	d.key("ArrowUp", 0)
	d.key("ArrowUp", 0)
	d.key("ArrowUp", 0)
	if !d.shows("Raise your hand in the session") { // it is disabled
		t.Errorf("the last entry is not shown:\n%s", d.overTexts())
	}
	d.typed("light or dark")
	if d.on("Light or dark"); !d.app.model.Dark || d.app.quick.Open {
		t.Error("a click on a row does not perform its command")
	}
	d.quick("zqx")
	if !d.shows("Nothing has these letters") {
		t.Error("the dialog does not say that it found nothing")
	}
	d.key("Enter", 0)
	if !d.app.quick.Open {
		t.Error("Enter without an entry closes the dialog")
	}
}

// TestQuicklyWithoutTrace: the commands are there before anything is open.
func TestQuicklyWithoutTrace(t *testing.T) {
	d := drive(t, Options{}, 390, 700, 1)
	d.quick("dark")
	d.shot("quick-narrow")
	d.key("Enter", 0)
	if !d.app.model.Dark {
		t.Error("the command is not performed")
	}
}

// TestQuicklyListsOnce: the entries of the dialog are made when it opens, not in each pass.
func TestQuicklyListsOnce(t *testing.T) {
	d := opened(t, "qsort", 1000, 700)
	d.key("k", ui.Control)
	first := d.app.quick.Fixed
	d.typed("qs")
	if now := d.app.quick.Fixed; len(first) == 0 || &now[0] != &first[0] {
		t.Errorf("of %d entries, others are listed while the user types", len(first))
	}
}
