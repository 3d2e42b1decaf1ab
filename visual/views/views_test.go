package views

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"whorl/visual/icon"
	"whorl/visual/view"
)

func TestKindsAreComplete(t *testing.T) {
	word := regexp.MustCompile(`^[a-z]+$`)
	seen := map[string]bool{}
	for _, k := range All {
		if !word.MatchString(k.Name) || seen[k.Name] || k.Title == "" || k.Doc == "" || k.Icon == icon.None || !view.Implements[view.Picture](k) || len(k.Needs) == 0 {
			t.Errorf("%q is incomplete or registered twice", k.Name)
		}
		seen[k.Name] = true
		params := map[string]bool{view.Window: true, view.Counted: true}
		for _, p := range k.Params {
			params[p.Name] = true
			if p.Doc == "" || p.Default == nil {
				t.Errorf("%s: parameter %s has no documentation or no default", k.Name, p.Name)
			}
		}
		read := map[string]bool{}
		for _, p := range k.Picture.Params() {
			read[p] = true
			if !params[p] {
				t.Errorf("%s: a stage reads %s, which is not a parameter of the view", k.Name, p)
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

// TestLabels checks that each parameter of each view has a short label that differs from those of the others. The labels of fractions and factors
// have a unit.
func TestLabels(t *testing.T) {
	const longest = 24 // a settings bar of 700 points holds two of them with their controls
	for _, k := range All {
		names := map[string]string{}
		for _, p := range k.Params {
			first, _ := utf8.DecodeRuneInString(p.Label)
			if !unicode.IsUpper(first) || utf8.RuneCountInString(p.Label) > longest {
				t.Errorf("%s: the label of %s is %q, want a capital and at most %d characters", k.Name, p.Name, p.Label, longest)
			}
			if _, number := p.Default.(float64); number && !strings.HasSuffix(p.Label, ")") {
				t.Errorf("%s: the label %q of %s lacks a unit", k.Name, p.Label, p.Name)
			}
			if other, ok := names[p.Label]; ok {
				t.Errorf("%s: %s and %s share the label %q", k.Name, other, p.Name, p.Label)
			}
			names[p.Label] = p.Name
		}
	}
}
