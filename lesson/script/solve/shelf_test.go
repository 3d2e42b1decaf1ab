package solve_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"whorl/lesson"
	"whorl/lesson/script/solve"
	"whorl/lessons"
	"whorl/testdata/must"
)

// TestBundle checks that lessons that went through JSON are those of the shelf, with the same verdicts.
func TestBundle(t *testing.T) {
	text := must.Get(json.Marshal(must.Get(solve.Bundle(context.Background()))(t)))(t)
	b := must.Get(lesson.ReadBundle(text))(t)
	var shelf solve.Shelf
	heads, own := must.Get(b.Heads("de"))(t), must.Get(shelf.Heads("de"))(t)
	if !slices.EqualFunc(heads, own, func(a, b lesson.Head) bool { return a.Name == b.Name && a.Title == b.Title && a.Lang == b.Lang }) || len(heads) != len(lessons.Names) {
		t.Errorf("%+v\n%+v", heads, own)
	}
	for _, h := range heads {
		l := must.Get(b.Open(context.Background(), h.Name, h.Lang, "", nil))(t)
		computed := must.Get(shelf.Open(context.Background(), h.Name, h.Lang, "", nil))(t)
		if a, c := must.Get(json.Marshal(l))(t), must.Get(json.Marshal(computed))(t); string(a) != string(c) {
			t.Errorf("%s differs from the lesson on the shelf", h.Name)
		}
		walk(t, l)
		for _, set := range l.Sets {
			if other := must.Get(b.Open(context.Background(), h.Name, h.Lang, set, nil))(t); other.Set != set {
				t.Errorf("%s: set %q, want %q", h.Name, other.Set, set)
			}
		}
	}
	if _, err := b.Open(context.Background(), "load-balance", "en", "", map[string]string{"pes": "3"}); err == nil {
		t.Error("a bundle has values that it was not computed for")
	}
	t.Logf("%d lessons in %d bytes", len(b.Lessons), len(text))
}
