package experiment

import (
	"strconv"

	"whorl/internal/shell"
)

// Command returns the command that makes a run again and keeps its trace in a file; "" keeps none.
func (r *Run) Command(trace string) string {
	words := append([]string{"whorl", "run", r.Program}, r.Args...)
	add := func(flag, value, usual string) {
		if value != usual {
			words = append(words, "--"+flag, value)
		}
	}
	add("goal", r.Goal, "")
	add("mode", string(r.Mode), "")
	add("pes", strconv.Itoa(r.PEs), "")
	if substrate, err := r.Substrate(); err != nil || substrate != "hpf" {
		add("policy", r.Policy, "")
		add("seed", strconv.FormatUint(r.Seed, 10), "")
	}
	if r.Mode != Live {
		add("machine", r.Machine, "")
		add("net", r.Network, "")
	}
	for _, speed := range r.Speeds {
		add("speed", speed, "")
	}
	if r.Limits.Time > 0 {
		add("max-time", r.Limits.Time.String(), "")
	}
	if r.Limits.Reductions > 0 {
		add("max-reductions", strconv.FormatInt(r.Limits.Reductions, 10), "")
	}
	if trace != "" {
		words = append(words, "-o", trace)
	}
	return shell.Line(words...)
}
