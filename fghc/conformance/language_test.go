package conformance_test

import (
	"strings"
	"testing"

	"whorl/fghc/check"
	"whorl/fghc/syntax"
	"whorl/fghc/testdata/programs"
	"whorl/fghc/testdata/reference"
	"whorl/testdata/must"
)

// TestLanguageFiles runs the language tests of the engine on the reference, without builtins and messages that only
// engines have.
func TestLanguageFiles(t *testing.T) {
	tried, left := 0, 0
	for _, file := range programs.Language() {
		if file.Name == "endless.fghc" || file.Name == "library.kl1" {
			continue // the reference cannot show cyclic terms
		}
		f, errs := check.Program(file.Name, file.Text)
		must.Do(t, errs.Err())
		for _, q := range file.Queries {
			goals, errs := check.Files{f}.Query("query", q.Goals)
			must.Do(t, errs.Err())
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
			if answer := strings.Join(got, ", "); q.Error == "" && (r.Err != nil || answer != q.Answer) {
				t.Errorf("%s: %s, %v\nexpected %s", q.Position, answer, r.Err, q.Answer)
			}
			if q.Error != "" && r.Err == nil {
				t.Errorf("%s: %v\nexpected error %s", q.Position, got, q.Error)
			}
		}
	}
	t.Logf("%d queries, %d left out", tried, left)
	if tried < 4*left {
		t.Errorf("only %d queries, %d left out", tried, left)
	}
}
