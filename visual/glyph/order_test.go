package glyph

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/scene"
)

// hebrew replaces capitals by Hebrew letters, following the convention of the examples in UAX 9.
func hebrew(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return 0x5d0 + r - 'A'
		}
		return r
	}, s)
}

// TestOrdered checks examples of UAX 9 and cases of its rules.
func TestOrdered(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"plain (text) 12, é", "plain (text) 12, é"},
		{"car is THE CAR in arabic", "car is RAC EHT in arabic"},
		{`he said "THE VALUES ARE 123, 456, 789, OK".`, `he said "KO ,789 ,456 ,123 ERA SEULAV EHT".`},
		{"THE CAR", "RAC EHT"},
		{"THE car", "EHT car"},
		{"ABC 1,234.5 DEF", "FED 1,234.5 CBA"},
		{"ABC 12", "12 CBA"},
		{"12 ABC", "12 CBA"},
		{"a1 ABC b2", "a1 CBA b2"},
		{"ABC (DEF) GHI", "IHG (FED) CBA"},
		{"f(ABC, x)", "f(CBA, x)"},
		{"module.ABC.DEF +3", "module.3+ FED.CBA"},
	} {
		if got := string(ordered([]byte(hebrew(c.text)))); got != hebrew(c.want) {
			t.Errorf("%q: %q, want %q", hebrew(c.text), got, hebrew(c.want))
		}
	}
	if got := string(ordered([]byte("سلام ٣٤"))); got != "٣٤ مالس" {
		t.Errorf("%q", got)
	}
	if got := string(ordered([]byte("שָׁלוֹם"))); got != "םוֹלשָׁ" {
		t.Errorf("a mark is separated from its letter: %q", got)
	}
}

// TestOrderedKeeps checks that no character is lost and that text without right-to-left letters is unchanged.
func TestOrderedKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.RuneFrom([]rune("ab1 .,אבגد٣")), rapid.RuneFrom([]rune("x+-é")))).Draw(t, "text")
		got := ordered([]byte(text))
		a, b := []rune(text), []rune(string(got))
		if !strings.ContainsAny(text, "אבגد٣") && string(got) != text {
			t.Errorf("%q has become %q", text, got)
		}
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Errorf("%q has become %q", text, got)
		}
	})
}

// TestDrawnFromTheRight checks that masks and outlines are in visual order, that the width is unchanged, and that
// monospaced text keeps its order.
func TestDrawnFromTheRight(t *testing.T) {
	s := New()
	text, turned := []byte("אבג x"), []byte("גבא x")
	same := func(a, b []Placed) bool {
		return slices.EqualFunc(a, b, func(a, b Placed) bool { return a.X == b.X && a.Y == b.Y && a.Mask == b.Mask })
	}
	masks := func(text []byte, f scene.Face) []Placed { return s.Place(nil, text, 3, 20, 14, f) }
	var line, letter Path
	s.Outlines(&line, text, 90, scene.Regular)
	s.Outlines(&letter, []byte("ג"), 90, scene.Regular)
	if n := len(letter.Points); n == 0 || len(line.Points) < n || !slices.Equal(line.Points[:n], letter.Points) {
		t.Error("the outlines do not begin with the last letter")
	}
	first, last := masks([]byte("ג"), scene.Regular), masks([]byte("א"), scene.Regular)
	if got := masks(text, scene.Regular); got[0].Mask != first[0].Mask || got[0].Mask == last[0].Mask {
		t.Error("the masks do not begin with the last letter")
	}
	if got := masks(text, scene.Mono); same(got, masks(text, scene.Regular)) {
		t.Error("monospaced text is reordered")
	}
	if s.Width(string(text), 14, scene.Regular) != s.Width(string(turned), 14, scene.Regular) {
		t.Error("reordering changes the width")
	}
}
