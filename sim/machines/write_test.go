package machines

import (
	"strings"
	"testing"

	"whorl/sim"
)

// TestText: a machine that is written is read back, whatever its texts are.
func TestText(t *testing.T) {
	odd := Preset{
		Name: "odd \"one\"", Doc: `a \ and a tab	inside`, PEs: 3, Network: "bus",
		Model: sim.Model{InstructionPs: 1, Latency: 2, Overhead: 3, Gap: 4, BytePs: 18_760, Fork: 5, Steal: 6},
	}
	for _, p := range append(All(), odd) {
		text := p.Text(map[string]string{"gap_ns": "from 3 to 5 ns", "fork_ns": ""})
		if got, err := Read("x.toml", []byte(text)); err != nil || got != p {
			t.Errorf("%s: %v, read back as %+v, error %v", text, p, got, err)
		}
		if !strings.Contains(text, " # from 3 to 5 ns\n") || strings.Count(text, "#") != 1 {
			t.Errorf("the comment is lost:\n%s", text)
		}
	}
}
