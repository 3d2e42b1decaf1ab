package nearest

import (
	"strings"
	"testing"
)

func TestUnknown(t *testing.T) {
	known := []string{"ring", "random", "steal"}
	for _, c := range []struct {
		err  UnknownError
		want string
	}{
		{UnknownError{"policy", "stael", known, ""}, `unknown policy "stael"; did you mean steal?`},
		{UnknownError{"policy", "stael", known, "whorl list policies"}, `unknown policy "stael"; did you mean steal?`},
		{UnknownError{"policy", "x", known, ""}, `unknown policy "x"; known are ring, random, steal`},
		{UnknownError{"policy", "x", known, "whorl list policies"}, `unknown policy "x"; see whorl list policies`},
		{UnknownError{"metric", "x", nil, ""}, `unknown metric "x"; none is known`},
		{UnknownError{"file", "a\x1b[2J", known, "the guide"}, `unknown file "a\x1b[2J"; see the guide`},
		{UnknownError{"file", strings.Repeat("é", 61), nil, ""}, `unknown file "` + strings.Repeat("é", 60) + `..."; none is known`},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestSuggest(t *testing.T) {
	for _, c := range []struct {
		near []string
		want string
	}{
		{nil, "unknown file"},
		{[]string{"a"}, "unknown file; did you mean a?"},
		{[]string{"a", "b"}, "unknown file; did you mean a or b?"},
	} {
		if got := Suggest("unknown file", c.near); got != c.want {
			t.Errorf("%q: %q, want %q", c.near, got, c.want)
		}
	}
}
