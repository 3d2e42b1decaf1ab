package exec

import (
	"fmt"
	"testing"
)

// TestRemapMoves checks that arrays move with a redistributed template, and that later messages follow the new mapping.
func TestRemapMoves(t *testing.T) {
	const program = "program p\ninteger :: a(16), b(16)\n!HPF$ DYNAMIC t\n!HPF$ TEMPLATE t(16)\n!HPF$ DISTRIBUTE t(BLOCK)\n!HPF$ ALIGN WITH t :: a%s\n%s\nend\n"
	for _, c := range []struct {
		directive, body string
		sent            int64 // integers, of 4 bytes
	}{
		{"", "a = 1", 0},
		{"", "a(2:16) = a(1:15)", 3},
		{"", "!HPF$ REDISTRIBUTE t(CYCLIC)", 12}, // of each block one stays
		{", b", "!HPF$ REDISTRIBUTE t(CYCLIC)", 24},
		{"", "!HPF$ REDISTRIBUTE t(CYCLIC)\na(2:16) = a(1:15)", 12 + 15},
		{"", "!HPF$ REDISTRIBUTE t(CYCLIC)\na(5:16) = a(1:12)", 12},
		{", b", "!HPF$ REDISTRIBUTE t(CYCLIC)\na = b", 24},
		{"", "!HPF$ REDISTRIBUTE t(CYCLIC)\n!HPF$ REDISTRIBUTE t(BLOCK)\na(2:16) = a(1:15)", 12 + 12 + 3},
	} {
		_, m, err := run(t, "p.f90", fmt.Sprintf(program, c.directive, c.body), "", 4, Options{})
		if err != nil || m.Totals().Bytes != 4*c.sent {
			t.Errorf("%q, %q: %d bytes are sent, want %d: %v", c.directive, c.body, m.Totals().Bytes, 4*c.sent, err)
		}
	}
}
