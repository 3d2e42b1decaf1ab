package conformance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/fghc/check"
	"whorl/fghc/syntax"
	"whorl/fghc/testdata/reference"
)

// TestLanguageFiles runs the language tests of the engine on the reference, without builtins and messages that only engines have.
func TestLanguageFiles(t *testing.T) {
	files, err := filepath.Glob("../engine/testdata/*.[fk]*")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	tried, left := 0, 0
	for _, file := range files {
		if base := filepath.Base(file); base == "endless.fghc" || base == "library.kl1" {
			continue // the reference cannot show cyclic terms
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, errs := check.Program(file, string(text))
		if err := errs.Err(); err != nil {
			t.Fatal(err)
		}
		query := ""
		for n, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, "%? ") {
				query = line[3:]
			}
			if !strings.HasPrefix(line, "%=") && !strings.HasPrefix(line, "%!") {
				continue
			}
			goals, errs := check.Files{f}.Query("query", query)
			if err := errs.Err(); err != nil {
				t.Fatal(err)
			}
			if !reference.Knows(f, goals) {
				left++
				continue
			}
			tried++
			r := reference.Run(f, goals, reference.Config{})
			var got []string
			for _, a := range r.Answers {
				got = append(got, a.Name+" = "+syntax.Format(a.Value))
			}
			want := strings.TrimSpace(line[2:])
			if answer := strings.Join(got, ", "); line[1] == '=' && (r.Err != nil || answer != want) {
				t.Errorf("%s:%d: %s, %v\nexpected %s", file, n+1, answer, r.Err, want)
			}
			if line[1] == '!' && r.Err == nil {
				t.Errorf("%s:%d: %v\nexpected error %s", file, n+1, got, want)
			}
		}
	}
	t.Logf("%d queries, %d left out", tried, left)
	if tried < 4*left {
		t.Errorf("only %d queries, %d left out", tried, left)
	}
}
