package edit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// offset returns the byte of a place in the text as one string.
func offset(d *Buffer, p Pos) int {
	n := 0
	for i := range p.Line {
		n += len(d.Line(i)) + 1
	}
	return n + p.Col
}

// TestAgainstString makes random changes, undoes and redoes them, and compares the text with a string changed in the same way.
func TestAgainstString(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"a", "bc", " ", "\n", "ä", "\n\n", "日本\n", "", "e\u0301", "x\ny"}
	for round := range 60 {
		d := &Buffer{}
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
				t.Fatal("a change kept the revision")
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
		if d.Undo() {
			t.Fatal("Undo goes back beyond the first change")
		}
		for _, want := range states[1:] {
			if !d.Redo() || d.Text() != want {
				t.Fatalf("round %d: redone to %q, want %q", round, d.Text(), want)
			}
		}
		if d.Redo() {
			t.Fatal("Redo goes beyond the last change")
		}
	}
}

// TestMoves moves through a text by characters and words in both directions.
func TestMoves(t *testing.T) {
	d := &Buffer{}
	d.SetText("one, two_3\n\ne\u0301tude ä")
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
		{"words to the right", "0:3 0:4 0:10 1:0 2:0 2:7 2:10", Pos{}, d.WordRight},
		{"words to the left", "2:8 2:0 1:0 0:10 0:5 0:3 0:0", end, d.WordLeft},
		{"letters to the right from 2:0", "2:3 2:4 2:5 2:6 2:7 2:8 2:10", Pos{2, 0}, d.Right},
	} {
		if got := walk(k.from, k.step); got != k.want {
			t.Errorf("%s: %s, want %s", k.name, got, k.want)
		}
	}
	if n := len(strings.Fields(walk(end, d.Left))); n != 19 {
		t.Errorf("%d letters to the left, want 19", n)
	}
}

// TestType types, inserts and undoes: words typed are undone one by one, other changes as a whole.
func TestType(t *testing.T) {
	b := &Buffer{}
	for _, c := range "two words" {
		b.Type(string(c))
	}
	b.Type("") // nothing
	b.Insert("!\r\n")
	b.Type("a\x00b\tc\xff")
	want := []string{"two words!\nab\tc\uFFFD", "two words!\n", "two words", "two ", ""}
	for i, w := range want {
		if b.Text() != w {
			t.Errorf("after %d times undo the text is %q, want %q", i, b.Text(), w)
		}
		b.Undo()
	}
	b.SetText("one\ntwo")
	if b.Undo() {
		t.Error("SetText can be undone")
	}
	b.Select(Pos{0, 1}, Pos{9, 9})
	if b.Anchor() != (Pos{0, 1}) || b.Caret() != b.End() {
		t.Errorf("the selection goes from %v to %v, want 0:1 to the end", b.Anchor(), b.Caret())
	}
	b.Type("")
	if b.Text() != "one\ntwo" {
		t.Errorf("typing nothing over a selection leaves %q", b.Text())
	}
	b.Replace(Pos{0, 0}, Pos{1, 0}, "x\r")
	if b.Text() != "x\ntwo" || b.Caret() != (Pos{1, 0}) {
		t.Errorf("after Replace the text is %q and the caret at %v", b.Text(), b.Caret())
	}
}

// TestWord selects words, blanks and signs.
func TestWord(t *testing.T) {
	b := &Buffer{}
	b.SetText("ab_1  := x\n")
	for _, k := range []struct {
		place Pos
		want  string
	}{{Pos{0, 0}, "ab_1"}, {Pos{0, 2}, "ab_1"}, {Pos{0, 4}, "  "}, {Pos{0, 7}, ":="}, {Pos{0, 10}, "x"}, {Pos{1, 0}, ""}} {
		if got := b.Part(b.Word(k.place)); got != k.want {
			t.Errorf("the word at %v is %q, want %q", k.place, got, k.want)
		}
	}
}

// TestReveal asks for the caret once.
func TestReveal(t *testing.T) {
	b := &Buffer{}
	if b.Reveal(); !b.Revealing() {
		t.Error("Reveal has no effect")
	}
	if b.Revealed(); b.Revealing() {
		t.Error("the caret is still to be revealed after Revealed")
	}
}
