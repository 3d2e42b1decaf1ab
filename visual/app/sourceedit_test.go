package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestEditWhereItIsShown edits the program of a trace in its source pane with the keyboard alone. An error appears at its line, Ctrl+Enter
// moves there, and runs the corrected program beside the old one.
func TestEditWhereItIsShown(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1600, 900, 1)
	first := d.app.begin(smallRun())
	d.until("the end", func() bool { return first.Live.Over })
	d.settle()
	p := d.paneOf("source")
	if d.shows("No errors") {
		t.Fatal("the pane is an editor before the key E")
	}
	d.key("E", 0)
	if !d.shows("No errors") || d.app.focus != p.id || !d.app.typing {
		t.Fatalf("the key E leads to pane %d and not into the editor:\n%s", d.app.focus, d.texts())
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
	dirty := d.program(d.app.docs.Get(first.Name)).Dirty()
	if !dirty {
		t.Error("the changed program is not marked as changed")
	}
	d.key("Home", Control)
	n := len(d.app.docs.All())
	d.key("Enter", Control)
	e := d.program(first)
	if at := e.Caret(); at.Line != 2 || len(d.app.docs.All()) != n {
		t.Errorf("the caret is at %+v, and %d programs were started, want none", at, len(d.app.docs.All())-n)
	}
	d.key("ArrowUp", 0)
	d.key("End", 0)
	d.typed(", X), 'grüße 🌀'(A).")
	d.key("Enter", 0)
	d.typed("'grüße 🌀'(_) :- true | true.")
	if !d.shows("No errors") || !strings.Contains(e.Text(), "add(A, B, X), 'grüße 🌀'(A).\n'grüße 🌀'(_) :- true | true.\n") {
		t.Fatalf("the text is\n%s\nand the window shows\n%s", e.Text(), d.texts())
	}
	d.key("Enter", Control)
	d.until("the second end", func() bool {
		for _, x := range d.app.docs.All() {
			if x != first && x.Live.Over {
				return x.Live.Status.Err == "" && strings.Contains(x.Live.Status.Answer, "X = 21") && x.Run.Text == e.Text()
			}
		}
		return false
	})
	d.key("s", Control)
	if last := d.asks[len(d.asks)-1]; last.Do != SaveFile || last.Name != "small.fghc" || string(last.Data) != e.Text() {
		t.Errorf("the saved file %q has the text\n%s", last.Name, last.Data)
	}
	// Undo takes back the typed text, and the button all changes at once.
	d.key("z", Control)
	d.key("z", Control)
	if strings.Contains(e.Text(), ":- true | true.\n'grüße") || !e.Dirty() {
		t.Errorf("after undo the text is\n%s", e.Text())
	}
	x, y := iconAt(d, d.inLeaf(p.id, "as it ran"))
	d.click(x, y)
	if e.Dirty() {
		t.Errorf("after the button the text is\n%s", e.Text())
	}
	d.click(iconAt(d, d.inLeaf(p.id, "text")))
	d.key("z", Control)
	if !e.Dirty() {
		t.Error("undo does not bring back the changes that the button took back")
	}
	// The changes stay while the editor is closed.
	text := e.Text()
	x, y = iconAt(d, d.inLeaf(p.id, "edit"))
	d.click(x, y)
	if e.Open || d.app.paneAt(d.at(p.area)) != p {
		t.Error("the editor does not close")
	}
	d.click(x, y)
	if !e.Open || e.Text() != text {
		t.Errorf("opened again, the text is\n%s", e.Text())
	}
}

// TestEditByHand types, selects, copies, pastes, indents and undoes, in a program with letters of several bytes, tabs and a long line.
func TestEditByHand(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1200, 800, 1.25)
	d.drop(file("own.fghc", "main(X) :- true | X = \"Ωß🌀\".\n"))
	p := &d.app.runs.Program
	d.click(iconAt(d, "run panel/text"))
	for _, c := range []struct {
		do   func()
		want string
	}{
		{func() { d.key("Home", Control); d.typed("% ä") }, "% ämain(X) :- true | X = \"Ωß🌀\".\n"},
		{func() { d.key("Enter", 0) }, "% ä\nmain(X) :- true | X = \"Ωß🌀\".\n"},
		{func() { d.key("End", 0); d.key("ArrowLeft", 0); d.key("ArrowLeft", 0); d.key("Backspace", 0) }, "% ä\nmain(X) :- true | X = \"Ωß\".\n"},
		{func() { d.key("z", Control) }, "% ä\nmain(X) :- true | X = \"Ωß🌀\".\n"},
		{func() { d.key("Home", Control); d.key("ArrowDown", Shift); d.key("c", Control); d.key("End", Control) }, "% ä\nmain(X) :- true | X = \"Ωß🌀\".\n"},
		{func() { d.step(Event{Kind: Text, Text: lastCopy(d)}); d.settle() }, "% ä\nmain(X) :- true | X = \"Ωß🌀\".\n% ä\n"},
		{func() { d.key("a", Control); d.key("Tab", 0) }, "\t% ä\n\tmain(X) :- true | X = \"Ωß🌀\".\n\t% ä\n"},
		{func() { d.key("Tab", Shift) }, "% ä\nmain(X) :- true | X = \"Ωß🌀\".\n% ä\n"},
		{func() { d.key("x", Control) }, ""},
		{func() { d.typed("p(X) :- "); d.key("Enter", 0); d.typed("q.") }, "p(X) :- \n\tq."},
		{func() {
			d.key("a", Control)
			d.step(Event{Kind: Text, Text: "a\r\nb\x00\tc" + strings.Repeat("x", 5000)})
			d.settle()
		}, "a\nb\tc" + strings.Repeat("x", 5000)},
		{func() { d.key("Home", 0); d.key("ArrowRight", 0); d.key("Delete", 0) }, "a\nbc" + strings.Repeat("x", 5000)},
		{func() { d.key("z", Control); d.key("z", Control); d.key("y", Control); d.key("y", Control) }, "a\nbc" + strings.Repeat("x", 5000)},
	} {
		c.do()
		if got := p.Text(); got != c.want {
			t.Fatalf("the text is\n%.200q\nwant\n%.200q", got, c.want)
		}
	}
	d.shot("long-line")
	// The caret of a long line is visible, and the problems are shown.
	d.key("End", 0)
	if !d.shows("Line 1: ") {
		t.Errorf("no error is shown:\n%s", d.texts())
	}
}

func lastCopy(d *driver) string {
	for i := len(d.asks) - 1; i >= 0; i-- {
		if d.asks[i].Do == CopyText {
			return d.asks[i].Text
		}
	}
	d.Fatal("nothing was copied")
	return ""
}

// inLeaf returns the path of a widget in the leaf of a pane.
func (d *driver) inLeaf(id int, name string) string {
	return fmt.Sprintf("leaf%d/%s", slices.Min(d.app.Root.LeafOf(id).Panes), name)
}
