package command

import (
	"strings"
	"testing"
)

func TestFold(t *testing.T) {
	long := strings.Repeat("word ", 40) + "end"
	for _, c := range []struct{ line, want string }{
		{"", ""},
		{"  short line", "  short line"},
		{"  " + long, "  " + strings.TrimSpace(strings.Repeat("word ", 27)) + "\n      " + strings.TrimSpace(strings.Repeat("word ", 13)) + " end"},
		{"  " + strings.Repeat("x", 2*HelpWidth), "  " + strings.Repeat("x", 2*HelpWidth)},
		{strings.Repeat("µ", HelpWidth) + " µ", strings.Repeat("µ", HelpWidth) + "\n      µ"},
	} {
		if got := Fold(c.line, "      "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
