package nearest

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"ring", "ring", 0}, {"rnig", "ring", 1}, {"rin", "ring", 1}, {"king", "ring", 1},
		{"mesh2d", "mesh3d", 1}, {"kitten", "sitting", 3}, {"bus", "all", 3}, {strings.Repeat("a", 65), "a", 64},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := distance(c.b, c.a); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	known := []string{"on-demand", "steal", "steal-half", "ring", "random", "static", "bus"}
	for name, want := range map[string]string{
		"stael": "steal", "STEAL": "steal steal-half", "st": "steal steal-half static", "rondam": "random", "bsu": "bus", "b": "", "": "", "zzz": "", "rng": "ring",
	} {
		if got := strings.Join(Names(name, known), " "); got != want {
			t.Errorf("names near %q: %q, want %q", name, got, want)
		}
	}
	if got := Unknown("policy", "nope", known[:2]).Error(); got != `unknown policy "nope"; known are on-demand, steal` {
		t.Error(got)
	}
}

// A known name with one slip in it is found first, if no other is as near.
func TestOneSlipIsFound(t *testing.T) {
	known := []string{"kaleidoscope", "threadgraph", "timeline", "utilisation", "overview"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(known).Draw(t, "name")
		i := rapid.IntRange(0, len(name)-2).Draw(t, "at")
		b := []byte(name)
		switch rapid.IntRange(0, 3).Draw(t, "slip") {
		case 0:
			b[i], b[i+1] = b[i+1], b[i]
		case 1:
			b = slices.Delete(b, i, i+1)
		case 2:
			b = slices.Insert(b, i, 'x')
		default:
			b[i] = 'x'
		}
		if got := Names(string(b), known); len(got) == 0 || got[0] != name {
			t.Fatalf("near %q: %v, want %s", b, got, name)
		}
	})
}
