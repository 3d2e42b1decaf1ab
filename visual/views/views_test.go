package views

import (
	"regexp"
	"testing"

	"whorl/visual/flow"
	"whorl/visual/view"
)

func TestKindsAreComplete(t *testing.T) {
	word := regexp.MustCompile(`^[a-z]+$`)
	seen := map[string]bool{}
	for _, k := range All {
		if !word.MatchString(k.Name) || seen[k.Name] || k.Title == "" || k.Doc == "" || k.View == nil || len(k.Needs) == 0 {
			t.Errorf("%q is incomplete or there twice", k.Name)
		}
		seen[k.Name] = true
		g, err := flow.New(view.Trace, view.Beside)
		if err == nil {
			_, err = g.Reader(k.Stages...)
		}
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		params := map[string]bool{view.Window: true, view.Counted: true}
		for _, p := range k.Params {
			params[p.Name] = true
			if p.Doc == "" || p.Default == nil {
				t.Errorf("%s: parameter %s says nothing", k.Name, p.Name)
			}
		}
		read := map[string]bool{}
		for _, s := range k.Stages {
			if s.Doc == "" {
				t.Errorf("%s: stage %s says nothing", k.Name, s.Name)
			}
			for _, p := range s.Params {
				read[p] = true
				if !params[p] {
					t.Errorf("%s: stage %s reads %s, which nobody can set", k.Name, s.Name, p)
				}
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
