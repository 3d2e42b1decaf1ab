package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/visual/ui"
)

// TestEditWhereItIsShown edits the program of a trace in its source pane with the keyboard alone. An error appears at its line, Ctrl+Enter
// moves there, and runs the corrected program beside the old one.
func TestEditWhereItIsShown(t *testing.T) {
	d, first := ran(t, 1600, 900)
	p := d.paneOf("source")
	if d.shows("No errors") {
		t.Fatal("the pane is an editor before the key E")
	}
	d.key("E", 0)
	if !d.shows("No errors") || d.app.model.focus != p.id || !d.app.typing {
		t.Fatalf("the key E leads to pane %d and not into the editor:\n%s", d.app.model.focus, d.texts())
	}
	d.key("ArrowDown", 0)
	d.key("End", 0)
	for range len("add(A, B, X).") {
		d.key("Backspace", 0)
	}
	d.typed("add(A, B")
	d.shot("edit-error")
	if !d.shows("Line 3: ") || !strings.Contains(d.program(first).Text(), "add(A, B\n") {
		t.Errorf("the error is not shown:\n%s", d.texts())
	}
	if !d.program(first).Dirty() {
		t.Error("the changed program is not marked as changed")
	}
	d.key("Home", ui.Control)
	n := len(d.app.model.docs.All())
	d.key("Enter", ui.Control)
	e := d.program(first)
	if at := e.Caret(); at.Line != 2 || len(d.app.model.docs.All()) != n {
		t.Errorf("the caret is at %+v, and %d programs were started, want none", at, len(d.app.model.docs.All())-n)
	}
	d.key("ArrowUp", 0)
	d.key("End", 0)
	d.typed(", X), 'grüße 🌀'(A).")
	d.key("Enter", 0)
	d.typed("'grüße 🌀'(_) :- true | true.")
	if !d.shows("No errors") || !strings.Contains(e.Text(), "add(A, B, X), 'grüße 🌀'(A).\n'grüße 🌀'(_) :- true | true.\n") {
		t.Fatalf("the text is\n%s\nand the window shows\n%s", e.Text(), d.texts())
	}
	d.key("Enter", ui.Control)
	d.until("the second end", func() bool {
		for _, x := range d.app.model.docs.All() {
			if x != first && x.Live.Over {
				return x.Live.Status.Err == "" && strings.Contains(x.Live.Status.Answer, "X = 21") && x.Run.Text == e.Text()
			}
		}
		return false
	})
	d.key("s", ui.Control)
	if last := d.asks[len(d.asks)-1]; last.Do != SaveFile || last.Name != "small.fghc" || string(last.Data) != e.Text() {
		t.Errorf("the saved file %q has the text\n%s", last.Name, last.Data)
	}
	// The changes stay while the editor is closed.
	text := e.Text()
	x, y := iconAt(d, d.inLeaf(p.id, "edit"))
	d.click(x, y)
	if e.Open || d.app.paneAt(d.middle(p.area)) != p {
		t.Error("the editor does not close")
	}
	d.click(x, y)
	if !e.Open || e.Text() != text {
		t.Errorf("opened again, the text is\n%s", e.Text())
	}
}

// TestClipboard copies, pastes and cuts in an editor. The shell has the clipboard.
func TestClipboard(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1200, 800, 1.25)
	d.drop(file("own.fghc", "main(X) :- true | X = \"Ωß🌀\".\n"))
	p := &d.app.runs.Program
	first, long := p.Text(), "a\nb\tc"+strings.Repeat("x", 5000)
	d.click(iconAt(d, "run panel/text"))
	asked := func(key string, do AskKind, text string) {
		t.Helper()
		d.key(key, ui.Control)
		if last := d.asks[len(d.asks)-1]; last.Do != do || last.Text != text {
			t.Errorf("the key %s asks the shell for %+v, want the request %d with the text %.100q", key, last, do, text)
		}
	}
	d.key("a", ui.Control)
	asked("c", CopyText, first)
	asked("v", PasteText, "")
	d.step(Event{Kind: ui.Text, Text: "a\r\nb\x00\tc" + strings.Repeat("x", 5000)})
	d.settle()
	d.shot("long-line")
	if p.Text() != long || !d.shows("Line 1: ") {
		t.Errorf("the pasted text is\n%.200q\nand the window shows\n%.1000s", p.Text(), d.texts())
	}
	d.key("a", ui.Control)
	asked("x", CopyText, long)
	if p.Text() != "" {
		t.Errorf("the cut text is still there:\n%.200q", p.Text())
	}
}

// inLeaf returns the path of a widget in the leaf of a pane.
func (d *driver) inLeaf(id int, name string) string {
	return fmt.Sprintf("leaf%d/%s", slices.Min(d.app.model.Root.LeafOf(id).Panes), name)
}
