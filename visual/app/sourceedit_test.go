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
		t.Fatal("the pane is an editor before anybody has asked for one")
	}
	d.key("E", 0)
	if !d.shows("No errors") || d.app.focus != p.id || !d.app.typing {
		t.Fatalf("E leads to pane %d and not into the editor:\n%s", d.app.focus, d.texts())
	}
	d.key("ArrowDown", 0)
	d.key("End", 0)
	for range len("add(A, B, X).") {
		d.key("Backspace", 0)
	}
	d.typed("add(A, B")
	d.shot("edit-error")
	if !d.shows("Line 3: ") || !strings.Contains(d.program(first).Text(), "add(A, B\n") {
		t.Errorf("the error is not told:\n%s", d.texts())
	}
	tabs := func() bool { return d.program(d.app.docs.Get(first.Name)).dirty() }
	if !tabs() {
		t.Error("what was changed does not count as changed")
	}
	d.key("Home", Control)
	n := len(d.app.docs.All())
	d.key("Enter", Control)
	e := d.program(first)
	if at := e.Caret(); at.Line != 2 || len(d.app.docs.All()) != n {
		t.Errorf("the caret is at %+v, and %d programs run", at, len(d.app.docs.All())-n)
	}
	d.key("ArrowUp", 0)
	d.key("End", 0)
	d.typed(", X), 'grüße 🌀'(A).")
	d.key("Enter", 0)
	d.typed("'grüße 🌀'(_) :- true | true.")
	if !d.shows("No errors") || !strings.Contains(e.Text(), "add(A, B, X), 'grüße 🌀'(A).\n'grüße 🌀'(_) :- true | true.\n") {
		t.Fatalf("the text is\n%s\n%+v", e.Text(), e.problems)
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
		t.Errorf("saved as %q:\n%s", last.Name, last.Data)
	}
	// Undo takes back the typed text, and the button all changes at once.
	d.key("z", Control)
	d.key("z", Control)
	if strings.Contains(e.Text(), ":- true | true.\n'grüße") || !e.dirty() {
		t.Errorf("after undo:\n%s", e.Text())
	}
	x, y := iconAt(d, d.inLeaf(p.id, "as it ran"))
	d.click(x, y)
	if e.dirty() {
		t.Errorf("as it ran:\n%s", e.Text())
	}
	d.click(iconAt(d, d.inLeaf(p.id, "text")))
	d.key("z", Control)
	if !e.dirty() {
		t.Error("what the button took back is lost")
	}
	// The changes stay while the editor is closed.
	text := e.Text()
	x, y = iconAt(d, d.inLeaf(p.id, "edit"))
	d.click(x, y)
	if e.open || d.app.paneAt(d.at(p.area)) != p {
		t.Error("the editor does not close")
	}
	d.click(x, y)
	if !e.open || e.Text() != text {
		t.Errorf("opened again it is\n%s", e.Text())
	}
}

// TestEditByHand types, selects, copies, pastes, indents and undoes, in a program with letters of several bytes, tabs and a long line.
func TestEditByHand(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1200, 800, 1.25)
	d.drop(file("own.fghc", "main(X) :- true | X = \"Ωß🌀\".\n"))
	p := &d.app.runs.program
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
			t.Fatalf("it is\n%.200q\nwant\n%.200q", got, c.want)
		}
	}
	d.shot("long-line")
	// The caret of a long line is visible, and the problems are shown.
	d.key("End", 0)
	if len(p.problems) == 0 {
		t.Error("nothing is wrong with it")
	}
}

// TestProblemsAreAtTheirLetters counts characters of several bytes before an error.
func TestProblemsAreAtTheirLetters(t *testing.T) {
	for text, want := range map[string]string{
		"p :- true | q ).":               ")",
		"'äöü🌀'(X) :- true | wrong X.":   "X",
		"p(X) :-\n\tX = 'ß', Ende ende.": "ende",
	} {
		p := program{name: "p.fghc"}
		p.SetText(text)
		p.check()
		if len(p.problems) == 0 || !p.failed {
			t.Errorf("%q has no error", text)
			continue
		}
		q := p.problems[0]
		if got := p.Line(q.Line)[q.From:max(q.To, q.From+1)]; got != want {
			t.Errorf("%q: %s: at %q, want %q", text, q.Text, got, want)
		}
	}
	p := program{name: "p.fghc"}
	p.SetText("p(X) :- true | q(X).\n" + "\x00")
	p.check()
	if !p.failed {
		t.Error("a text that is none has no error")
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
