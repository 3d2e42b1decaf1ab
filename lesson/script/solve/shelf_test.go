package solve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
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
	if a, c := must.Get(json.Marshal(heads))(t), must.Get(json.Marshal(own))(t); string(a) != string(c) || len(heads) != len(lessons.Names) {
		t.Errorf("%s\n%s", a, c)
	}
	begun := must.Get(lesson.ReadHeads(bytes.NewReader(text[:len(text)/4])))(t)
	if a, c := must.Get(json.Marshal(begun.All))(t), must.Get(json.Marshal(b.All))(t); string(a) != string(c) {
		t.Errorf("the heads of the first quarter of the file are %s", a)
	}
	for _, wrong := range []string{"", "{", `{"lessons":[]}`, `{"heads":3}`, "[]"} {
		if got, err := lesson.ReadHeads(strings.NewReader(wrong)); err == nil {
			t.Errorf("%q has the heads %v", wrong, got.All)
		}
	}
	for _, h := range heads {
		if h.Cover == nil || h.Cover.View == "" || h.Cover.Run.PEs == 0 {
			t.Errorf("%s has the cover %+v", h.Name, h.Cover)
		}
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
