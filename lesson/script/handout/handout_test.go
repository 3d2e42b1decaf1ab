package handout_test

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"whorl/lesson/script"
	"whorl/lesson/script/handout"
	"whorl/lesson/script/solve"
	"whorl/lessons"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

func solved(t *testing.T, name string, sets ...string) (all []*solve.Solution) {
	t.Helper()
	s, err := script.Load(must.Get(lessons.Folder(name))(t), name, name, script.English)
	must.Do(t, err)
	var cache solve.Cache
	for _, set := range sets {
		all = append(all, must.Get(cache.Solve(context.Background(), s, set, must.Get(solve.Values(s, set, nil))(t)))(t))
	}
	return all
}

// TestHTML checks that pages name nothing outside themselves, have a text for each picture, and an article for each set.
func TestHTML(t *testing.T) {
	for i, name := range lessons.Names {
		s, err := script.Load(must.Get(lessons.Folder(name))(t), name, name, script.English)
		must.Do(t, err)
		sets := solve.Sets(s)
		page := must.Get(handout.HTML(context.Background(), solved(t, name, sets...)))(t)
		text := regexp.MustCompile(`data:image/svg\+xml;base64,[A-Za-z0-9+/=]+`).ReplaceAllString(string(page), "data:")
		if m := regexp.MustCompile(`(?i)(src|href|url\()=?["']?(https?:|//|file:|[a-z]+\.)`).FindString(text); m != "" {
			t.Errorf("%s: the page names %q", name, m)
		}
		if n := strings.Count(text, "<img "); n == 0 || n != len(regexp.MustCompile(`<img [^>]* alt="[^"]+"`).FindAllString(text, -1)) {
			t.Errorf("%s: %d pictures, some without a text", name, n)
		}
		if n := strings.Count(text, "<article "); n != len(sets) {
			t.Errorf("%s: %d articles for %d sets", name, n, len(sets))
		}
		if i%4 != 0 && !testenv.Soak() { // a sample
			continue
		}
		again := must.Get(handout.HTML(context.Background(), solved(t, name, sets...)))(t)
		if !bytes.Equal(page, again) {
			t.Errorf("%s: two exports differ", name)
		}
	}
}

// TestPDF checks that answers add a page.
func TestPDF(t *testing.T) {
	s := solved(t, "grain-size", "")[0]
	pages := func(answers bool) int {
		return bytes.Count(must.Get(handout.PDF(context.Background(), s, answers))(t), []byte("/Type/Page/"))
	}
	if without, with := pages(false), pages(true); without < 2 || with != without+1 {
		t.Errorf("%d pages without answers, %d with them", without, with)
	}
}
