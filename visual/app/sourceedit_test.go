package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/visual/app/outbox"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
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
	if !d.shows("No errors") || d.app.model.Focus != p.ID || !d.app.pointer.Typing {
		t.Fatalf("the key E leads to pane %d and not into the editor:\n%s", d.app.model.Focus, d.texts())
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
	n := len(d.app.model.Docs.All())
	d.key("Enter", ui.Control)
	e := d.program(first)
	if at := e.Caret(); at.Line != 2 || len(d.app.model.Docs.All()) != n {
		t.Errorf("the caret is at %+v, and %d programs were started, want none", at, len(d.app.model.Docs.All())-n)
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
		for _, x := range d.app.model.Docs.All() {
			if x != first && x.Live.Over {
				return x.Live.Status.Err == "" && strings.Contains(x.Live.Status.Answer, "X = 21") && x.Run.Text == e.Text()
			}
		}
		return false
	})
	d.key("s", ui.Control)
	if last := d.asks[len(d.asks)-1]; last.Do != outbox.SaveFile || last.Name != "small.fghc" || string(last.Data) != e.Text() {
		t.Errorf("the saved file %q has the text\n%s", last.Name, last.Data)
	}
	// The changes stay while the editor is closed.
	text := e.Text()
	x, y := iconAt(d, d.inLeaf(p.ID, "edit"))
	d.click(x, y)
	if e.Open || d.app.pointer.PaneAt(d.middle(p.Area)) != p {
		t.Error("the editor does not close")
	}
	d.click(x, y)
	if !e.Open || e.Text() != text {
		t.Errorf("opened again, the text is\n%s", e.Text())
	}
}

// TestEditFromNode opens the program from the nodes of two views, with the menu of a node and with the key, at the line of the node's
// clause. The key O asks for that line in the user's editor.
func TestEditFromNode(t *testing.T) {
	for _, c := range []struct {
		view   string
		task   uint64
		menu   bool
		closed bool // no pane shows the program
		line   int  // counted from 1
	}{
		{"kaleidoscope", 1, true, false, 2}, {"kaleidoscope", 2, false, true, 4}, {"threadgraph", 1, false, true, 2}, {"threadgraph", 2, true, false, 4},
	} {
		d, doc := ran(t, 1600, 900)
		if c.view == "threadgraph" {
			d.app.actions.AddPane(c.view, doc.Name, d.app.model.Focus, workspace.AsTab)
			d.settle()
		}
		if c.closed {
			d.app.actions.ClosePane(d.paneOf("source").ID)
			d.settle()
		}
		p := d.paneOf(c.view)
		at := d.locate(p, view.Selection{Trace: p.Trace, Tasks: []view.Tasks{{First: c.task}}})
		if len(at) == 0 {
			t.Fatalf("%s does not show task %d", c.view, c.task)
		}
		x, y := d.middle(at[0])
		d.move(x, y)
		if c.menu {
			d.press(x, y, ui.Secondary, 0)
			d.settle()
			d.on("Edit the program at its clause")
		} else {
			d.click(x, y)
			d.asks = nil
			d.key("O", 0)
			if len(d.asks) != 1 || d.asks[0].Do != outbox.EditLine || d.asks[0].Line != c.line || d.asks[0].Name != "small.fghc" {
				t.Errorf("%s: the key O at task %d asks for %+v, want line %d", c.view, c.task, d.asks, c.line)
			}
			d.key("E", 0)
		}
		d.settle()
		e := d.program(doc)
		if !e.Open || e.Caret().Line != c.line-1 || !d.app.pointer.Typing {
			t.Errorf("%s: the caret is at line %d, want %d; the editor is open: %v", c.view, e.Caret().Line+1, c.line, e.Open)
		}
	}
}

// TestClipboard copies, pastes and cuts in an editor. The shell has the clipboard.
func TestClipboard(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1200, 800, 1.25)
	d.drop(file("own.fghc", "main(X) :- true | X = \"Ωß🌀\".\n"))
	p := &d.app.runs.Program
	first, long := p.Text(), "a\nb\tc"+strings.Repeat("x", 5000)
	d.click(iconAt(d, "run panel/text"))
	asked := func(key string, do outbox.AskKind, text string) {
		t.Helper()
		d.key(key, ui.Control)
		if last := d.asks[len(d.asks)-1]; last.Do != do || last.Text != text {
			t.Errorf("the key %s asks the shell for %+v, want the request %d with the text %.100q", key, last, do, text)
		}
	}
	d.key("a", ui.Control)
	asked("c", outbox.CopyText, first)
	asked("v", outbox.PasteText, "")
	d.step(Event{Kind: ui.Text, Text: "a\r\nb\x00\tc" + strings.Repeat("x", 5000)})
	d.settle()
	d.shot("long-line")
	if p.Text() != long || !d.shows("Line 1: ") {
		t.Errorf("the pasted text is\n%.200q\nand the window shows\n%.1000s", p.Text(), d.texts())
	}
	d.key("a", ui.Control)
	asked("x", outbox.CopyText, long)
	if p.Text() != "" {
		t.Errorf("the cut text is still there:\n%.200q", p.Text())
	}
}

// inLeaf returns the path of a widget in the leaf of a pane.
func (d *driver) inLeaf(id int, name string) string {
	return fmt.Sprintf("leaf%d/%s", slices.Min(d.app.model.Root.LeafOf(id).Panes), name)
}
