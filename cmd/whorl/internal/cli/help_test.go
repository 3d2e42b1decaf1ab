package cli

import (
	"strings"
	"testing"
	"unicode/utf8"

	"whorl/cmd/whorl/internal/command"
)

// TestHelpIsWrapped checks that no line of the help of a command is longer than those of the documents.
func TestHelpIsWrapped(t *testing.T) {
	for _, cmd := range newRoot().Commands() {
		var out strings.Builder
		if status := Main([]string{"help", cmd.Name()}, strings.NewReader(""), &out, &out); status != 0 {
			t.Errorf("help %s: status %d", cmd.Name(), status)
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(line); n > command.HelpWidth+10 && !strings.HasPrefix(line, "  whorl ") {
				t.Errorf("help %s: a line has %d characters: %s", cmd.Name(), n, line)
			}
		}
	}
}
