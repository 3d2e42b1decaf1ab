package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/visual/edit"
)

// TestField types, deletes, undoes, copies and pastes in a field, and selects with the pointer.
func TestField(t *testing.T) {
	text, done := "", 0
	u := newUser(t, 300, 100, func(c *Context) {
		if c.Field(Rect{10, 10, 110, 38}, "f", &text, FieldLook{Hint: "Name"}).Done {
			done++
		}
	})
	want := func(action, s string) {
		t.Helper()
		if text != s {
			t.Errorf("after %s the text is %q, want %q", action, text, s)
		}
	}
	if s := texts(&u.base); !slices.Equal(s, []string{"Name"}) {
		t.Errorf("the empty field shows %q, want its hint", s)
	}
	u.typed("abc")
	want("typing without the focus", "")
	u.click("f")
	if !u.last.Typing || u.last.Cursor != Beam {
		t.Errorf("after a click Result.Typing is %v, want true, and the cursor %d, want %d", u.last.Typing, u.last.Cursor, Beam)
	}
	u.typed("two words")
	want("typing", "two words")
	u.keys("Control+Backspace")
	want("Control+Backspace", "two ")
	u.keys("Control+z")
	want("undo", "two words")
	u.keys("Control+z", "Control+z")
	want("two more undos", "")
	u.keys("Control+y", "Control+Shift+Z")
	want("redo", "two words")
	u.keys("Home", "Shift+End", "Control+c", "Control+x")
	want("a cut", "")
	if u.copy != "two words" {
		t.Errorf("a cut copied %q, want \"two words\"", u.copy)
	}
	u.keys("Control+v")
	if !u.last.Paste {
		t.Error("Control+V does not ask for the clipboard")
	}
	u.run(Event{Kind: Text, Text: "a\nb\tc\r\nd\x00\xff"})
	want("a paste", "a b c d\uFFFD")
	u.keys("Backspace", "ArrowLeft", "ArrowLeft", "Delete", "Delete", "Delete", "Control+a")
	want("Backspace and Delete", "a b c")
	u.typed("äb")
	want("typing over a selection", "äb")
	u.keys("ArrowLeft", "Backspace")
	want("Backspace over a letter of two bytes", "b")
	u.keys("Enter")
	if done != 1 {
		t.Errorf("Enter was reported %d times, want 1", done)
	}
	text = "from outside"
	u.run()
	u.keys("End", "!")
	want("a change by the caller and typing", "from outside!")
	u.in.Now += time.Second
	x, y := u.mid("f")
	for range 2 {
		u.down(x-30, y)
		u.up(x-30, y)
	}
	u.keys("Control+c")
	if u.copy != "outside" && u.copy != "from" {
		t.Errorf("a double click selected %q, want a word", u.copy)
	}
	u.drag(x+40, y, 0, y)
	u.keys("Control+c")
	if !strings.HasPrefix("from outside!", u.copy) && !strings.HasSuffix("from outside!", u.copy) || u.copy == "" {
		t.Errorf("a drag selected %q, want a part at an end", u.copy)
	}
}

// TestCaretSeen types more text than the field has room for. The caret stays visible.
func TestCaretSeen(t *testing.T) {
	text := ""
	u := newUser(t, 300, 100, func(c *Context) { c.Field(Rect{10, 10, 90, 38}, "f", &text, FieldLook{}) })
	u.click("f")
	u.typed(strings.Repeat("wide ", 20))
	end := func() Rect { return written(&u.base)[0].box }
	if x := end().X1; x > 90 || x < 70 {
		t.Errorf("with the caret at the end the text ends at %g, want between 70 and 90", x)
	}
	u.keys("Home")
	if x := end().X0; x < 10 || x > 30 {
		t.Errorf("with the caret at the start the text begins at %g, want between 10 and 30", x)
	}
}

// An editUser uses an editor that fills the window.
type editUser struct {
	*user
	d   *edit.Buffer
	e   Editor
	res Edited
}

func newEditUser(t *testing.T, text string) *editUser {
	eu := &editUser{d: newBuffer(text)}
	eu.user = newUser(t, 640, 400, func(c *Context) { eu.res = c.Edit(Rect{0, 0, 600, 400}, "text", eu.d, eu.e) })
	eu.st.Focus(Name("text"))
	eu.run()
	return eu
}

// TestEditorKeys presses keys in an editor and compares the text.
func TestEditorKeys(t *testing.T) {
	for _, k := range []struct {
		name, text, keys, want string
		e                      Editor
	}{
		{name: "Enter keeps the indentation", text: "\tp", keys: "End Enter q", want: "\tp\n\tq"},
		{name: "Enter indents after an opening sign", text: "p :-", keys: "End Enter q", want: "p :-\n\tq", e: Editor{Opens: []string{":-"}}},
		{name: "Tab", text: "ab", keys: "ArrowRight Tab", want: "a\tb"},
		{name: "Tab indents lines", text: "a\n\nb\nc", keys: "Shift+ArrowDown Shift+ArrowDown Shift+ArrowDown Tab", want: "\ta\n\n\tb\nc"},
		{name: "Shift+Tab unindents lines", text: "\ta\n    b\n  c", keys: "Control+a Shift+Tab", want: "a\nb\nc"},
		{name: "the caret keeps its column", text: "long line\nx\nlong line", keys: "End ArrowDown ArrowDown !", want: "long line\nx\nlong line!"},
		{name: "the caret keeps its column over tabs", text: "abcdef\n\tx", keys: "ArrowRight ArrowRight ArrowRight ArrowRight ArrowDown !", want: "abcdef\n\t!x"},
		{name: "Home goes to the text first", text: "  ab", keys: "End Home ! Home Home ?", want: "?  !ab"},
		{name: "Backspace joins lines", text: "a\nb", keys: "ArrowDown Backspace", want: "ab"},
		{name: "start and end of the text", text: "a\nb\nc", keys: "Control+End ! Control+Home ?", want: "?a\nb\nc!"},
		{name: "PageDown", text: strings.Repeat("\n", 100), keys: "PageDown PageDown x", want: strings.Repeat("\n", 36) + "x" + strings.Repeat("\n", 64)},
		{name: "undo of an indent is one step", text: "a\nb", keys: "Control+a Tab Control+z", want: "a\nb"},
	} {
		u := newEditUser(t, k.text)
		u.e = k.e
		u.keys(strings.Fields(k.keys)...)
		if got := u.d.Text(); got != k.want {
			t.Errorf("%s: the text is %q, want %q", k.name, got, k.want)
		}
	}
}

// TestEditorLeave leaves an editor by Escape and Tab.
func TestEditorLeave(t *testing.T) {
	n := 0
	d := newBuffer("a")
	u := newUser(t, 300, 200, func(c *Context) {
		c.Edit(Rect{0, 0, 300, 100}, "text", d, Editor{})
		if button(c, Rect{0, 120, 100, 148}, "b", "B") {
			n++
		}
	})
	u.click("text")
	u.keys("Tab")
	if d.Text() == "a" {
		t.Error("Tab did not change the text")
	}
	u.keys("Escape", "Tab", "Enter")
	if n != 1 {
		t.Error("Escape and Tab did not move the focus to the button")
	}
}

// TestEditorPointer places the caret and selects letters, lines and by line numbers with the pointer.
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
	if u.d.Caret() != (edit.Pos{Line: 1, Col: 3}) {
		t.Errorf("a press behind a tab and two letters moved the caret to %v, want 1:3", u.d.Caret())
	}
	ax, ay := at(0, 6)
	u.drag(ax, ay, x, y)
	u.keys("Control+c")
	if u.copy != "line\n\tse" {
		t.Errorf("a drag selected %q, want the part between its ends", u.copy)
	}
	u.in.Now += time.Second
	for range 3 {
		u.down(x, y)
		u.up(x, y)
		u.keys("Control+c")
	}
	if u.copy != "\tsecond line\n" {
		t.Errorf("three clicks selected %q, want the line", u.copy)
	}
	u.clickAt(5, ay)
	u.keys("Control+c")
	if u.copy != "first line\n" {
		t.Errorf("a press of the line number selected %q, want the line", u.copy)
	}
	u.clickAt(300, 390)
	if u.d.Caret() != (edit.Pos{Line: 2, Col: 5}) {
		t.Errorf("a press below the text moved the caret to %v, want the end", u.d.Caret())
	}
}

// TestEditorProblems shows a problem behind its line and as its tooltip.
func TestEditorProblems(t *testing.T) {
	u := newEditUser(t, "good\nbad word here\ngood")
	u.e.Problems = []Problem{{Line: 1, From: 4, To: 8, Severity: Failure, Text: "no such word"}}
	u.run()
	if !slices.Contains(texts(&u.base), "no such word") {
		t.Errorf("the editor shows %q, want the problem too", texts(&u.base))
	}
	u.move(100, 4+20+10)
	u.wait(time.Second)
	if s := texts(&u.over); !slices.Equal(s, []string{"no such word"}) {
		t.Errorf("tooltip of the line with the problem: %q, want the problem", s)
	}
	u.move(100, 10)
	u.wait(time.Second)
	if s := texts(&u.over); len(s) != 0 {
		t.Errorf("tooltip of another line: %q, want none", s)
	}
}

// TestEditorLarge edits 10,000 lines and a very long one. The editor draws the visible part, and the caret stays visible.
func TestEditorLarge(t *testing.T) {
	u := newEditUser(t, strings.Repeat("a line of text\n", 10_000)+strings.Repeat("wide ", 100_000))
	u.e.Color = func(line int, s string) []Span { return nil }
	u.run()
	if n := u.base.Len(); n > 120 {
		t.Errorf("the list of 20 visible lines has %d operations, want at most 120", n)
	}
	u.keys("Control+End")
	if n := u.base.Bytes(); n > 20_000 {
		t.Errorf("the list of the visible part of a long line has %d bytes, want at most 20000", n)
	}
	u.typed("!")
	if !strings.HasSuffix(u.d.Text(), "wide !") {
		t.Error("the letter is not at the end of the text")
	}
	found := false
	for _, w := range written(&u.base) {
		found = found || strings.HasSuffix(w.text, "!") && w.box.X1 < 600 && w.box.X1 > 300
	}
	if !found {
		t.Error("the end of the text, with the caret, is not visible")
	}
	u.d.Select(edit.Pos{Line: 5000}, edit.Pos{Line: 5000})
	u.d.Reveal()
	u.run()
	if !slices.Contains(texts(&u.base), "5001") {
		t.Error("line 5001 is not visible after Reveal")
	}
}

// TestEditorDragBeyond drags below the editor and holds the pointer there. The selection grows until the button is released.
func TestEditorDragBeyond(t *testing.T) {
	u := newEditUser(t, strings.Repeat("line\n", 500))
	u.down(100, 100)
	u.move(100, 395)
	u.move(100, 450)
	start := u.d.Caret().Line
	for range 10 {
		if u.last.Next < 0 {
			t.Fatal("the editor does not request another pass")
		}
		u.wait(max(u.last.Next-u.in.Now, 0))
	}
	if got := u.d.Caret().Line - start; got < 8 {
		t.Errorf("in ten passes the selection grew by %d lines, want at least 8", got)
	}
	u.up(100, 450)
	end := u.d.Caret()
	u.wait(time.Second)
	if u.d.Caret() != end {
		t.Error("the selection grows after the button was released")
	}
}
