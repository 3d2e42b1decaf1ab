package ui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestField(t *testing.T) {
	text, done := "", 0
	u := newUser(t, 300, 100, func(c *Context) {
		if c.Field(Rect{10, 10, 110, 38}, "f", &text, FieldLook{Hint: "Name"}).Done {
			done++
		}
	})
	want := func(what, s string) {
		t.Helper()
		if text != s {
			t.Errorf("%s: %q, want %q", what, text, s)
		}
	}
	if s := texts(&u.base); !slices.Equal(s, []string{"Name"}) {
		t.Error("the hint is missing:", s)
	}
	u.typed("abc")
	want("without the focus", "")
	u.click("f")
	if !u.last.Typing || u.last.Cursor != Beam {
		t.Error("typing", u.last.Typing, "cursor", u.last.Cursor)
	}
	u.typed("two words")
	want("typed", "two words")
	u.keys("Control+Backspace")
	want("a word back", "two ")
	u.keys("Control+z")
	want("undo", "two words")
	u.keys("Control+z", "Control+z")
	want("undo twice more", "")
	u.keys("Control+y", "Control+Shift+Z")
	want("redo", "two words")
	u.keys("Home", "Shift+End", "Control+c", "Control+x")
	want("cut", "")
	if u.copy != "two words" {
		t.Errorf("cut gave %q", u.copy)
	}
	u.keys("Control+v")
	if !u.last.Paste {
		t.Error("no wish for the clipboard")
	}
	u.run(Event{Kind: Text, Text: "a\nb\tc\r\nd\x00\xff"})
	want("pasted", "a b c d\uFFFD")
	u.keys("Backspace", "ArrowLeft", "ArrowLeft", "Delete", "Delete", "Delete", "Control+a")
	want("delete", "a b c")
	u.typed("äb")
	want("typed over a selection", "äb")
	u.keys("ArrowLeft", "Backspace")
	want("a letter of two bytes", "b")
	u.keys("Enter")
	if done != 1 {
		t.Error("Enter:", done)
	}
	text = "from outside"
	u.run()
	u.keys("End", "!")
	want("after a change from outside", "from outside!")
	u.in.Now += time.Second
	x, y := u.mid("f")
	for range 2 {
		u.down(x-30, y)
		u.up(x-30, y)
	}
	u.keys("Control+c")
	if u.copy != "outside" && u.copy != "from" {
		t.Errorf("a double click selects %q", u.copy)
	}
	u.drag(x+40, y, 0, y)
	u.keys("Control+c")
	if !strings.HasPrefix("from outside!", u.copy) && !strings.HasSuffix("from outside!", u.copy) || u.copy == "" {
		t.Errorf("a drag selects %q", u.copy)
	}
}

// TestCaretSeen types more than has room: the caret stays inside.
func TestCaretSeen(t *testing.T) {
	text := ""
	u := newUser(t, 300, 100, func(c *Context) { c.Field(Rect{10, 10, 90, 38}, "f", &text, FieldLook{}) })
	u.click("f")
	u.typed(strings.Repeat("wide ", 20))
	end := func() Rect { return written(&u.base)[0].box }
	if x := end().X1; x > 90 || x < 70 {
		t.Error("at the end the text ends at", x)
	}
	u.keys("Home")
	if x := end().X0; x < 10 || x > 30 {
		t.Error("at the start the text begins at", x)
	}
}

// model is a text as one string with a caret, to hold a Document against.
func offset(d *Document, p Pos) int {
	n := 0
	for i := range p.Line {
		n += len(d.Line(i)) + 1
	}
	return n + p.Col
}

func TestDocumentAgainstString(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"a", "bc", " ", "\n", "ä", "\n\n", "日本\n", "", "e\u0301", "x\ny"}
	for round := range 60 {
		d := &Document{}
		s := ""
		states := []string{""}
		for range 80 {
			p := func() Pos {
				return Pos{rnd.IntN(d.Lines()+1) - rnd.IntN(2), rnd.IntN(12)}
			}
			d.Select(p(), p())
			from, to := d.Selection()
			a, b := offset(d, from), offset(d, to)
			if got := d.Part(from, to); got != s[a:b] {
				t.Fatalf("round %d: part is %q, want %q", round, got, s[a:b])
			}
			text := pieces[rnd.IntN(len(pieces))]
			revision := d.Revision()
			d.Insert(text)
			if a == b && text == "" {
				continue
			}
			s = s[:a] + text + s[b:]
			if d.Text() != s {
				t.Fatalf("round %d: %q, want %q", round, d.Text(), s)
			}
			if d.Revision() == revision {
				t.Fatal("the revision stays the same")
			}
			if got := offset(d, d.Caret()); got != a+len(text) {
				t.Fatalf("round %d: caret at %d, want %d", round, got, a+len(text))
			}
			states = append(states, s)
		}
		for i := len(states) - 2; i >= 0; i-- {
			if !d.Undo() || d.Text() != states[i] {
				t.Fatalf("round %d: undone to %q, want %q", round, d.Text(), states[i])
			}
		}
		if d.Undo() || d.CanUndo() {
			t.Fatal("more was undone than done")
		}
		for _, want := range states[1:] {
			if !d.Redo() || d.Text() != want {
				t.Fatalf("round %d: redone to %q, want %q", round, d.Text(), want)
			}
		}
	}
}

// TestMoves goes through a text by letters and words, and back.
func TestMoves(t *testing.T) {
	d := NewDocument("one, two_3\n\ne\u0301tude ä")
	walk := func(from Pos, step func(Pos) Pos) string {
		var b strings.Builder
		for p, q := from, step(from); p != q; p, q = q, step(q) {
			fmt.Fprintf(&b, "%d:%d ", q.Line, q.Col)
		}
		return strings.TrimSpace(b.String())
	}
	end := Pos{2, len(d.Line(2))}
	for _, k := range []struct {
		name, want string
		from       Pos
		step       func(Pos) Pos
	}{
		{"words to the right", "0:3 0:4 0:10 1:0 2:0 2:7 2:10", Pos{}, d.wordRight},
		{"words to the left", "2:8 2:0 1:0 0:10 0:5 0:3 0:0", end, d.wordLeft},
		{"letters to the right from 2:0", "2:3 2:4 2:5 2:6 2:7 2:8 2:10", Pos{2, 0}, d.right},
	} {
		if got := walk(k.from, k.step); got != k.want {
			t.Errorf("%s: %s, want %s", k.name, got, k.want)
		}
	}
	if n := len(strings.Fields(walk(end, d.left))); n != 19 {
		t.Errorf("%d letters to the left, want 19", n)
	}
}

type editUser struct {
	*user
	d   *Document
	e   Editor
	res Edited
}

func newEditUser(t *testing.T, text string) *editUser {
	eu := &editUser{d: NewDocument(text)}
	eu.user = newUser(t, 640, 400, func(c *Context) { eu.res = c.Edit(Rect{0, 0, 600, 400}, "text", eu.d, eu.e) })
	eu.st.Focus(Name("text"))
	eu.run()
	return eu
}

func TestEditorKeys(t *testing.T) {
	for _, k := range []struct {
		name, text, keys, want string
		e                      Editor
	}{
		{name: "indent goes on", text: "\tp", keys: "End Enter q", want: "\tp\n\tq"},
		{name: "indent grows", text: "  p {", keys: "End Enter q", want: "  p {\n    q", e: Editor{Spaces: true, Tab: 2}},
		{name: "own openers", text: "p :-", keys: "End Enter q", want: "p :-\n\tq", e: Editor{Opens: []string{":-"}}},
		{name: "tab", text: "ab", keys: "ArrowRight Tab", want: "a   b", e: Editor{Spaces: true}},
		{name: "tab indents lines", text: "a\n\nb\nc", keys: "Shift+ArrowDown Shift+ArrowDown Shift+ArrowDown Tab", want: "\ta\n\n\tb\nc"},
		{name: "and takes it back", text: "\ta\n    b\n  c", keys: "Control+a Shift+Tab", want: "a\nb\nc"},
		{name: "column is kept", text: "long line\nx\nlong line", keys: "End ArrowDown ArrowDown !", want: "long line\nx\nlong line!"},
		{name: "column over tabs", text: "abcdef\n\tx", keys: "ArrowRight ArrowRight ArrowRight ArrowRight ArrowDown !", want: "abcdef\n\t!x"},
		{name: "home goes to the text first", text: "  ab", keys: "End Home ! Home Home ?", want: "?  !ab"},
		{name: "join lines", text: "a\nb", keys: "ArrowDown Backspace", want: "ab"},
		{name: "document ends", text: "a\nb\nc", keys: "Control+End ! Control+Home ?", want: "?a\nb\nc!"},
		{name: "page down", text: strings.Repeat("\n", 100), keys: "PageDown PageDown x", want: strings.Repeat("\n", 36) + "x" + strings.Repeat("\n", 64)},
		{name: "undo of an indent is one step", text: "a\nb", keys: "Control+a Tab Control+z", want: "a\nb"},
		{name: "fixed", text: "ab", keys: "x Backspace Delete Enter Tab Control+x", want: "ab", e: Editor{Fixed: true}},
	} {
		u := newEditUser(t, k.text)
		u.e = k.e
		u.keys(strings.Fields(k.keys)...)
		if got := u.d.Text(); got != k.want {
			t.Errorf("%s: %q, want %q", k.name, got, k.want)
		}
	}
}

func TestEditorLeave(t *testing.T) {
	n := 0
	d := NewDocument("a")
	u := newUser(t, 300, 200, func(c *Context) {
		c.Edit(Rect{0, 0, 300, 100}, "text", d, Editor{})
		if c.Button(Rect{0, 120, 100, 148}, "b", "B") {
			n++
		}
	})
	u.click("text")
	u.keys("Tab")
	if d.Text() == "a" {
		t.Error("Tab did not reach the text")
	}
	u.keys("Escape", "Tab", "Enter")
	if n != 1 {
		t.Error("Escape and Tab did not leave the text")
	}
}

func TestEditorPointer(t *testing.T) {
	u := newEditUser(t, "first line\n\tsecond line\nthird")
	cell := letters.Width("0", 13, 2)
	x0 := float32(0)
	for _, w := range written(&u.base) {
		if w.text == "first line" {
			x0 = w.box.X0
		}
	}
	at := func(line, col int) (float32, float32) { return x0 + cell*float32(col) + 1, 4 + 20*float32(line) + 10 }
	x, y := at(1, 6)
	u.clickAt(x, y)
	if u.d.Caret() != (Pos{1, 3}) {
		t.Error("a press behind a tab and two letters:", u.d.Caret())
	}
	ax, ay := at(0, 6)
	u.drag(ax, ay, x, y)
	u.keys("Control+c")
	if u.copy != "line\n\tse" {
		t.Errorf("a drag selects %q", u.copy)
	}
	u.in.Now += time.Second
	for range 3 {
		u.down(x, y)
		u.up(x, y)
		u.keys("Control+c")
		if u.res.Clicks == 0 && u.copy == "" {
			t.Error("nothing copied")
		}
	}
	if u.copy != "\tsecond line\n" {
		t.Errorf("three presses select %q", u.copy)
	}
	u.clickAt(5, ay)
	u.keys("Control+c")
	if u.copy != "first line\n" {
		t.Errorf("a press of the number selects %q", u.copy)
	}
	u.clickAt(300, 390)
	if u.d.Caret() != (Pos{2, 5}) {
		t.Error("a press below the text:", u.d.Caret())
	}
}

func TestEditorProblems(t *testing.T) {
	u := newEditUser(t, "good\nbad word here\ngood")
	u.e.Problems = []Problem{{Line: 1, From: 4, To: 8, Severity: Failure, Text: "no such word"}}
	u.run()
	if !slices.Contains(texts(&u.base), "no such word") {
		t.Error("the message is not beside its line:", texts(&u.base))
	}
	u.move(100, 4+20+10)
	u.wait(time.Second)
	if s := texts(&u.over); !slices.Equal(s, []string{"no such word"}) {
		t.Error("tooltip:", s)
	}
	u.move(100, 10)
	u.wait(time.Second)
	if s := texts(&u.over); len(s) != 0 {
		t.Error("a tooltip on another line:", s)
	}
}

// TestEditorLarge draws what can be seen of 10,000 lines and of one very long line, and keeps the caret in sight.
func TestEditorLarge(t *testing.T) {
	u := newEditUser(t, strings.Repeat("a line of text\n", 10_000)+strings.Repeat("wide ", 100_000))
	u.e.Color = func(line int, s string) []Span { return nil }
	u.run()
	if n := u.base.Len(); n > 120 {
		t.Errorf("%d ops for 20 lines", n)
	}
	u.keys("Control+End")
	if n := u.base.Bytes(); n > 20_000 {
		t.Errorf("%d bytes for a window of a long line", n)
	}
	u.typed("!")
	if !strings.HasSuffix(u.d.Text(), "wide !") {
		t.Error("typed at another place")
	}
	found := false
	for _, w := range written(&u.base) {
		found = found || strings.HasSuffix(w.text, "!") && w.box.X1 < 600 && w.box.X1 > 300
	}
	if !found {
		t.Error("the caret's place cannot be seen")
	}
	u.d.Select(Pos{5000, 0}, Pos{5000, 0})
	u.d.Reveal()
	u.run()
	if !slices.Contains(texts(&u.base), "5001") {
		t.Error("line 5001 is not shown")
	}
}

// TestEditorDragBeyond holds the pointer below the text: the selection goes on with time.
func TestEditorDragBeyond(t *testing.T) {
	u := newEditUser(t, strings.Repeat("line\n", 500))
	u.down(100, 100)
	u.move(100, 395)
	u.move(100, 450)
	start := u.d.Caret().Line
	for range 10 {
		if u.last.Next < 0 {
			t.Fatal("it does not ask to go on")
		}
		u.wait(max(u.last.Next-u.in.Now, 0))
	}
	if got := u.d.Caret().Line - start; got < 8 {
		t.Errorf("the selection grew by %d lines", got)
	}
	u.up(100, 450)
	end := u.d.Caret()
	u.wait(time.Second)
	if u.d.Caret() != end {
		t.Error("it goes on after the button was released")
	}
}
