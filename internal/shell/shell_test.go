package shell

import "testing"

// TestLine: words with blanks and signs of the shell are quoted.
func TestLine(t *testing.T) {
	got := Line("whorl", "run", "", "my file", "it's", "$HOME", "a/b.c:1=2,+@%-_", "main(X)")
	if want := `whorl run '' 'my file' 'it'\''s' '$HOME' a/b.c:1=2,+@%-_ 'main(X)'`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
