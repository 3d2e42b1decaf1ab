package shell

import (
	"slices"
	"strings"
	"testing"
)

// TestLine: words with blanks and signs of the shell are quoted.
func TestLine(t *testing.T) {
	got := Line("whorl", "run", "", "my file", "it's", "$HOME", "a/b.c:1=2,+@%-_", "main(X)")
	if want := `whorl run '' 'my file' 'it'\''s' '$HOME' a/b.c:1=2,+@%-_ 'main(X)'`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestWords: what Line writes is read back, and a quotation mark without an end is an error.
func TestWords(t *testing.T) {
	words := []string{"whorl", "", "my file", "it's", `back\slash`, "main(X)"}
	if got, err := Words(Line(words...) + `  a\ b`); err != nil || !slices.Equal(got, append(words, "a b")) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Words("run 'it"); err == nil || !strings.Contains(err.Error(), "a quotation mark is not closed") {
		t.Errorf("an open quotation: %v", err)
	}
}
