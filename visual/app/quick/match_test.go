package quick

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		marks         []int
	}{
		{"", "anything", nil},
		{"mr", "makeRow", []int{0, 4}},
		{"row", "a crowd of rows", []int{11, 12, 13}},
		{"Un Do", "Undo", []int{0, 1, 2, 3}},
		{"lu12", "lu.hpf:12", []int{0, 1, 7, 8}},
		{"é", "CAFÉ", []int{3}},
	} {
		if _, marks, ok := Match(c.pattern, c.text); !ok || !slices.Equal(marks, c.marks) {
			t.Errorf("%q in %q: %v, %v; want %v", c.pattern, c.text, marks, ok, c.marks)
		}
	}
	for _, c := range [][2]string{{"x", "anything"}, {"ba", "ab"}, {"aa", "a"}, {"a", ""}, {strings.Repeat("a", 65), strings.Repeat("a", 100)}} {
		if points, marks, ok := Match(c[0], c[1]); ok {
			t.Errorf("%q is found in %q: %d, %v", c[0], c[1], points, marks)
		}
	}
}

// TestBetter: the first text of each row is the better match.
func TestBetter(t *testing.T) {
	for _, c := range [][3]string{
		{"undo", "Undo", "Run the program and do it again"},
		{"ut", "Show Utilisation", "Shut it"},
		{"tl", "Time line", "Castle"},
		{"row", "makeRow/3", "grow on weeds"},
		{"pes", "Number of PEs", "Polygon sides: curved"},
		{"sr", "Show Run", "Show all of the Run"},
	} {
		a, _, okA := Match(c[0], c[1])
		b, _, okB := Match(c[0], c[2])
		if !okA || okB && a <= b {
			t.Errorf("%q: %q has %d points, %q %d", c[0], c[1], a, c[2], b)
		}
	}
}

// TestMatchByDefinition compares the points with those of all ways to place the letters, and counts the points of the marks.
func TestMatchByDefinition(t *testing.T) {
	letter := rapid.SampledFrom([]rune("abAB 1_"))
	rapid.Check(t, func(t *rapid.T) {
		text := []rune(string(rapid.SliceOfN(letter, 0, 9).Draw(t, "text")))
		pattern := []rune(string(rapid.SliceOfN(rapid.SampledFrom([]rune("aB1_")), 1, 4).Draw(t, "pattern")))
		points, marks, ok := Match(string(pattern), string(text))
		best, found := 0, false
		var place func(at []int)
		place = func(at []int) {
			if len(at) == len(pattern) {
				if p := worth(text, at); !found || p > best {
					best, found = p, true
				}
				return
			}
			from := 0
			if len(at) > 0 {
				from = at[len(at)-1] + 1
			}
			for j := from; j < len(text); j++ {
				if unicode.ToLower(text[j]) == unicode.ToLower(pattern[len(at)]) {
					place(append(slices.Clone(at), j))
				}
			}
		}
		place(nil)
		if ok != found || points != best || ok && worth(text, marks) != best {
			t.Fatalf("%q in %q: %d points at %v, %v; want %d, %v", string(pattern), string(text), points, marks, ok, best, found)
		}
	})
}

// worth adds up the points of letters at some places.
func worth(text []rune, at []int) (points int) {
	for i, j := range at {
		points += int(bonus(text, j))
		switch {
		case i == 0:
		case at[i-1] == j-1:
			points += pointNext
		default:
			points -= min(j-at[i-1]-1, mostGap)
		}
	}
	return points
}

// TestRankByDocs: an entry whose description has the text as a word comes before one whose label has its letters far apart, and after one whose label
// has it as a word.
func TestRankByDocs(t *testing.T) {
	all := []Entry{
		{Label: "Polygon sides: curved", Doc: "sides of polygons"},
		{Label: "Show Utilisation", Doc: "share of busy PEs over time"},
		{Label: "Number of PEs"},
		{Label: "Undo", Doc: "types of changes"},
	}
	p := Panel{Text: "pes"}
	p.rank(all)
	var got []int
	for _, f := range p.found {
		got = append(got, f.entry)
	}
	if !slices.Equal(got, []int{2, 1, 0}) || p.found[1].marks != nil {
		t.Errorf("pes finds %v, with marks %v in the label of a description; want 2, 1, 0 without", got, p.found[1].marks)
	}
}
