package glyph

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/scene"
)

// hebrew has letters of Hebrew for capitals, as the examples of UAX 9 mean them.
func hebrew(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return 0x5d0 + r - 'A'
		}
		return r
	}, s)
}

// The examples are of UAX 9, or as it says.
func TestOrdered(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"plain (text) 12, é":       "plain (text) 12, é",
		"car is THE CAR in arabic": "car is RAC EHT in arabic",
		`he said "THE VALUES ARE 123, 456, 789, OK".`: `he said "KO ,789 ,456 ,123 ERA SEULAV EHT".`,
		"THE CAR":           "RAC EHT",
		"THE car":           "EHT car",
		"ABC 1,234.5 DEF":   "FED 1,234.5 CBA",
		"ABC 12":            "12 CBA",
		"12 ABC":            "12 CBA",
		"a1 ABC b2":         "a1 CBA b2",
		"ABC (DEF) GHI":     "IHG (FED) CBA",
		"f(ABC, x)":         "f(CBA, x)",
		"module.ABC.DEF +3": "module.3+ FED.CBA",
	} {
		if got := string(ordered([]byte(hebrew(text)))); got != hebrew(want) {
			t.Errorf("%q: %q, want %q", hebrew(text), got, hebrew(want))
		}
	}
	if got := string(ordered([]byte("سلام ٣٤"))); got != "٣٤ مالس" {
		t.Errorf("%q", got)
	}
	if got := string(ordered([]byte("שָׁלוֹם"))); got != "םוֹלשָׁ" {
		t.Errorf("a mark has left its letter: %q", got)
	}
}

// Nothing is lost, and what has no letters that are written from the right stays as it is.
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

// What is drawn is in that order, as masks and as outlines, and is as long as it was; code stays as it is edited.
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
		t.Error("the line does not begin with its last letter")
	}
	if got := masks(text, scene.Mono); same(got, masks(text, scene.Regular)) {
		t.Error("code is turned around")
	}
	if s.Width(string(text), 14, scene.Regular) != s.Width(string(turned), 14, scene.Regular) {
		t.Error("it is of another width")
	}
}
