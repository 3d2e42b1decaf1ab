package parallelize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An expectation is what a comment of a test file says about a line.
type expectation struct {
	line   int
	forked bool
	reason string // a part of it
}

// expected reads the comments "// forked" and "// left: part of the reason" behind the lines of a file.
func expected(t *testing.T, path string) (out []expectation) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	line := 0
	for l := range strings.Lines(string(text)) {
		line++
		for _, part := range strings.Split(l, "//")[1:] {
			part = strings.TrimSpace(part)
			if reason, ok := strings.CutPrefix(part, "left: "); ok {
				out = append(out, expectation{line, false, reason})
			} else if part == "forked" {
				out = append(out, expectation{line: line, forked: true})
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s expects nothing", path)
	}
	return out
}

// TestNotes holds that what is expected at a line is said there. In the file of what is refused nothing else may be said.
func TestNotes(t *testing.T) {
	for _, name := range []string{"functions", "refused"} {
		path := filepath.Join("testdata", name, "main.go")
		r, err := File(path, Options{Grain: 4})
		if err != nil {
			t.Fatal(err)
		}
		notes := r.Notes
		for _, e := range expected(t, path) {
			found := false
			for i, n := range notes {
				if n.Pos.Line == e.line && n.Forked == e.forked && (e.forked || strings.Contains(n.Text, e.reason)) {
					notes, found = append(notes[:i:i], notes[i+1:]...), true
					break
				}
			}
			if !found {
				t.Errorf("%s:%d: expected %+v", path, e.line, e)
			}
		}
		for _, n := range notes {
			if name == "refused" {
				t.Errorf("not expected: %v", n)
			}
		}
	}
}
