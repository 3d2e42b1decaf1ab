package views

import (
	"regexp"
	"testing"

	"whorl/visual/view"
)

func TestKindsAreComplete(t *testing.T) {
	word := regexp.MustCompile(`^[a-z]+$`)
	seen := map[string]bool{}
	for _, k := range All {
		if !word.MatchString(k.Name) || seen[k.Name] || k.Title == "" || k.Doc == "" || !view.Implements[view.Picture](k) || len(k.Needs) == 0 {
			t.Errorf("%q is incomplete or there twice", k.Name)
		}
		seen[k.Name] = true
		params := map[string]bool{view.Window: true, view.Counted: true}
		for _, p := range k.Params {
			params[p.Name] = true
			if p.Doc == "" || p.Default == nil {
				t.Errorf("%s: parameter %s says nothing", k.Name, p.Name)
			}
		}
		read := map[string]bool{}
		for _, p := range k.Picture.Params() {
			read[p] = true
			if !params[p] {
				t.Errorf("%s: a stage reads %s, which nobody can set", k.Name, p)
			}
		}
		for p := range params {
			if !read[p] && p != view.Background.Name && p != view.Window && p != view.Counted {
				t.Errorf("%s: no stage reads parameter %s", k.Name, p)
			}
		}
		for _, key := range k.Keys {
			if key.Action.Do == view.SetParam {
				p, err := k.Param(key.Action.Name)
				if err == nil {
					_, err = p.Parse(key.Action.Value)
				}
				if err != nil {
					t.Errorf("%s: key %s: %v", k.Name, key.Key, err)
				}
			}
		}
	}
}
