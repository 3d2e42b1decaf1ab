package widget

import (
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/visual/edit"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestField types, deletes, undoes, copies and pastes in a field, and selects with the pointer.
func TestField(t *testing.T) {
	text, done := "", 0
	u := usertest.New(t, 300, 100, func(c *ui.Context) {
		if Field(c, ui.Rect{X0: 10, Y0: 10, X1: 110, Y1: 38}, "f", &text, FieldOptions{Hint: "Name"}).Done {
			done++
		}
	})
	want := func(action, s string) {
		t.Helper()
		if text != s {
			t.Errorf("after %s the text is %q, want %q", action, text, s)
		}
	}
	if s := usertest.Strings(&u.Base); !slices.Equal(s, []string{"Name"}) {
		t.Errorf("the empty field shows %q, want its hint", s)
	}
	u.Type("abc")
	want("typing without the focus", "")
	u.ClickOn("f")
	if !u.Last.Typing || u.Last.Cursor != ui.Beam {
		t.Errorf("after a click Result.Typing is %v, want true, and the cursor %d, want %d", u.Last.Typing, u.Last.Cursor, ui.Beam)
	}
	u.Type("two words")
	want("typing", "two words")
	u.Keys("Control+Backspace")
	want("Control+Backspace", "two ")
	u.Keys("Control+z")
	want("undo", "two words")
	u.Keys("Control+z", "Control+z")
	want("two more undos", "")
	u.Keys("Control+y", "Control+Shift+Z")
	want("redo", "two words")
	u.Keys("Home", "Shift+End", "Control+c", "Control+x")
	want("a cut", "")
	if u.Copied != "two words" {
		t.Errorf("a cut copied %q, want \"two words\"", u.Copied)
	}
	u.Keys("Control+v")
	if !u.Last.Paste {
		t.Error("Control+V does not ask for the clipboard")
	}
	u.Run(ui.Event{Kind: ui.Text, Text: "a\nb\tc\r\nd\x00\xff"})
	want("a paste", "a b c d\uFFFD")
	u.Keys("Backspace", "ArrowLeft", "ArrowLeft", "Delete", "Delete", "Delete", "Control+a")
	want("Backspace and Delete", "a b c")
	u.Type("äb")
	want("typing over a selection", "äb")
	u.Keys("ArrowLeft", "Backspace")
	want("Backspace over a letter of two bytes", "b")
	u.Keys("Enter")
	if done != 1 {
		t.Errorf("Enter was reported %d times, want 1", done)
	}
	text = "from outside"
	u.Run()
	u.Keys("End", "!")
	want("a change by the caller and typing", "from outside!")
	u.In.Now += time.Second
	x, y := u.Mid("f")
	for range 2 {
		u.Down(x-30, y)
		u.Up(x-30, y)
	}
	u.Keys("Control+c")
	if u.Copied != "outside" && u.Copied != "from" {
		t.Errorf("a double click selected %q, want a word", u.Copied)
	}
	u.Drag(x+40, y, 0, y)
	u.Keys("Control+c")
	if !strings.HasPrefix("from outside!", u.Copied) && !strings.HasSuffix("from outside!", u.Copied) || u.Copied == "" {
		t.Errorf("a drag selected %q, want a part at an end", u.Copied)
	}
}

// TestCaretSeen types more text than the field has room for. The caret stays visible.
func TestCaretSeen(t *testing.T) {
	text := ""
	u := usertest.New(t, 300, 100, func(c *ui.Context) { Field(c, ui.Rect{X0: 10, Y0: 10, X1: 90, Y1: 38}, "f", &text, FieldOptions{}) })
	u.ClickOn("f")
	u.Type(strings.Repeat("wide ", 20))
	end := func() ui.Rect { return usertest.Written(&u.Base)[0].Box }
	if x := end().X1; x > 90 || x < 70 {
		t.Errorf("with the caret at the end the text ends at %g, want between 70 and 90", x)
	}
	u.Keys("Home")
	if x := end().X0; x < 10 || x > 30 {
		t.Errorf("with the caret at the start the text begins at %g, want between 10 and 30", x)
	}
}

// An editUser uses an editor that fills the window.
type editUser struct {
	*usertest.User
	d   *edit.Buffer
	e   EditorOptions
	res EditorResult
}

func newEditUser(t *testing.T, text string) *editUser {
	eu := &editUser{d: newBuffer(text)}
	eu.User = usertest.New(t, 640, 400, func(c *ui.Context) { eu.res = Editor(c, ui.Rect{X0: 0, Y0: 0, X1: 600, Y1: 400}, "text", eu.d, eu.e) })
	eu.Widgets.Focus(usertest.Name("text"))
	eu.Run()
	return eu
}

// TestEditorKeys presses keys in an editor and compares the text.
func TestEditorKeys(t *testing.T) {
	for _, k := range []struct {
		name, text, keys, want string
		e                      EditorOptions
	}{
		{name: "Enter keeps the indentation", text: "\tp", keys: "End Enter q", want: "\tp\n\tq"},
		{name: "Enter indents after an opening sign", text: "p :-", keys: "End Enter q", want: "p :-\n\tq", e: EditorOptions{Opens: []string{":-"}}},
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
		u.Keys(strings.Fields(k.keys)...)
		if got := u.d.Text(); got != k.want {
			t.Errorf("%s: the text is %q, want %q", k.name, got, k.want)
		}
	}
}

// TestEditorLeave leaves an editor by Escape and Tab.
func TestEditorLeave(t *testing.T) {
	n := 0
	d := newBuffer("a")
	u := usertest.New(t, 300, 200, func(c *ui.Context) {
		Editor(c, ui.Rect{X0: 0, Y0: 0, X1: 300, Y1: 100}, "text", d, EditorOptions{})
		if button(c, ui.Rect{X0: 0, Y0: 120, X1: 100, Y1: 148}, "b", "B") {
			n++
		}
	})
	u.ClickOn("text")
	u.Keys("Tab")
	if d.Text() == "a" {
		t.Error("Tab did not change the text")
	}
	u.Keys("Escape", "Tab", "Enter")
	if n != 1 {
		t.Error("Escape and Tab did not move the focus to the button")
	}
}

// TestEditorPointer places the caret and selects letters, lines and by line numbers with the pointer.
func TestEditorPointer(t *testing.T) {
	u := newEditUser(t, "first line\n\tsecond line\nthird")
	cell := letters.Width("0", 13, 2)
	x0 := float32(0)
	for _, w := range usertest.Written(&u.Base) {
		if w.Text == "first line" {
			x0 = w.Box.X0
		}
	}
	at := func(line, col int) (float32, float32) { return x0 + cell*float32(col) + 1, 4 + 20*float32(line) + 10 }
	x, y := at(1, 6)
	u.ClickAt(x, y)
	if u.d.Caret() != (edit.Pos{Line: 1, Col: 3}) {
		t.Errorf("a press behind a tab and two letters moved the caret to %v, want 1:3", u.d.Caret())
	}
	ax, ay := at(0, 6)
	u.Drag(ax, ay, x, y)
	u.Keys("Control+c")
	if u.Copied != "line\n\tse" {
		t.Errorf("a drag selected %q, want the part between its ends", u.Copied)
	}
	u.In.Now += time.Second
	for range 3 {
		u.Down(x, y)
		u.Up(x, y)
		u.Keys("Control+c")
	}
	if u.Copied != "\tsecond line\n" {
		t.Errorf("three clicks selected %q, want the line", u.Copied)
	}
	u.ClickAt(5, ay)
	u.Keys("Control+c")
	if u.Copied != "first line\n" {
		t.Errorf("a press of the line number selected %q, want the line", u.Copied)
	}
	u.ClickAt(300, 390)
	if u.d.Caret() != (edit.Pos{Line: 2, Col: 5}) {
		t.Errorf("a press below the text moved the caret to %v, want the end", u.d.Caret())
	}
}

// TestEditorProblems shows a problem behind its line and as its tooltip.
func TestEditorProblems(t *testing.T) {
	u := newEditUser(t, "good\nbad word here\ngood")
	u.e.Problems = []Problem{{Line: 1, From: 4, To: 8, Severity: ui.Failure, Text: "no such word"}}
	u.Run()
	if !slices.Contains(usertest.Strings(&u.Base), "no such word") {
		t.Errorf("the editor shows %q, want the problem too", usertest.Strings(&u.Base))
	}
	u.Move(100, 4+20+10)
	u.Wait(time.Second)
	if s := usertest.Strings(&u.Over); !slices.Equal(s, []string{"no such word"}) {
		t.Errorf("tooltip of the line with the problem: %q, want the problem", s)
	}
	u.Move(100, 10)
	u.Wait(time.Second)
	if s := usertest.Strings(&u.Over); len(s) != 0 {
		t.Errorf("tooltip of another line: %q, want none", s)
	}
}

// TestEditorLarge edits 10,000 lines and a very long one. The editor draws the visible part, and the caret stays visible.
func TestEditorLarge(t *testing.T) {
	u := newEditUser(t, strings.Repeat("a line of text\n", 10_000)+strings.Repeat("wide ", 100_000))
	u.e.Color = func(line int, s string) []Span { return nil }
	u.Run()
	if n := u.Base.Len(); n > 120 {
		t.Errorf("the list of 20 visible lines has %d operations, want at most 120", n)
	}
	u.Keys("Control+End")
	if n := u.Base.Bytes(); n > 20_000 {
		t.Errorf("the list of the visible part of a long line has %d bytes, want at most 20000", n)
	}
	u.Type("!")
	if !strings.HasSuffix(u.d.Text(), "wide !") {
		t.Error("the letter is not at the end of the text")
	}
	found := false
	for _, w := range usertest.Written(&u.Base) {
		found = found || strings.HasSuffix(w.Text, "!") && w.Box.X1 < 600 && w.Box.X1 > 300
	}
	if !found {
		t.Error("the end of the text, with the caret, is not visible")
	}
	u.d.Select(edit.Pos{Line: 5000}, edit.Pos{Line: 5000})
	u.d.Reveal()
	u.Run()
	if !slices.Contains(usertest.Strings(&u.Base), "5001") {
		t.Error("line 5001 is not visible after Reveal")
	}
}

// TestEditorDragBeyond drags below the editor and holds the pointer there. The selection grows until the button is released.
func TestEditorDragBeyond(t *testing.T) {
	u := newEditUser(t, strings.Repeat("line\n", 500))
	u.Down(100, 100)
	u.Move(100, 395)
	u.Move(100, 450)
	start := u.d.Caret().Line
	for range 10 {
		if u.Last.Next < 0 {
			t.Fatal("the editor does not request another pass")
		}
		u.Wait(max(u.Last.Next-u.In.Now, 0))
	}
	if got := u.d.Caret().Line - start; got < 8 {
		t.Errorf("in ten passes the selection grew by %d lines, want at least 8", got)
	}
	u.Up(100, 450)
	end := u.d.Caret()
	u.Wait(time.Second)
	if u.d.Caret() != end {
		t.Error("the selection grows after the button was released")
	}
}
