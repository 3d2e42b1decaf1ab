package handout

import (
	"testing"

	"whorl/lesson"
	"whorl/visual/scene"
)

// TestWords checks that a number is one word with its unit, and that emphasis differs from plain text.
func TestWords(t *testing.T) {
	all := words([]lesson.Span{{Text: "It has 12 ms or "}, {Text: "50.3 %", Style: lesson.Computed}, {Text: " of "}, {Text: "all", Style: lesson.Emphasis}, {Text: "."}})
	want := []word{
		{"It", scene.Regular, false}, {"has", scene.Regular, true}, {"12 ms", scene.Regular, true}, {"or", scene.Regular, true}, {"50.3 %", scene.Regular, true}, {"of", scene.Regular, true}, {"all", scene.Bold, true}, {".", scene.Regular, false},
	}
	for i, w := range want {
		if i >= len(all) || all[i] != w {
			t.Fatalf("the words are %v, want %v", all, want)
		}
	}
}
